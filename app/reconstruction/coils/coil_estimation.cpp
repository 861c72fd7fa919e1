#include "app/reconstruction/coils/coil_estimation.hpp"

#include <algorithm>
#include <cmath>

#include "app/reconstruction/coils/calibration_fit.hpp"
#include "app/reconstruction/coils/coil_calibration.hpp"
#include "app/reconstruction/coils/how_coils_are_told.hpp"
#include "app/reconstruction/coils/joint_inversion.hpp"
#include "core/base/log.hpp"
#include "core/mri/coils/coil_maps.hpp"
#include "core/mri/coils/unit_maps.hpp"
#include "core/mri/echo_centre.hpp"

namespace recon {
namespace {

/// Maps of half cycles are those of a field of view twice as wide: they need not be the same at opposite borders.
constexpr Index points_per_cycle_at_borders = 2;
/// Right maps leave 0.02 to 0.2 of the calibration data beside their noise, by resolution; wrong ones 0.5 to 0.9.
constexpr double never_wrong = 0.15;
constexpr double hardly_right = 0.4;

}  // namespace

CoilEstimation::CoilEstimation(const Frame& frame, const AllCoils& kspace, const PerAxis<Index>& matrix_size,
                               const CoilOptions& options, const OffResonanceMaps& off_resonance)
    : CoilEstimation(frame, kspace, matrix_size, options, off_resonance,
                     calibration_place(frame, kspace, matrix_size, options)) {}

CoilEstimation::CoilEstimation(const Frame& frame, const AllCoils& kspace, const PerAxis<Index>& matrix_size,
                               const CoilOptions& options, const OffResonanceMaps& off_resonance,
                               const CalibrationPlace& place, double noise_sigma)
    : kspace_(kspace),
      matrix_size_(matrix_size),
      options_(options),
      place_(place),
      trajectory_(relative_to(place.centre, frame.trajectory)),
      covered_(place.measured.region, place.sample_count, frame, *trajectory_, matrix_size, off_resonance),
      whole_(place.whole.radius == covered_.region.radius
                 ? covered_
                 : Calibration(place.whole, place.whole_sample_count, frame, *trajectory_, matrix_size, off_resonance)),
      noise_sigma_(noise_sigma) {}

CoilEstimation::Calibration::Calibration(const CalibrationRegion& part, Index count, const Frame& frame,
                                         const Trajectory& trajectory, const PerAxis<Index>& matrix_size,
                                         const OffResonanceMaps& maps)
    : region(part), sample_count(count) {
    if (!maps.empty() && sample_count > 0) {
        std::vector<float> times_s;
        for (const Index m : calibration_sample_indices(region, trajectory)) {
            times_s.push_back(frame.sample_times_s[m]);
        }
        off_resonance.emplace(maps, matrix_size, calibration_matrix(region), std::move(times_s));
    }
}

CalibrationProblem CoilEstimation::problem_of(Backend& backend, const Calibration& calibration,
                                              const SumsOptions& sums) const {
    return {backend, calibration_samples(calibration.region, *trajectory_, kspace_), calibration.off_resonance, sums};
}

CalibrationProblem CoilEstimation::problem_of_noise(Backend& backend, const Calibration& calibration,
                                                    const SumsOptions& sums) const {
    CalibrationSamples samples = calibration_samples(calibration.region, *trajectory_, kspace_);
    samples.coil_count = 1;
    Array noise(backend, Shape::samples(samples.trajectory.sample_count()), Precision::single);
    backend.fill_white(0, 0, noise);
    samples.kspace = download<float>(noise);
    return {backend, samples, calibration.off_resonance, sums};
}

std::string CoilEstimation::source(const Calibration& calibration) const {
    std::string text = fmt::format("{} samples around {:.3g} cycles per FOV", calibration.sample_count,
                                   *std::ranges::max_element(calibration.region.radius));
    if (place_.centre != PerAxis<double>{0, 0, 0}) {
        text += fmt::format(" of the echo, which is at ({:g}, {:g}, {:g})", place_.centre[0], place_.centre[1],
                            place_.centre[2]);
    }
    if (calibration.off_resonance) {
        text += fmt::format(", off-resonance in {} time segments", calibration.off_resonance->of_sums().count());
    }
    return text;
}

std::optional<CalibrationImages> CoilEstimation::images_of_each_alone(Backend& backend,
                                                                      const Calibration& calibration) const {
    const CalibrationProblem problem = problem_of(backend, calibration, calibration_sums);
    if (problem.coil_count() > 1 && how_coils_are_told(problem) == CoilsAreTold::together) {
        return std::nullopt;
    }
    return problem.on_host(problem.coil_images());
}

std::vector<cfloat> CoilEstimation::maps(Backend& backend, const ImagesOfOthers& of_others) const {
    if (options_.method == CoilMapMethod::nlinv && kspace_.coil_count() > 1) {
        return joint_maps(backend);
    }
    if (auto images = images_of_each_alone(backend, covered_)) {
        const std::vector<CalibrationImages> others = of_others ? of_others() : std::vector<CalibrationImages>();
        images->add(others);
        const Index frame_count = std::ssize(others) + 1;
        return maps_of(backend, *images, covered_,
                       source(covered_) + (others.empty() ? "" : fmt::format(" of each of {} frames", frame_count)),
                       frame_count);
    }
    if (whole_.sample_count < covered_.sample_count) {  // nearer to the centre samples lie closer
        if (const auto images = images_of_each_alone(backend, whole_)) {
            return maps_of(backend, *images, whole_, source(whole_));
        }
    }
    return joint_maps(backend);
}

std::vector<cfloat> CoilEstimation::joint_maps(Backend& backend) const {
    const CalibrationProblem problem = problem_of(backend, whole_, rough_calibration_sums);
    const JointlyFound found = jointly_found(problem);
    if (!options_.body_coil_image.empty() || options_.crop >= 0 ||
        (options_.method && *options_.method != CoilMapMethod::nlinv)) {
        return maps_of(backend, found.coil_images, whole_, "coils and image found together, of " + source(whole_));
    }
    log_info("coil maps: nonlinear inversion, coils and image together, from {}; {:.1f} % of them unexplained",
             source(whole_), 100 * found.unexplained);
    if (found.unexplained > hardly_right) {
        const double of_one = problem_of_noise(backend, whole_, rough_calibration_sums).energy_of_samples();
        warn_where_hardly_right(found.unexplained,
                                static_cast<double>(kspace_.coil_count()) * of_one / problem.energy_of_samples());
    }
    return unit_maps(found.coils, matrix_size_, kspace_.here());
}

std::vector<cfloat> CoilEstimation::maps_of(Backend& backend, const CalibrationImages& images, const Calibration& part,
                                            const std::string& source, Index frame_count) const {
    const CalibrationKspace calibration = images.kspace();
    if (!options_.body_coil_image.empty()) {
        log_info("coil maps: relative to the body coil, from {}", source);
        return body_coil_maps(calibration, relative_to(place_.centre, options_.body_coil_image, matrix_size_),
                              matrix_size_, kspace_.here());
    }
    if (options_.method == CoilMapMethod::walsh) {
        log_info("coil maps: Walsh from {}", source);
        return walsh_maps(backend, calibration, matrix_size_, kspace_.here());
    }
    JudgedMaps judged = best_espirit(backend, images, calibration);
    const bool walsh = takes_walsh(backend, calibration, judged.misfit);
    if (judged.misfit > hardly_right) {
        const CalibrationProblem noise = problem_of_noise(backend, part, calibration_sums);
        const double of_one = noise.kspace_of(noise.coil_images()).energy() * static_cast<double>(frame_count);
        warn_where_hardly_right(judged.misfit,
                                static_cast<double>(kspace_.coil_count()) * of_one / calibration.energy());
    }
    if (walsh) {
        return walsh_maps(backend, calibration, matrix_size_, kspace_.here());
    }
    EspiritReport report;
    std::vector<cfloat> maps = judged.espirit.maps(backend, matrix_size_, kspace_.here(), &report);
    log_info(
        "coil maps: ESPIRiT from {}; kernel {} wide, {} of {} singular vectors above {:.1e}; cropped below "
        "eigenvalue {:.3f} ({:.1f} % of the voxels)",
        source, report.kernel_width, report.rank, report.column_count, report.threshold, report.crop,
        100 * report.cropped_part);
    return maps;
}

double CoilEstimation::misfit_of(Backend& backend, const CalibrationKspace& calibration, const Espirit& espirit) const {
    return calibration_misfit(backend, calibration,
                              espirit.maps(backend, misfit_matrix(calibration.region, matrix_size_)), matrix_size_);
}

CoilEstimation::JudgedMaps CoilEstimation::best_espirit(Backend& backend, const CalibrationImages& images,
                                                        const CalibrationKspace& calibration) const {
    // maps of more of the noise explain more of it: of objects inside the field of view those of half cycles 2 to 6 %
    // less, and of some that touch borders as well
    constexpr double clearly_better = 0.97;
    Espirit espirit(calibration, {.crop = options_.crop});
    const double misfit = misfit_of(backend, calibration, espirit);
    log_debug("coil maps: ESPIRiT's leave {:.3f} of the calibration data", misfit);
    if (!images.touch_opposite_borders()) {
        return {std::move(espirit), misfit};
    }
    Espirit wider = espirit.of_wider_field_of_view(images.kspace(points_per_cycle_at_borders));
    const double of_wider = misfit_of(backend, calibration, wider);
    log_debug("coil maps: those of twice the field of view leave {:.3f}", of_wider);
    if (of_wider >= clearly_better * misfit) {
        return {std::move(espirit), misfit};
    }
    log_info(
        "coil maps: at opposite borders of the field of view they differ: ESPIRiT's of twice the field are taken, "
        "which leave {:.1f} % of the calibration data unexplained, not {:.1f} %",
        100 * of_wider, 100 * misfit);
    return {std::move(wider), of_wider};
}

bool CoilEstimation::takes_walsh(Backend& backend, const CalibrationKspace& calibration, double& misfit) const {
    // Walsh's follow the noise of the calibration data, too: with much of it they explain more, and show less
    constexpr double clearly_better = 0.7;
    if (misfit < never_wrong) {
        return false;
    }
    const std::vector<cfloat> walsh = walsh_maps(backend, calibration, misfit_matrix(calibration.region, matrix_size_));
    const double of_walsh = calibration_misfit(backend, calibration, walsh, matrix_size_);
    const bool walsh_is_better = of_walsh < clearly_better * misfit;
    const bool takes_walsh = walsh_is_better && !options_.method && options_.crop < 0;
    if (walsh_is_better) {
        log_warning(
            "coil maps: those of ESPIRiT leave {:.0f} % of the calibration data unexplained, Walsh's {:.0f} %: {}",
            100 * misfit, 100 * of_walsh, takes_walsh ? "Walsh's are taken" : "`coil_maps` walsh would fit better");
    }
    misfit = takes_walsh ? of_walsh : misfit;
    return takes_walsh;
}

void CoilEstimation::warn_where_hardly_right(double misfit, double energy_of_unit_noise) const {
    const double noise = std::min(1.0, std::pow(noise_sigma_, 2) * energy_of_unit_noise);
    const double left_of_noise = noise * (1 - 1 / static_cast<double>(kspace_.coil_count()));
    const double of_signal = std::max(0.0, misfit * misfit - left_of_noise) / std::max(1 - noise, 1e-3);
    log_debug("coil maps: {:.2f} of the calibration data is noise, by amplitude", std::sqrt(noise));
    if (of_signal > hardly_right * hardly_right) {
        log_warning(
            "coil maps: no image explains more than {:.0f} % of the calibration data through them, beside their noise; "
            "give `coil_maps` FILE, or another `calibration_radius`",
            100 * (1 - std::sqrt(of_signal)));
    }
}

std::size_t CoilEstimation::backend_bytes(const Backend& backend, std::size_t piece_bytes) const {
    const Index coil_count = kspace_.coil_count();
    const auto of_maps = [&](const CalibrationRegion& region, const PerAxis<Index>& matrix_size, Index stored_count) {
        return std::max({espirit_backend_bytes(backend, region, coil_count, matrix_size, stored_count, {}),
                         espirit_backend_bytes(backend, region, coil_count, matrix_size, stored_count, {},
                                               points_per_cycle_at_borders),
                         walsh_backend_bytes(backend, region, coil_count, matrix_size, stored_count)});
    };
    std::size_t most = 0;
    for (const Calibration* calibration : {&covered_, &whole_}) {
        const CalibrationRegion& region = calibration->region;
        const CalibrationBytes bytes =
            calibration_bytes(backend, region, calibration->sample_count, coil_count, calibration->off_resonance,
                              calibration_sums, piece_bytes);  // no less than the rough ones
        most = std::max({most, bytes.peak, of_maps(region, misfit_matrix(region, matrix_size_), coil_count),
                         of_maps(region, matrix_size_, kspace_.here().count)});
    }
    const CalibrationBytes rough = calibration_bytes(backend, whole_.region, whole_.sample_count, coil_count,
                                                     whole_.off_resonance, rough_calibration_sums, piece_bytes);
    return std::max(most, rough.held + rough.running +
                              joint_inversion_bytes(backend, calibration_matrix(whole_.region), coil_count,
                                                    rough_calibration_sums.precision, piece_bytes));
}

std::size_t CoilEstimation::host_bytes() const {
    constexpr std::size_t of_a_sample = 3 * sizeof(double) + sizeof(Index) + 2 * sizeof(double);  // position, weight
    const std::size_t coil_count = kspace_.coil_count();
    const auto elements = [](const PerAxis<Index>& size) { return Shape::image(size).element_count(); };
    const std::size_t of_cropping = elements(matrix_size_) * (2 * sizeof(float) + sizeof(cfloat));
    std::size_t most = 0;
    for (const Calibration* calibration : {&covered_, &whole_}) {
        const CalibrationRegion& region = calibration->region;
        const std::size_t of_a_coil =  // its image, and its k-space at half cycles
            elements(calibration_matrix(region)) + region.in_points(points_per_cycle_at_borders).box().element_count();
        most = std::max(most, calibration->sample_count * (coil_count * sizeof(cfloat) + of_a_sample) +
                                  coil_count * of_a_coil * sizeof(cdouble) + of_cropping +
                                  std::max(espirit_host_bytes(region, kspace_.coil_count(), matrix_size_, {}),
                                           espirit_host_bytes(region, kspace_.coil_count(), matrix_size_, {},
                                                              points_per_cycle_at_borders)));
    }
    return most;
}

}  // namespace recon
