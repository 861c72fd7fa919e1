#include "app/reconstruction/memory/memory_planning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include "app/pipeline/forecast.hpp"
#include "app/reconstruction/coils/estimated_maps.hpp"
#include "app/reconstruction/frames/frame_series.hpp"
#include "core/base/available_memory.hpp"
#include "core/base/cpu_memory.hpp"
#include "core/base/error.hpp"
#include "core/fourier/time_segments.hpp"
#include "core/parallel/first_rank.hpp"

namespace recon {
namespace {

/// Pieces below this do not keep a device busy: before that, what can be on the host goes there.
constexpr std::size_t smallest_good_piece = std::size_t{64} << 20;
constexpr std::size_t largest_piece = std::size_t{1} << 30;
constexpr std::size_t smallest_piece = std::size_t{64} << 10;

/// Ways to divide the work, the ones that cost least first. K-space is needed a few times a frame, coil maps in every
/// iteration.
std::vector<MemoryPieces> ways_to_divide(bool has_coil_maps) {
    using enum Residency;
    std::vector<MemoryPieces> ways{{MemoryBudget::unlimited, resident, resident}};
    for (std::size_t piece = largest_piece; piece >= smallest_good_piece; piece /= 2) {
        ways.push_back({piece, resident, resident});
        ways.push_back({piece, streamed, resident});
    }
    for (std::size_t piece = largest_piece; piece >= smallest_piece; piece /= 2) {
        if (has_coil_maps) {
            ways.push_back({piece, streamed, streamed});
        } else if (piece < smallest_good_piece) {
            ways.push_back({piece, streamed, resident});
        }
    }
    return ways;
}

/// What the reconstruction may occupy in all: below the limit, and no more than there is. What the host holds already
/// is part of both.
std::size_t available_bytes(const Backend& backend, std::size_t already) {
    const std::size_t free_bytes = backend.memory_free_bytes();
    const std::size_t left = backend.memory().left();
    // Room for libraries that allocate by themselves, and for memory in pieces that do not fit.
    constexpr double usable = 0.97;
    return left <= free_bytes
               ? left
               : std::min(left, static_cast<std::size_t>(usable * static_cast<double>(free_bytes)) + already);
}

/// Of the program, where its memory is the backend's.
std::size_t resident_bytes_beside_books(const Backend& backend) {
    const std::size_t resident = backend.memory_is_host() ? resident_memory_bytes() : 0;
    return resident - std::min(resident, backend.memory().in_use() + kept_cpu_memory_bytes());
}

/// Frames in memory at a time: that of the coil maps may be another than the first that needs them.
Index frames_at_once(const Scan& scan, const ReconstructOptions& options) {
    const Index of_a_slice = most_frames_of_a_slice(scan);
    const Index with_maps = estimates_coil_maps(scan, options.coils) ? 2 : 1;
    return options.regularisation.coupling_term() ? of_a_slice : std::min(of_a_slice, with_maps);
}

/// Images of all frames, and k-space of those that are in memory at a time, where it is not there yet.
std::size_t bytes_of_frames(const Scan& scan, const ReconstructOptions& options) {
    const auto image = static_cast<std::size_t>(Shape::image(scan.geometry.matrix_size).element_count());
    return (scan.frames.size() + 1) * (options.baseline ? 2 : 1) * image * sizeof(cfloat) +
           kspace_bytes_to_load(scan, frames_at_once(scan, options));
}

/// Few steps hold all that many do.
ReconstructOptions with_few_steps(ReconstructOptions options) {
    constexpr int steps = 2;
    options.cg.iterations = std::min(options.cg.iterations, steps);
    options.iterations_asked = steps;
    options.admm.iterations = std::min(options.admm.iterations, steps);
    options.admm.inner_iterations = std::min(options.admm.inner_iterations, steps);
    options.regularisation.g_factor_draws = std::min<Index>(options.regularisation.g_factor_draws, steps);
    options.regularisation.noise_sd_draws = std::min<Index>(options.regularisation.noise_sd_draws, steps);
    options.regularisation.uncertainty_samples = std::min<Index>(options.regularisation.uncertainty_samples, steps);
    options.q_cache = {};
    return options;
}

/// Segments are as many for these, and have small tables.
std::vector<float> distinct(std::vector<float> times) {
    std::ranges::sort(times);
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
}

/// Of off-resonance that differs.
std::vector<Index> slices_with_maps(const Scan& scan) {
    return scan.off_resonance_slices.empty() ? std::vector{scan.frames.front().label.slice} : scan.off_resonance_slices;
}

/// How the sums of the longest frame are computed, with as many segments of time as any slice needs.
FrameSums sums_of_longest_frame(const Scan& scan, const Backend& backend, const ReconstructOptions& options) {
    const Frame& longest = *std::ranges::max_element(scan.frames, {}, &Frame::sample_count);
    FrameSums sums =
        FrameSums::choose(backend, options, scan.geometry.matrix_size, longest.sample_count(), scan.coil_count);
    if (options.off_resonance.correct && options.off_resonance.method == OffResonanceMethod::segments) {
        const std::vector<float> times = distinct(longest.sample_times_s);
        const double of_sums = options.sums_options().tolerance, of_q = options.tolerance_beside_noise();
        for (const Index slice : slices_with_maps(scan)) {
            const OffResonanceMaps maps = options.maps_to_correct(scan, slice);
            sums.segment_count =
                std::max(sums.segment_count, TimeSegments::fit(RateHistogram::of(maps), times, of_sums).count());
            sums.kernel_count =
                std::max(sums.kernel_count, TimeSegments::fit(RateHistogram::of_pairs(maps), times, of_q).count());
        }
    }
    return sums;
}

/// Scalars, partial sums, tables of short transforms.
constexpr std::size_t small_bytes = std::size_t{512} << 10;

/// Sets the peak of the plan.
void forecast_peak(const Scan& scan, const Backend& backend, const ReconstructOptions& options, Index rank_count,
                   const Course& course, CalibrationPlaces& calibration_places, MemoryPlan& plan) {
    const Forecast found = forecast(backend, plan.piece_bytes, rank_count, [&](Run& run) {
        const Division division(run.ranks(), scan.coil_count);
        CoilMapStore coil_maps;
        course({run, scan, run.backend(), division, options, plan, coil_maps, calibration_places});
    });
    plan.peak_bytes = plan.host_bytes + small_bytes + found.peak_bytes;
    plan.peak_stage = found.peak_stage;
}

/// Sets how many coils the plan takes at a time, for people.
void describe_batches(const Scan& scan, const ReconstructOptions& options, Index rank_count, MemoryPlan& plan) {
    FirstRank first(rank_count);
    const Division division(first, scan.coil_count);
    const Shape image = Shape::image(scan.geometry.matrix_size);
    plan.coil_count = division.coils().count;
    plan.coils_at_once = Encoding::coils_at_once(image, division.samples(plan.sums.value().sample_count).count,
                                                 plan.coil_count, options.precision, plan.piece_bytes);
    plan.map_coils_at_once =
        CoilSensitivity::streamed_coils_at_once(image, plan.coil_count, options.precision, plan.piece_bytes);
}

}  // namespace

MemoryPlan plan_memory(const Scan& scan, const Backend& backend, const ReconstructOptions& options, Index rank_count,
                       const Course& course, CalibrationPlaces& calibration_places) {
    const std::size_t held_bytes = resident_bytes_beside_books(backend);
    const ReconstructOptions few_steps = with_few_steps(options);
    MemoryPlan plan;
    plan.host_bytes = backend.memory_is_host() ? held_bytes + bytes_of_frames(scan, options) : 0;
    plan.available_bytes = available_bytes(backend, held_bytes);
    plan.sums = sums_of_longest_frame(scan, backend, options);
    const std::size_t available = plan.available_bytes;
    std::optional<MemoryPlan> smallest;
    for (const MemoryPieces& pieces :
         ways_to_divide(estimates_coil_maps(scan, options.coils) || !scan.coil_maps.empty())) {
        static_cast<MemoryPieces&>(plan) = pieces;
        forecast_peak(scan, backend, few_steps, rank_count, course, calibration_places, plan);
        if (plan.peak_bytes > available && plan.sums->beside_noise) {
            plan.sums->beside_noise.reset();  // which saves time alone
            forecast_peak(scan, backend, few_steps, rank_count, course, calibration_places, plan);
        }
        if (plan.peak_bytes <= available) {
            describe_batches(scan, options, rank_count, plan);
            return plan;
        }
        if (!smallest || plan.peak_bytes < smallest->peak_bytes) {
            smallest = plan;
        }
    }
    const bool limited = backend.memory().limit() < MemoryBudget::unlimited;
    const std::string there_is = limited                    ? "is the `memory_limit`"
                                 : backend.memory_is_host() ? "is free (" + available_memory().limited_by + ")"
                                                            : "is free";
    throw DeviceError(fmt::format(
        "{}: the reconstruction needs at least {} ({}), {} {}; {}reconstruct a smaller "
        "`matrix` or `margin`{}",
        backend.name(), memory_text(smallest->peak_bytes), smallest->peak_stage, memory_text(available), there_is,
        limited ? "raise `memory_limit`, or " : "", backend.memory_is_host() ? "" : ", or use `device` cpu"));
}

std::size_t parse_memory_size(const std::string& text, const std::string& option) {
    const auto refuse = [&] {
        throw UsageError(
            option + " " + text +
            ": expected a size in bytes such as 500M, 2G or 1.5GiB (units k, M, G, T; KiB, MiB, GiB, TiB)");
    };
    double number = 0;
    std::size_t end = 0;
    try {
        number = std::stod(text, &end);
    } catch (const std::exception&) {
        refuse();
    }
    std::string unit;
    for (; end < text.size(); ++end) {
        if (text[end] != ' ') {
            unit += static_cast<char>(std::tolower(static_cast<unsigned char>(text[end])));
        }
    }
    double factor = 1;
    if (!unit.empty() && unit != "b") {
        const std::size_t power = std::string("kmgt").find(unit[0]);
        const std::string rest = unit.substr(1);
        if (power == std::string::npos || (!rest.empty() && rest != "b" && rest != "ib")) {
            refuse();
        }
        factor = std::pow(rest == "ib" ? 1024.0 : 1000.0, static_cast<double>(power + 1));
    }
    const double bytes = number * factor;
    if (!(bytes >= 1) || bytes > 1e18) {
        refuse();
    }
    return static_cast<std::size_t>(bytes);
}

}  // namespace recon
