// What a scan says of its image, for images that are kept. Bound by number, so that a member that is added is missed
// here.
#include "app/reconstruction/scan_prior/scan_prior_report.hpp"

namespace recon {
namespace {

/// Real numbers of an image in single precision, or nothing.
void visit_map(Archive& archive, const std::string& key, NamedArray& map) {
    auto& [name, axes, extents, values, unit] = map;
    archive.text(key + "/name", name);
    archive.text(key + "/unit", unit);
    auto axis_count = std::ssize(axes);
    archive.count(key + "/axes", axis_count);
    axes.resize(static_cast<std::size_t>(axis_count));
    extents.resize(axes.size());
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        archive.text(key + "/axis " + std::to_string(axis), axes[axis]);
        archive.count(key + "/extent " + std::to_string(axis), extents[axis]);
    }
    std::vector<double> numbers;
    if (const auto* const single = std::get_if<std::vector<float>>(&values)) {
        numbers.assign(single->begin(), single->end());
    }
    archive.numbers(key + "/values", numbers);
    values = std::vector<float>(numbers.begin(), numbers.end());
}

}  // namespace

void visit(Archive& archive, ScanPriorReport& report) {
    auto& [used, noise, noise_is_at_precision, model_error, expected, coil_count, frame_count, k_per_mm, power, stretch,
           exponent, predicted_error, unresolved, error_course, error_course_iterations, resolution_mm,
           edge_resolution_mm, voxel_mm, noise_turns, local_passes, local_share, iterations, is_unfinished, sd,
           noise_sd] = report;
    archive.count("scan/used", used);
    archive.number("scan/noise_sigma", noise.sigma);
    archive.text("scan/noise_source", noise.source);
    archive.count("scan/noise_is_at_precision", noise_is_at_precision);
    archive.number("scan/model_error", model_error);
    archive.number("scan/expected_sigma", expected.sigma);
    archive.text("scan/expected_source", expected.source);
    archive.count("scan/coil_count", coil_count);
    archive.count("scan/frame_count", frame_count);
    archive.numbers("scan/k_per_mm", k_per_mm);
    archive.numbers("scan/power", power);
    for (int axis = 0; axis < 3; ++axis) {
        archive.number("scan/stretch " + std::to_string(axis), stretch[axis]);
    }
    archive.number("scan/exponent", exponent);
    archive.number("scan/predicted_error", predicted_error);
    archive.number("scan/unresolved", unresolved);
    archive.numbers("scan/error_course", error_course);
    archive.numbers("scan/error_course_iterations", error_course_iterations);
    archive.number("scan/resolution_mm", resolution_mm);
    archive.number("scan/edge_resolution_mm", edge_resolution_mm);
    archive.number("scan/voxel_mm", voxel_mm);
    archive.count("scan/noise_turns", noise_turns);
    archive.count("scan/local_passes", local_passes);
    archive.number("scan/local_share", local_share);
    archive.count("scan/iterations", iterations);
    archive.count("scan/is_unfinished", is_unfinished);
    visit_map(archive, "sd", sd);
    visit_map(archive, "noise_sd", noise_sd);
}

}  // namespace recon
