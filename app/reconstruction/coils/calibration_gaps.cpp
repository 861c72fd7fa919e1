#include "app/reconstruction/coils/calibration_gaps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/log.hpp"
#include "core/mri/coils/espirit.hpp"

namespace recon {
namespace {

/// |a - b| / |b|
double distance(const CalibrationKspace& a, const CalibrationKspace& b) {
    double difference = 0, all = 0;
    for (std::size_t i = 0; i < b.values.size(); ++i) {
        difference += std::norm(a.values[i] - b.values[i]);
        all += std::norm(b.values[i]);
    }
    return all > 0 ? std::sqrt(difference / all) : 0;
}

/// The kernel's points times the coils are the columns of ESPIRiT's matrix: of a volume too many for more coils.
EspiritOptions espirit_of_a_turn(const PerAxis<Index>& matrix, Index coil_count) {
    constexpr Index many_coils = 12;
    const bool is_volume = matrix[2] > 1;
    return {.kernel_width = is_volume && coil_count > many_coils ? 2 : 3, .crop = 0};
}

CoilSensitivity maps_of(const CalibrationProblem& problem, const CalibrationKspace& kspace) {
    const PerAxis<Index> matrix = problem.matrix();
    const std::vector<cfloat> found =
        espirit_maps(problem.backend(), kspace, matrix, espirit_of_a_turn(matrix, problem.coil_count()));
    Array maps(problem.backend(), VoxelGrid::image(matrix).shape.with_axis("coil", problem.coil_count()),
               problem.precision());
    upload(found, maps);
    return CoilSensitivity(std::move(maps));
}

}  // namespace

// What the numbers of this file were chosen by: docs/decisions/0022-gaps-of-calibrations.md and 0031.

bool has_gaps_to_fill(const CalibrationProblem& problem, const CalibrationSamples& samples) {
    constexpr double least = 0.15, doubtful = 0.55, most = 0.65;
    if (problem.coil_count() == 1 || samples.region.part_covered_by(samples.trajectory) < least_part_covered) {
        return false;
    }
    const double open = problem.part_left_open();
    if (open > doubtful) {
        log_warning(
            "coil maps: the samples leave {:.0f} % of the centre of k-space open, and maps of so few may be wrong; "
            "give `coil_maps` FILE",
            100 * open);
    }
    return open > least && open <= most;
}

std::optional<Array> filled_images(const CalibrationProblem& problem) {
    constexpr int turns = 20, fewest_turns = 3, first_iterations = 5, coil_iterations = 20;
    Array coil_images = problem.coil_images();
    CalibrationKspace filled = problem.kspace_of(coil_images);
    std::optional<CoilSensitivity> coils = maps_of(problem, filled);
    const double unexplained_alone = problem.part_unexplained_by(*coils);
    std::vector<double> moved;
    const auto is_noise = [&] {  // it moves as much with every turn, and little beside what is unexplained
        return moved.size() > 1 && moved.back() < 0.2 * unexplained_alone &&
               moved.back() > 0.95 * moved[moved.size() - 2];
    };
    constexpr double at_rest = 0.03;  // a tenth is usual in the first turns
    const auto diverges = [&] {
        constexpr std::ptrdiff_t rises = 5;
        return std::ssize(moved) > rises && moved.back() > at_rest &&
               std::is_sorted(moved.end() - rises - 1, moved.end());
    };
    for (int turn = 0; turn < turns && (turn < fewest_turns || !(is_noise() || diverges())); ++turn) {
        coils->forward(problem.image_through(*coils, first_iterations + turn), 0, coil_images);
        coils.reset();
        problem.improve(coil_images, coil_iterations);
        const CalibrationKspace before = std::exchange(filled, problem.kspace_of(coil_images));
        coils.emplace(maps_of(problem, filled));
        moved.push_back(distance(before, filled));
        log_debug("coil maps: turn {} of filling gaps moves {:.4f}", turn + 1, moved.back());
    }
    constexpr double as_well = 1.02;   // as before
    constexpr double of_noise = 0.2;   // noise moves with every iteration
    constexpr double rounding = 1e-3;  // of what is unexplained, a difference of squares in single precision
    const double unexplained = problem.part_unexplained_by(*coils);
    log_debug("coil maps: {:.4f} of the samples unexplained by maps of what was filled, {:.4f} before", unexplained,
              unexplained_alone);
    const bool settles = moved.back() <= std::max(at_rest, of_noise * unexplained);
    if (!settles || unexplained > as_well * unexplained_alone + rounding) {
        log_warning(
            "coil maps: what the coils show between samples {} and is left out: maps of so few samples at the centre "
            "of k-space may be wrong; give `coil_maps` FILE",
            settles ? fmt::format("does not explain these ({:.0f} % left, {:.0f} % without it)", 100 * unexplained,
                                  100 * unexplained_alone)
                    : fmt::format("does not settle ({:.0f} % a turn)", 100 * moved.back()));
        return std::nullopt;
    }
    log_info("coil maps: between samples, the centre of k-space is filled by what all coils show");
    return coil_images;
}

std::size_t maps_of_a_turn_bytes(const Backend& backend, const CalibrationRegion& region, Index coil_count) {
    const PerAxis<Index> matrix = calibration_matrix(region);
    return espirit_backend_bytes(backend, region, coil_count, matrix, coil_count,
                                 espirit_of_a_turn(matrix, coil_count));
}

}  // namespace recon
