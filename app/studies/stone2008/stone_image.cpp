#include "app/studies/stone2008/stone_image.hpp"

#include <algorithm>
#include <cmath>

#include "app/reconstruction/reconstruction.hpp"
#include "app/studies/stone2008/step_images.hpp"
#include "core/base/error.hpp"
#include "core/base/stopwatch.hpp"
#include "data/simulation/phantom_object.hpp"
#include "data/simulation/trajectories/gyromagnetic_ratios.hpp"

namespace recon::stone {
namespace {

constexpr double proton_snr = 30;
constexpr double dwell_s = 20e-6;

SimulationOptions simulation_options(const ImageSettings& settings) {
    SimulationOptions options;
    options.phantom = "sodium";
    options.trajectory = "cones";
    options.request.matrix_size = {settings.size, settings.size, settings.size};
    options.request.limits.gyromagnetic_ratio_hz_per_t = gyromagnetic_ratio_hz_per_t("23Na");
    options.request.dwell_time_s = dwell_s;
    options.request.readout_oversampling = 1;
    options.coil_count = 1;
    options.snr = settings.snr;
    options.seed = settings.seed;
    return options;
}

/// One way to the image: the words of `prior` and `lambda`.
struct Way {
    const char* id;
    const char* title;
    std::vector<std::string> prior;
    std::vector<std::string> lambda;
};

const std::vector<Way>& ways() {
    static const std::vector<Way> all{
        {"least-squares", "least squares, no prior", {"none"}, {}},
        {"identity", "identity, lambda auto", {"identity"}, {"auto"}},
        {"roughness", "roughness, lambda auto", {"roughness"}, {"auto"}},
        {"spectrum", "spectrum of the scan", {"spectrum"}, {}},
        {"scan", "default of the program (scan)", {"scan"}, {}},
        {"anatomical", "anatomical W, lambda auto", {"anatomical"}, {"auto"}},
    };
    return all;
}

class ImageHalf {
public:
    ImageHalf(const ImageSettings& settings, const std::function<void(const ImageRow&)>& done)
        : devices_(settings.device, settings.thread_count), done_(done) {
        const SimulationOptions options = simulation_options(settings);
        Simulation simulation = simulate_scan(options);
        scan_ = std::move(simulation.scan);
        truth_.assign(simulation.truth.begin(), simulation.truth.end());
        const std::vector<bool> mask = signal_mask(simulation.truth);
        for (std::size_t i = 0; i < mask.size(); ++i) {
            if (mask[i]) {
                inside_.push_back(i);
                inside_truth_.push_back(truth_[i]);
            }
        }
        report_.settings = settings;
        report_.sample_count = scan_.frames.front().sample_count();
        report_.readout_count = simulation.design.readout_count;
        report_.cpu = devices_.cpu().description();
        report_.gpu = devices_.gpu_text();
        report_.truth.geometry = scan_.geometry;
        report_.truth.voxels = simulation.truth;
        report_.prior_image = simulate_reference_image(options, options.request.matrix_size, proton_snr);
        report_.proton_image = fmt::format("proton image of the same head, as many voxels, SNR {:g}", proton_snr);
    }

    ImageReport run(const std::function<void(const StepImageRow&)>& step_done) {
        for (const Way& way : ways()) {
            add(way);
        }
        if (report_.lambda) {
            const auto judge = [this](const std::vector<cfloat>& image) { return figures(image); };
            add_step_images({scan_.frames.front(), scan_.geometry, report_.prior_image, *report_.lambda, judge},
                            devices_, report_, step_done);
        }
        return std::move(report_);
    }

private:
    ImageFigures figures(const std::vector<cfloat>& image) const {
        std::vector<cfloat> inside;
        for (const std::size_t i : inside_) {
            inside.push_back(image[i]);
        }
        return {deviation(image, truth_), deviation(inside, inside_truth_)};
    }

    void add(ImageRow row) {
        row.figures = figures(row.image);
        report_.rows.push_back(std::move(row));
        done_(report_.rows.back());
    }

    void add(const Way& way) {
        ReconstructOptions options;
        options.regularisation = parse_regularisation(way.prior, way.lambda);
        options.regularisation.uncertainty_samples = 0;
        const bool is_plain = options.regularisation.terms.empty() && options.regularisation.scan == ScanPrior::none;
        options.cg.iterations = is_plain ? report_.settings.plain_iterations : report_.settings.iterations;
        options.measure_accuracy = false;
        options.baseline = is_plain;
        if (options.regularisation.needs_reference()) {
            auto images = std::make_shared<PriorImages>();
            images->reference = report_.prior_image;
            images->reference_path = "proton image";
            options.regularisation.images = std::move(images);
        }
        RunControl control;
        const Stopwatch watch;
        std::vector<FrameResult> results = reconstruct(scan_, devices_.best(), options, control);
        FrameResult& result = results.front();
        const double seconds = watch.seconds();
        if (is_plain) {
            add({.id = "gridding",
                 .title = "gridding + FFT",
                 .seconds = control.stages.of(Stage::baseline).seconds,
                 .image = std::move(result.baseline)});
        }
        ImageRow row{.id = way.id,
                     .title = way.title,
                     .iterations = result.cg.iterations,
                     .seconds = seconds,
                     .image = std::move(result.image)};
        if (result.lambda) {
            row.lambda = result.lambda->choice.lambda;
        }
        if (result.prior) {
            report_.lambda = row.lambda;
            report_.leakage = result.prior->leakage;
        }
        add(std::move(row));
    }

    StudyDevices devices_;
    const std::function<void(const ImageRow&)>& done_;
    recon::Scan scan_;
    std::vector<cdouble> truth_;
    std::vector<std::size_t> inside_;  ///< voxels of the object
    std::vector<cdouble> inside_truth_;
    ImageReport report_;
};

}  // namespace

ImageReport run_image_half(const ImageSettings& settings, const std::function<void(const ImageRow&)>& done,
                           const std::function<void(const StepImageRow&)>& step_done) {
    return ImageHalf(settings, done).run(step_done);
}

std::optional<std::pair<std::string, double>> largest_change(const ImageReport& report) {
    std::optional<std::pair<std::string, double>> largest;
    for (const StepImageRow& row : report.steps) {
        if (row.skipped.empty() && (!largest || std::abs(row.psnr_change_db) > std::abs(largest->second))) {
            largest.emplace(row.id, row.psnr_change_db);
        }
    }
    return largest;
}

}  // namespace recon::stone
