#include "app/cli/regularisation_command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "app/cli/shell/named_choice.hpp"
#include "app/cli/shell/number_range.hpp"
#include "app/reconstruction/priors/prior_kind.hpp"
#include "core/base/error.hpp"
#include "core/base/parse_number.hpp"

namespace recon {
namespace {

/// How `--lambda auto` chooses.
void add_lambda_options(CLI::App& app, RegularisationCommandLine& line, const std::string& group) {
    LambdaOptions& options = line.lambda;
    app.add_option("--lambda-method", options.method,
                   "How --lambda auto chooses: image (least predicted error of the image), risk (of the data), gcv "
                   "(cross-validation), discrepancy (misfit as large as the noise) or lcurve (corner of the L-curve)")
        ->transform(named_choice<LambdaMethod>({{"image", LambdaMethod::image},
                                                {"gcv", LambdaMethod::gcv},
                                                {"risk", LambdaMethod::risk},
                                                {"discrepancy", LambdaMethod::discrepancy},
                                                {"lcurve", LambdaMethod::lcurve}}))
        ->default_str("image")
        ->needs("--lambda")
        ->group(group);
    app.add_option(
           "--noise-sigma", options.noise_sigma,
           "Standard deviation of the noise, sqrt(E|n|^2) of one sample of one coil in the units of the data (BART's: "
           "times the root of the number of voxels), for "
           "image, risk and discrepancy (default: from noise acquisitions, else found with the scan's spectrum)")
        ->check(number_above(0, 1e30))
        ->group(group);
    app.add_option("--lambda-png", line.lambda_png_path, "Picture of the curves that --lambda auto chose by")
        ->group(group);
}

Index parse_uncertainty(const std::string& text) {
    constexpr Index most = 1000;
    const auto value = value_after("samples", text);
    const auto count = value ? parse_number<Index>(*value) : std::nullopt;
    if (!count || *count < 0 || *count > most) {
        throw UsageError(fmt::format("--uncertainty {}: expected samples=N with N from 0 to {}", text, most));
    }
    return *count;
}

std::vector<std::string> priors_with_reference() {
    std::vector<std::string> names;
    for (const PriorKind* kind : prior_kinds().all()) {
        if (kind->needs_reference) {
            names.emplace_back(kind->name);
        }
    }
    return names;
}

}  // namespace

void add_regularisation_options(CLI::App& app, RegularisationCommandLine& line) {
    const std::string group = "Regularisation";
    app.add_option("--prior", line.priors,
                   "What is asked of the image beside the data. scan: what the scan itself tells, its power spectrum, "
                   "its noise and where its edges are, with nothing to choose; spectrum: the same without the edges; "
                   "none: plain least squares. With a --lambda each, beside scan or spectrum or alone: lambda Q(0) "
                   "|W rho|^2 for " +
                       prior_list(true) + "; beyond quadratic: " + prior_list(false))
        ->delimiter(',')
        ->default_str("scan; identity where --lambda stands alone");
    app.add_option(
           "--lambda", line.lambdas,
           "The weights of the priors, relative to Q(0): one value means the same on every scan. Or auto, for one of "
           "them. The noisier the scan, the larger: 0.02 to 0.8 at SNR 5 to 15, 0.003 to 0.06 at SNR 50 "
           "(docs/lambda.md); tv, wavelet, llr 0.003 to 0.1")
        ->delimiter(',');
    app.add_option("--uncertainty", line.uncertainty,
                   "With --prior scan or spectrum: samples=N of the image's error behind /uncertainty/sd, its standard "
                   "deviation in each voxel; each costs a third of the image. samples=0: no map")
        ->capture_default_str()
        ->group(group);
    const auto add_map_from_draws = [&](const char* name, Index& draws, const char* help) {
        app.add_option(name, draws, help)
            ->expected(0, 1)
            ->default_str("100")
            ->check(whole_number(1, 100000))
            ->group(group);
    };
    add_map_from_draws(
        "--noise-sd", line.noise_sd_draws,
        "With --prior scan or spectrum: writes /uncertainty/noise_sd, by how much noise alone moves each voxel, as "
        "repeated scans show it, from so many draws of noise (default 100: good to 5 %)");
    add_map_from_draws(
        "--g-factor", line.g_factor_draws,
        "Writes /uncertainty/g_factor, by how much coils and gaps in k-space amplify the noise of plain least "
        "squares, from so many draws of noise (default 100: each voxel is good to 5 %)");
    app.add_option("--uncertainty-png", line.uncertainty_png_path,
                   "Picture of the image beside its standard deviation and g-factor")
        ->group(group);
    add_lambda_options(app, line, group);
    CLI::Option* const reference =
        app.add_option("--prior-image", line.image_path,
                       "Reference of the anatomical prior, of the same object in the same place: NIfTI, DICOM (a file, "
                       "or the folder of a series), or any HDF5 image; "
                       "resampled onto the reconstruction's voxels")
            ->group(group);
    app.add_option("--prior-edge-scale", line.edge_scale,
                   "Steps of the reference that count as edges, in units of the noise of its differences")
        ->check(number_above(0, 1e6))
        ->capture_default_str()
        ->needs(reference)
        ->group(group);
    app.add_flag("!--no-prior-report", line.report,
                 "Skip the comparison of the reference with the scan, and of the image with one without it")
        ->needs(reference)
        ->group(group);
    app.add_option(
           "--mask", line.mask_path,
           "Image that is positive where the object may be (NIfTI, HDF5 or DICOM); the result is zero elsewhere")
        ->group(group);
}

RegularisationOptions read_regularisation(const RegularisationCommandLine& line) {
    RegularisationOptions options = parse_regularisation(line.priors, line.lambdas);
    if (line.priors.empty() && line.lambdas.empty()) {
        options.scan = ScanPrior::scan;
    }
    options.uncertainty_samples = parse_uncertainty(line.uncertainty);
    options.g_factor_draws = line.g_factor_draws;
    options.noise_sd_draws = line.noise_sd_draws;
    const bool has_deviation = options.tells_its_error() && options.uncertainty_samples > 0;
    const std::string only_there =
        "only an image of --prior scan or spectrum, with no lambda that is auto and no prior "
        "beyond quadratic, tells its error";
    if (options.noise_sd_draws > 0 && !options.tells_its_error()) {
        throw UsageError(fmt::format("--noise-sd: {}; of plain least squares, --g-factor tells", only_there));
    }
    if (options.uncertainty_samples > 1 && !options.tells_its_error()) {
        throw UsageError(fmt::format("--uncertainty {}: {}", line.uncertainty, only_there));
    }
    if (!line.uncertainty_png_path.empty() && !has_deviation && options.g_factor_draws == 0) {
        throw UsageError(fmt::format("--uncertainty-png {}: there is nothing to show without --g-factor: {}",
                                     line.uncertainty_png_path, only_there));
    }
    const auto wanted = std::find_if(line.priors.begin(), line.priors.end(), [](const std::string& name) {
        return !scan_prior_of_name(name) && prior_kinds().get(name).needs_reference;
    });
    if (wanted != line.priors.end() && line.image_path.empty()) {
        throw UsageError(fmt::format("--prior {}: needs --prior-image FILE, a reference of the same object", *wanted));
    }
    if (wanted == line.priors.end() && !line.image_path.empty()) {
        throw UsageError(fmt::format("--prior-image: only --prior {} uses it; add that, or leave it out",
                                     fmt::join(priors_with_reference(), " or ")));
    }
    if (!line.lambda_png_path.empty() && !options.chooses_lambda()) {
        throw UsageError(fmt::format("--lambda-png {}: shows how lambda was chosen; give --lambda auto as well",
                                     line.lambda_png_path));
    }
    options.lambda = line.lambda;
    options.edge_scale = line.edge_scale;
    options.report = line.report;
    options.images = std::make_shared<PriorImages>(read_prior_images(line.image_path, line.mask_path));
    return options;
}

}  // namespace recon
