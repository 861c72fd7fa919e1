#include "app/reconstruction/coils/coil_estimation.hpp"

#include <algorithm>

#include "app/reconstruction/coils/calibration_fit.hpp"
#include "app/reconstruction/coils/coil_calibration.hpp"
#include "core/base/log.hpp"
#include "core/mri/coils/coil_maps.hpp"
#include "core/mri/echo_centre.hpp"

namespace recon {
namespace {

/// Maps of half cycles are those of a field of view twice as wide: they need not be the same at opposite borders.
constexpr Index points_per_cycle_at_borders = 2;

}  // namespace

CoilEstimation::CoilEstimation(const Frame& frame, const AllCoils& kspace, const PerAxis<Index>& matrix_size,
                               const CoilOptions& options, const OffResonanceMaps& off_resonance)
    : CoilEstimation(frame, kspace, matrix_size, options, off_resonance,
                     calibration_place(frame, kspace, matrix_size, options)) {}

CoilEstimation::CoilEstimation(const Frame& frame, const AllCoils& kspace, const PerAxis<Index>& matrix_size,
                               const CoilOptions& options, const OffResonanceMaps& off_resonance,
                               const CalibrationPlace& place)
    : kspace_(kspace),
      matrix_size_(matrix_size),
      options_(options),
      place_(place),
      trajectory_(relative_to(place.centre, frame.trajectory)) {
    if (!off_resonance.empty() && place_.sample_count > 0) {
        std::vector<float> times_s;
        for (const Index m : calibration_sample_indices(place_.measured.region, *trajectory_)) {
            times_s.push_back(frame.sample_times_s[m]);
        }
        off_resonance_.emplace(off_resonance, matrix_size, calibration_matrix(place_.measured.region),
                               std::move(times_s));
    }
}

void CoilEstimation::warn_of_gaps() const {
    if (place_.measured.part < least_part_covered) {
        log_warning(
            "coil maps: only {:.0f} % of the centre of k-space is measured, and maps that are estimated from it will "
            "be "
            "aliased; give those of a calibration scan (`coil_maps` FILE)",
            100 * place_.measured.part);
    }
}

std::vector<cfloat> CoilEstimation::maps(Backend& backend) const {
    warn_of_gaps();
    const CalibrationImages images =
        grid_calibration(backend, calibration_samples(place_.measured.region, *trajectory_, kspace_), off_resonance_);
    const CalibrationKspace calibration = images.kspace();
    std::string source =
        fmt::format("{} samples around {:.3g} cycles per FOV", place_.sample_count,
                    *std::max_element(place_.measured.region.radius.begin(), place_.measured.region.radius.end()));
    if (place_.centre != PerAxis<double>{0, 0, 0}) {
        source += fmt::format(" of the echo, which is at ({:g}, {:g}, {:g})", place_.centre[0], place_.centre[1],
                              place_.centre[2]);
    }
    if (off_resonance_) {
        source += fmt::format(", off-resonance in {} time segments", off_resonance_->of_sums().count());
    }
    if (!options_.body_coil_image.empty()) {
        log_info("coil maps: relative to the body coil, from {}", source);
        return body_coil_maps(calibration, relative_to(place_.centre, options_.body_coil_image, matrix_size_),
                              matrix_size_, kspace_.here());
    }
    if (options_.method == CoilMapMethod::walsh) {
        log_info("coil maps: Walsh from {}", source);
        return walsh_maps(backend, calibration, matrix_size_, kspace_.here());
    }
    const JudgedMaps judged = best_espirit(backend, images, calibration);
    if (takes_walsh(backend, calibration, judged.misfit)) {
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
                              espirit.maps(backend, misfit_matrix(place_.measured.region, matrix_size_)), matrix_size_);
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

bool CoilEstimation::takes_walsh(Backend& backend, const CalibrationKspace& calibration, double misfit) const {
    // right maps leave 0.02 to 0.2, by noise and resolution; wrong ones 0.5 to 0.9
    constexpr double never_wrong = 0.15;
    constexpr double hardly_right = 0.4;
    // Walsh's follow the noise of the calibration data, too: with much of it they explain more, and show less
    constexpr double clearly_better = 0.7;
    if (misfit < never_wrong) {
        return false;
    }
    const std::vector<cfloat> walsh =
        walsh_maps(backend, calibration, misfit_matrix(place_.measured.region, matrix_size_));
    const double of_walsh = calibration_misfit(backend, calibration, walsh, matrix_size_);
    const bool walsh_is_better = of_walsh < clearly_better * misfit;
    const bool takes_walsh = walsh_is_better && !options_.method && options_.crop < 0;
    if (walsh_is_better) {
        log_warning(
            "coil maps: those of ESPIRiT leave {:.0f} % of the calibration data unexplained, Walsh's {:.0f} %: {}",
            100 * misfit, 100 * of_walsh, takes_walsh ? "Walsh's are taken" : "`coil_maps` walsh would fit better");
    }
    misfit = takes_walsh ? of_walsh : misfit;
    if (misfit > hardly_right) {
        log_warning(
            "coil maps: no image explains more than {:.0f} % of the calibration data through them; give "
            "`coil_maps` FILE, or another `calibration_radius`",
            100 * (1 - misfit));
    }
    return takes_walsh;
}

std::size_t CoilEstimation::backend_bytes(const Backend& backend, std::size_t piece_bytes) const {
    const CalibrationRegion& region = place_.measured.region;
    const Index coil_count = kspace_.coil_count();
    const auto of_maps = [&](const PerAxis<Index>& matrix_size, Index stored_count) {
        return std::max({espirit_backend_bytes(backend, region, coil_count, matrix_size, stored_count, {}),
                         espirit_backend_bytes(backend, region, coil_count, matrix_size, stored_count, {},
                                               points_per_cycle_at_borders),
                         walsh_backend_bytes(backend, region, coil_count, matrix_size, stored_count)});
    };
    return std::max(
        {grid_calibration_bytes(backend, region, place_.sample_count, coil_count, off_resonance_, piece_bytes),
         of_maps(misfit_matrix(region, matrix_size_), coil_count), of_maps(matrix_size_, kspace_.here().count)});
}

std::size_t CoilEstimation::host_bytes() const {
    constexpr std::size_t of_a_sample = 3 * sizeof(double) + sizeof(Index) + 2 * sizeof(double);  // position, weight
    const CalibrationRegion& region = place_.measured.region;
    const std::size_t coil_count = kspace_.coil_count();
    const auto elements = [](const PerAxis<Index>& size) { return Shape::image(size).element_count(); };
    const std::size_t of_a_coil =  // its image, and its k-space at half cycles
        elements(calibration_matrix(region)) + region.in_points(points_per_cycle_at_borders).box().element_count();
    const std::size_t of_cropping = elements(matrix_size_) * (2 * sizeof(float) + sizeof(cfloat));
    return place_.sample_count * (coil_count * sizeof(cfloat) + of_a_sample) +
           coil_count * of_a_coil * sizeof(cdouble) + of_cropping +
           std::max(espirit_host_bytes(region, kspace_.coil_count(), matrix_size_, {}),
                    espirit_host_bytes(region, kspace_.coil_count(), matrix_size_, {}, points_per_cycle_at_borders));
}

}  // namespace recon
