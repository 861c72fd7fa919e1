#include "app/reconstruction/tolerance/tolerance_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/pipeline/run.hpp"
#include "app/reconstruction/frames/frame_series.hpp"
#include "core/base/log.hpp"
#include "core/mri/noise/certain_noise.hpp"
#include "core/mri/noise/noise_tolerance.hpp"

namespace recon {
namespace {

constexpr double share_of_noise = 0.02;  ///< that transforms may add to its error
constexpr double loosest = 1e-2;
constexpr double mostly_rounding = 5e-6;  ///< what lies below that is in single precision
constexpr Index excerpt_samples = 1 << 16;

/// The largest of 1, 2 and 5 times a power of ten that is not above: scans of one kind get one value, and share Q.
double rounded_down(double value) {
    const double decade = std::pow(10, std::floor(std::log10(value)));
    const double digits = value / decade;
    return std::stod(fmt::format("{}e{:.0f}", digits >= 5 ? 5 : digits >= 2 ? 2 : 1, std::log10(decade)));
}

NoiseLevel noise_of(const Scan& scan, const ReconstructOptions& options, const KspaceExcerpt& excerpt) {
    const Frame& first = scan.frames.front();
    const NoiseLevel shown =
        scan.noise.empty() ? certain_noise({scan, first.kspace}, *first.trajectory, excerpt, scan.geometry.matrix_size)
                           : noise_level_of_acquisition(scan.noise);
    if (const auto given = options.regularisation.lambda.noise_sigma) {
        constexpr double far = 10;
        if (shown.sigma > 0 && (*given > far * shown.sigma || *given < shown.sigma / far)) {
            log_warning(
                "`noise_sigma` {:.3g} is far from the {:.3g} that the scan shows ({}): sqrt(E|n|^2) of one sample of "
                "one coil is expected, in the units of k-space",
                *given, shown.sigma, shown.source);
        }
        return {*given, "noise_sigma"};
    }
    return shown;
}

}  // namespace

ChosenTolerance choose_tolerance(Scan& scan, const ReconstructOptions& options, RunControl& control) {
    const double least = options.sums_options().tolerance;
    if (options.tolerance > 0) {
        return {least, "given", {}};
    }
    const bool only_exact =
        options.sums == SumsMethod::exact &&
        (!options.off_resonance.correct || options.off_resonance.method == OffResonanceMethod::exact);
    if (!options.tolerance_from_noise || options.precision == Precision::double_ || only_exact ||
        !first_frame_fits(scan)) {
        return {least, "precision", {}};
    }
    Frame& first = scan.frames.front();
    {
        const StageScope stage(control, Stage::read);
        first.load();
    }
    const StageScope stage(control, Stage::check);
    const KspaceExcerpt excerpt =
        KspaceExcerpt::of({scan, first.kspace}, *first.trajectory, scan.samples_per_readout, excerpt_samples);
    const NoiseLevel noise = noise_of(scan, options, excerpt);
    const FieldMapUse field_map = options.off_resonance.correct ? FieldMapUse::corrected : FieldMapUse::none;
    const double allowed =
        tolerance_of_noise(excerpt, scan.geometry.matrix_size, noise.sigma, share_of_noise, field_map);
    if (!(allowed > 0)) {
        log_info("transforms: tolerance {:.0e}, as the noise of the data is not known", least);
        return {least, "precision", noise};
    }
    const bool is_quiet = allowed < mostly_rounding;
    const double tolerance = is_quiet ? least : rounded_down(std::min(allowed, loosest));
    log_info("transforms beside noise: tolerance {:.0e}, {} (sigma {:.3g}, from {})", tolerance,
             is_quiet ? "the least in single precision, as there is little noise"
                      : fmt::format("at most {:.0f} % of the error that the noise makes", 100 * share_of_noise),
             noise.sigma, noise.source);
    return {tolerance, noise.source, noise};
}

}  // namespace recon
