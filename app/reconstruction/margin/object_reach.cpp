#include "app/reconstruction/margin/object_reach.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <span>

#include "app/reconstruction/coils/calibration_problem.hpp"
#include "app/reconstruction/coils/how_coils_are_told.hpp"
#include "app/reconstruction/margin/wide_samples.hpp"
#include "core/mri/check/centre_gap.hpp"

namespace recon {
namespace {

/// cos^2(pi/2 |k| / radius), 0 outside of the region.
double hann(const CalibrationRegion& region, const PerAxis<Index>& k) {
    double square = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double ratio = region.radius[axis] > 0 ? static_cast<double>(k[axis]) / region.radius[axis] : 0;
        square += ratio * ratio;
    }
    return square < 1 ? std::pow(std::cos(std::numbers::pi / 2 * std::sqrt(square)), 2) : 0;
}

/// At most so much of the energy of the image, the window among it, is noise: as if all were that is in the outermost
/// shell of the region, where objects have little.
double most_noise(const CalibrationKspace& kspace) {
    constexpr double outermost = 0.1;  // of the window
    const PerAxis<Index> half = kspace.region.half_extent();
    double all = 0, of_shell = 0, shell_points = 0, window = 0;
    std::size_t i = 0;
    for (Index coil = 0; coil < kspace.coil_count; ++coil) {
        for (Index z = -half[2]; z <= half[2]; ++z) {
            for (Index y = -half[1]; y <= half[1]; ++y) {
                for (Index x = -half[0]; x <= half[0]; ++x, ++i) {
                    const double weight = hann(kspace.region, {x, y, z}), energy = std::norm(kspace.values[i]);
                    all += weight * weight * energy;
                    window += weight * weight;
                    if (weight > 0 && weight < outermost) {
                        of_shell += energy;
                        ++shell_points;
                    }
                }
            }
        }
    }
    return all > 0 && shell_points > 0 ? of_shell / shell_points * window / all : 1;
}

/// Energy of the image's planes across an axis, from one end of the wider field to the other; their number divides by
/// 4, and plane 0 is at -1/2.
std::vector<double> energy_of_planes(const CalibrationKspace& kspace, int axis) {
    const PerAxis<Index> half = kspace.region.half_extent();
    const PerAxis<Index> box{2 * half[0] + 1, 2 * half[1] + 1, 2 * half[2] + 1};
    const PerAxis<Index> stride{1, box[0], box[0] * box[1]};
    const Index plane_count = 4 * half[axis], length = box[axis];
    std::vector<cdouble> waves;  // [k plane]
    for (Index plane = 0; plane < plane_count; ++plane) {
        const double place = static_cast<double>(plane) / static_cast<double>(plane_count) - 0.5;
        for (Index k = -half[axis]; k <= half[axis]; ++k) {
            waves.push_back(std::polar(1.0, 2 * std::numbers::pi * static_cast<double>(k) * place));
        }
    }
    const int second = (axis + 1) % 3, third = (axis + 2) % 3;
    std::vector<double> energy(static_cast<std::size_t>(plane_count), 0.0);
    std::vector<cdouble> line(static_cast<std::size_t>(length));
    for (Index coil = 0; coil < kspace.coil_count; ++coil) {
        for (Index i = 0; i < box[second] * box[third]; ++i) {
            PerAxis<Index> k{};
            k[second] = i % box[second] - half[second];
            k[third] = i / box[second] - half[third];
            const Index first = ((coil * box[2] + half[2]) * box[1] + half[1]) * box[0] + half[0] +
                                k[second] * stride[second] + k[third] * stride[third];
            for (Index j = 0; j < length; ++j) {
                k[axis] = j - half[axis];
                line[j] = hann(kspace.region, k) * kspace.values[first + k[axis] * stride[axis]];
            }
            for (Index plane = 0; plane < plane_count; ++plane) {
                energy[plane] +=
                    std::norm(std::inner_product(line.begin(), line.end(), waves.begin() + plane * length, cdouble(0)));
            }
        }
    }
    return energy;
}

constexpr double well_below = -30;  ///< decibels: where an object has ended

double decibels(double ratio) { return 10 * std::log10(std::max(ratio, 1e-30)); }

/// Beyond the end of an object the planes are so many decibels below the mean inside of the field as the window's point
/// spread says: by that much beyond the end, in units of the shortest wave (docs/decisions/0040).
double distance_beyond_end(double level_db) { return 0.031 * std::max(0.0, -16 - level_db); }

/// How much too far the end may seem to be, in planes: a level that noise keeps up is passed where the object's end
/// still counts, and few waves blur what is inside of it.
double doubt(double level_db, double most_waves) {
    return 0.06 * (level_db - well_below) + 0.15 * std::max(0.0, 8 - most_waves);
}

/// Mean energy of planes from `first` to `end` - 1.
double mean_energy(std::span<const double> outward_db, std::ptrdiff_t first, std::ptrdiff_t end) {
    double sum = 0;
    for (const double db : outward_db.subspan(first, end - first)) {
        sum += std::pow(10, db / 10);
    }
    return sum / static_cast<double>(end - first);
}

/// What noise and aliases leave beyond an end of the object, wherever beyond the field that is: the least mean of a
/// quarter of the planes there, or of the last eighth, as the object may end just before that.
double floor_of(std::span<const double> outward_db) {
    const auto count = std::ssize(outward_db), window = std::max<std::ptrdiff_t>(1, count / 4);
    double least = mean_energy(outward_db, 7 * count / 8, count);
    for (auto first = count / 2; first + window <= count; ++first) {
        least = std::min(least, mean_energy(outward_db, first, first + window));
    }
    return least;
}

/// Where one end of the object is. @param outward  energy of planes in decibels, from the middle of the wider field to
/// its end; 0 dB is the mean inside of the field  @param floor  that noise and aliases leave, not in decibels
/// @param most_waves  radius of the region
/// @param by_chance  decibels that aliases or noise may leave everywhere: more is the object
ObjectReach end_of_object(std::span<const double> outward, double floor, double most_waves, double by_chance) {
    constexpr double above_the_floor = 6, too_near = -12;
    const auto count = std::ssize(outward);
    const double level = std::max(well_below, decibels(floor) + above_the_floor);
    auto plane = count - 1;
    while (plane >= 7 * count / 8 && outward[plane] >= level) {
        --plane;  // what leaks over the wider field's end goes no further in
    }
    if (plane < 7 * count / 8) {
        plane = count - 1;
    }
    while (plane > 0 && outward[plane] < level) {
        --plane;
    }
    const double one_plane = WideSamples::widening / static_cast<double>(2 * count);
    const ObjectReach all{WideSamples::widening / 2, 0, one_plane};
    if (level > too_near) {  // something fills the wider field
        return decibels(mean_energy(outward, 3 * count / 4, count)) > by_chance ? all : ObjectReach{};
    }
    if (plane == count - 1) {
        return all;  // where no more is at another end
    }
    const double part = (outward[plane] - level) / (outward[plane] - outward[plane + 1]);
    return {(static_cast<double>(plane) + part) * one_plane -
                WideSamples::widening * distance_beyond_end(level) / most_waves,
            doubt(level, most_waves) * one_plane, one_plane};
}

/// @param by_noise  most_noise; infinite where samples leave gaps in the region, and aliases everywhere
ObjectReach reach_along(const CalibrationKspace& kspace, int axis, double by_noise) {
    constexpr double no_aliases = -15, beside_noise = 6;
    std::vector<double> energy = energy_of_planes(kspace, axis);
    const auto count = std::ssize(energy), quarter = count / 4;
    const double inside = std::accumulate(energy.begin() + quarter, energy.end() - quarter, 0.0) /
                          static_cast<double>(count - 2 * quarter);
    if (!(inside > 0)) {
        return {};
    }
    const double mean = std::accumulate(energy.begin(), energy.end(), 0.0) / static_cast<double>(count);
    const double by_chance = std::max(no_aliases, decibels(by_noise * mean / inside) + beside_noise);
    std::ranges::transform(energy, energy.begin(), [inside](double e) { return decibels(e / inside); });
    const std::vector<double> right(energy.begin() + count / 2, energy.end());
    const std::vector<double> left(energy.rbegin() + count / 2 - 1, energy.rend() - 1);
    const double most_waves = kspace.region.radius[axis];
    const double floor = std::min(floor_of(left), floor_of(right));
    const ObjectReach a = end_of_object(left, floor, most_waves, by_chance),
                      b = end_of_object(right, floor, most_waves, by_chance);
    return a.fields - a.doubt > b.fields - b.doubt ? a : b;
}

constexpr ObjectReach unknown{};
bool fills_wider_field(const ObjectReach& reach) { return reach.fields == WideSamples::widening / 2; }

/// Whether an image of the field of view leaves much of the samples that one of the wider field explains. Where samples
/// do not tell every point of the wider field, aliases of an object inside of the field fill that as well.
bool needs_wider_field(const CalibrationProblem& wider, const Array& images, const CalibrationSamples& of_field) {
    constexpr double told = 0.15, much = 0.12, more = 3;
    if (wider.part_left_open() < told) {
        return true;
    }
    const CalibrationProblem field(wider.backend(), of_field, {}, rough_calibration_sums);
    const double left = field.part_left_over(field.coil_images());
    return left > much && left > more * wider.part_left_over(images);
}

}  // namespace

PerAxis<ObjectReach> object_reach(const Scan& scan, const Frame& frame, Backend& backend) {
    const bool has_three_axes = is_volume(scan.geometry.matrix_size);
    const double most_cycles = has_three_axes ? 8 : 20, fewest_cycles = 6;
    const Index most_coils = has_three_axes ? 1 : 2;
    PerAxis<ObjectReach> reach{};
    const WideSamples wide(scan, frame, most_cycles);
    if (!wide.can_tell() || has_gap_at_centre(*frame.trajectory, scan.geometry.matrix_size)) {
        return reach;
    }
    const MeasuredRegion measured = CalibrationRegion::covered_by(wide.trajectory, wide.matrix_size, most_cycles);
    if (!measured.is_covered && estimates_maps_of_its_frames(scan) &&
        how_coils_are_told(backend, *frame.trajectory, scan.geometry.matrix_size) != CoilsAreTold::alone) {
        return reach;
    }
    CalibrationRegion region = measured.region;
    const bool is_covered = *std::ranges::max_element(region.radius) >= fewest_cycles;
    if (!is_covered) {
        region = CalibrationRegion::of_radius(wide.matrix_size, fewest_cycles);
    }
    const CalibrationSamples samples = wide.of_few_coils(region, {scan, frame.kspace}, most_coils);
    if (std::ranges::all_of(samples.kspace, [](cfloat value) { return value == cfloat(0); })) {
        return reach;
    }
    const CalibrationProblem problem(backend, samples, {}, rough_calibration_sums);
    const Array images = problem.coil_images();
    const CalibrationKspace kspace = problem.kspace_of(images);
    const double by_noise = is_covered ? most_noise(kspace) : std::numeric_limits<double>::infinity();
    for (int axis = 0; axis < 3; ++axis) {
        if (wide.factor[axis] > 1 && kspace.region.half_extent()[axis] > 1) {
            reach[axis] = reach_along(kspace, axis, by_noise);
        }
    }
    if (std::ranges::any_of(reach, fills_wider_field) &&
        !needs_wider_field(problem, images, wide.in_field_of_view(samples))) {
        std::ranges::replace_if(reach, fills_wider_field, unknown);
    }
    return reach;
}

}  // namespace recon
