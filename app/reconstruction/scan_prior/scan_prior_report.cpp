#include "app/reconstruction/scan_prior/scan_prior_report.hpp"

#include <fmt/format.h>

#include "core/base/log.hpp"

namespace recon {
namespace {

/// In mm beside the voxels' own size, or, where that is not known, in voxels.
std::string resolution_text(const ScanPriorReport& report) {
    const bool is_known = report.voxel_mm > 0;
    return fmt::format("{:.2g} {} ({:.2g} at edges){}", report.resolution_mm, is_known ? "mm" : "voxels",
                       report.edge_resolution_mm, is_known ? fmt::format(" at {:.2g} mm voxels", report.voxel_mm) : "");
}

bool is_of_noise_acquisitions(const ScanPriorReport& report) { return report.expected.source == "noise acquisitions"; }

std::string part_of(const ScanPriorReport& report) {
    return report.model_error < 1 ? fmt::format("{:.0f} %", 100 * report.model_error) : "all and more";
}

/// Noise acquisitions are the noise; what the data show by themselves is no more than that of any model that is right,
/// by 1.2 at most in 150 simulated scans, but for images whose noise is next to nothing.
bool leaves_more_than_noise(const ScanPriorReport& report) {
    const bool is_measured = is_of_noise_acquisitions(report);
    const double clearly_more = is_measured ? 1.2 : 1.5, next_to_nothing = is_measured ? 0 : 0.02;
    return report.expected.sigma > 0 && !report.noise_is_at_precision &&
           report.noise.sigma > clearly_more * report.expected.sigma && report.predicted_error > next_to_nothing;
}

}  // namespace

void ScanPriorReport::forget_image() {
    predicted_error = unresolved = resolution_mm = edge_resolution_mm = 0;
    error_course.clear();
    error_course_iterations.clear();
    sd = noise_sd = {};
}

void log_scan_prior(const ScanPriorReport& report, bool is_told) {
    const std::string of_image = is_told ? fmt::format("effective resolution {}, predicted error {:.2g} %",
                                                       resolution_text(report), 100 * report.predicted_error)
                                         : "resolution and error are not told";
    log_info(
        "scan prior: noise {:.3g}, spectrum |k|^{:.1f} from {} coil{}{}, {}; {} turn{}, {} local pass{}{}, {} "
        "iterations",
        report.noise.sigma, report.exponent, report.coil_count, report.coil_count == 1 ? "" : "s",
        report.frame_count > 1 ? fmt::format(" in {} frames", report.frame_count) : "", of_image, report.noise_turns,
        report.noise_turns == 1 ? "" : "s", report.local_passes, report.local_passes == 1 ? "" : "es",
        report.local_share < 0.995 ? fmt::format(" ({:.0f} % of it)", 100 * report.local_share) : "",
        report.iterations);
    if (leaves_more_than_noise(report)) {
        log_warning(
            "scan prior: what the model leaves over is {:.2g} times the noise ({}): the image is further from the "
            "truth than predicted; coil maps, trajectory or field map may be wrong, or the object moved{}",
            report.noise.sigma / report.expected.sigma, report.expected.source,
            is_of_noise_acquisitions(report) ? "; or the noise acquisitions are of another gain, and the image is none "
                                               "the worse"
                                             : "");
    }
    if (report.model_error > clearly_wrong_model) {
        log_warning(
            "scan prior: {} of the signal in k-space is neither image nor noise; coil maps, trajectory or field map "
            "may "
            "be wrong, the signal decays or the object moves",
            part_of(report));
    }
    if (report.is_unfinished) {
        log_warning(
            "scan prior: solutions still moved when they ended: the data hardly tell parts of the image, which may be "
            "further from the truth than predicted; more samples or coils, or a coarser `matrix`, tell more");
    }
    constexpr double no_signal = 0.7, flat = -0.5, some = 0.1;
    if (report.exponent > flat && report.predicted_error > some && report.predicted_error <= no_signal) {
        log_warning(
            "scan prior: the spectrum is as flat as that of noise (|k|^{:.1f}), and most of it is taken for noise: an "
            "object of points is lost, and further from the image than predicted; `prior` none keeps both",
            report.exponent);
    }
    if (report.predicted_error > no_signal) {
        log_warning("scan prior: predicted error {:.0f} %: {}", 100 * report.predicted_error,
                    report.model_error > clearly_wrong_model ? "such an image shows nothing for certain"
                                                             : "there is hardly any signal above the noise");
    }
}

std::vector<CheckFinding> judge_model(const ScanPriorReport& report) {
    constexpr double most = 0.5;  // real scans that are right leave up to 0.3
    if (report.model_error <= most) {
        return {};
    }
    return {{"model", fmt::format("{} of the signal in k-space is neither image nor noise", part_of(report)), ""}};
}

RunRecord scan_prior_record(const ScanPriorReport& report) {
    const auto name = [&] {
        return report.used == ScanPrior::scan ? "scan" : report.used == ScanPrior::spectrum ? "spectrum" : "none";
    };
    RunRecord record = {{"prior", name()}};
    if (report.used == ScanPrior::none) {
        return record;
    }
    record["noise_sigma"] = report.noise.sigma;
    record["model_error"] = report.model_error;
    record["noise_source"] = report.noise.source;
    record["noise_turns"] = report.noise_turns;
    record["local_passes"] = report.local_passes;
    record["local_share"] = report.local_share;
    record["spectrum"] = {{"k_per_mm", report.k_per_mm},
                          {"power", report.power},
                          {"stretch", report.stretch},
                          {"exponent", report.exponent}};
    if (report.frame_count > 1) {
        record["spectrum"]["frames"] = report.frame_count;
    }
    record["predicted_error_course"] = {{"iterations", report.error_course_iterations},
                                        {"predicted_error", report.error_course}};
    if (report.predicted_error > 0) {
        record["predicted_error"] = report.predicted_error;
        record["unresolved_detail"] = report.unresolved;
        if (report.is_unfinished) {
            record["unfinished"] = true;
        }
        record[report.voxel_mm > 0 ? "effective_resolution_mm" : "effective_resolution_voxels"] = report.resolution_mm;
        record[report.voxel_mm > 0 ? "effective_resolution_edges_mm" : "effective_resolution_edges_voxels"] =
            report.edge_resolution_mm;
    }
    record["iterations_in_all"] = report.iterations;
    return record;
}

}  // namespace recon
