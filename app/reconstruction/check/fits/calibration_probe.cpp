#include "app/reconstruction/check/fits/calibration_probe.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "core/base/available_memory.hpp"
#include "core/base/quantile.hpp"
#include "core/base/shape.hpp"
#include "core/mri/all_coils.hpp"
#include "core/mri/coils/unit_maps.hpp"
#include "core/mri/grids/resample.hpp"

namespace recon {
namespace {

constexpr Index most_probed_coils = 8;

int axis_count(const PerAxis<Index>& matrix_size) {
    return static_cast<int>(std::count_if(matrix_size.begin(), matrix_size.end(), [](Index n) { return n > 1; }));
}

constexpr std::array<Index, 4> coarse_voxels{1, 64, 32, 16};  // along an axis of images with so many axes
constexpr std::array<Index, 4> sharp_voxels{1, 96, 48, 18};

PerAxis<Index> coarse_matrix(const PerAxis<Index>& matrix_size, const std::array<Index, 4>& most_voxels) {
    const Index most = most_voxels[axis_count(matrix_size)];
    PerAxis<Index> coarse{};
    std::transform(matrix_size.begin(), matrix_size.end(), coarse.begin(),
                   [&](Index extent) { return std::min(extent, most); });
    return coarse;
}

/// The coils of the most energy in these samples, those of none left out, in ascending order.
std::vector<Index> strongest_coils(const AllCoils& kspace, const std::vector<Index>& samples,
                                   const std::vector<Index>& left_out) {
    const std::vector<double> energy = kspace.of_each([&](std::span<const cfloat> coil) {
        double sum = 0;
        for (const Index m : samples) {
            sum += std::norm(cdouble(coil[static_cast<std::size_t>(m)]));
        }
        return sum;
    });
    std::vector<Index> coils(energy.size());
    std::iota(coils.begin(), coils.end(), 0);
    std::erase_if(coils, [&](Index coil) {
        return !(energy[coil] > 0) || std::binary_search(left_out.begin(), left_out.end(), coil);
    });
    std::stable_sort(coils.begin(), coils.end(), [&](Index a, Index b) { return energy[a] > energy[b]; });
    coils.resize(std::min<std::size_t>(coils.size(), most_probed_coils));
    std::sort(coils.begin(), coils.end());
    return coils;
}

std::vector<Index> all_of(Index count) {
    std::vector<Index> numbers(static_cast<std::size_t>(count));
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

/// Samples of every stride-th pair of readouts, so that what alternates from readout to readout is there.
std::vector<Index> chosen_samples(const Scan& scan, const Frame& frame, const PerAxis<Index>& matrix_size) {
    const Index sample_count = frame.sample_count();
    Index inside = 0;
#pragma omp parallel for schedule(static) reduction(+ : inside)
    for (Index m = 0; m < sample_count; ++m) {
        inside += is_in_band(*frame.trajectory, m, matrix_size) ? 1 : 0;
    }
    constexpr Index enough_for_a_voxel = 6;
    const Index enough = enough_for_a_voxel * Shape::image(matrix_size).element_count();
    const Index length = scan.samples_per_readout > 0 ? scan.samples_per_readout : 1;
    const Index stride = std::max<Index>(1, inside / std::max<Index>(1, enough));
    std::vector<Index> chosen;
    for (Index pair = 0; pair < sample_count; pair += 2 * length * stride) {
        for (Index m = pair; m < std::min(pair + 2 * length, sample_count); ++m) {
            chosen.push_back(m);
        }
    }
    return chosen;
}

/// Maps are smooth: every stride-th voxel of a fine grid tells them. The middle voxel, floor(N / 2), is among these.
struct Thinned {
    std::vector<cfloat> map;
    PerAxis<Index> size;
};

Thinned thinned(std::span<const cfloat> map, const PerAxis<Index>& size, const PerAxis<Index>& coarse) {
    PerAxis<Index> stride{}, start{};
    Thinned result;
    for (int axis = 0; axis < 3; ++axis) {
        stride[axis] = 1;
        for (Index s = size[axis] / (2 * coarse[axis]); s > 1 && stride[axis] == 1; --s) {
            stride[axis] = size[axis] % (2 * s) == 0 ? s : 1;
        }
        result.size[axis] = size[axis] / stride[axis];
        start[axis] = size[axis] / 2 - stride[axis] * (result.size[axis] / 2);
    }
    for (Index z = start[2]; z < size[2]; z += stride[2]) {
        for (Index y = start[1]; y < size[1]; y += stride[1]) {
            for (Index x = start[0]; x < size[0]; x += stride[0]) {
                result.map.push_back(map[static_cast<std::size_t>((z * size[1] + y) * size[0] + x)]);
            }
        }
    }
    return result;
}

/// Of all coils.
std::vector<cfloat> coarse_maps(const Scan& scan, const Geometry& coarse) {
    const AllCoils fine_maps(scan, scan.coil_maps);
    const Share& here = fine_maps.here();
    const auto offset = static_cast<std::size_t>(offset_of_coil_map(scan, scan.frames.front().label.slice));
    Geometry fine, target;  // the same field of view, whatever it is
    fine.field_of_view_mm = target.field_of_view_mm = {1, 1, 1};
    target.matrix_size = coarse.matrix_size;
    std::vector<Thinned> thin(static_cast<std::size_t>(here.count));
#pragma omp parallel for schedule(dynamic)
    for (Index coil = 0; coil < here.count; ++coil) {
        thin[static_cast<std::size_t>(coil)] =
            thinned(fine_maps.coil(here.first + coil).subspan(offset), scan.geometry.matrix_size, target.matrix_size);
    }
    std::vector<cfloat> maps;
    for (const Thinned& of_coil : thin) {
        fine.matrix_size = of_coil.size;
        const std::vector<cfloat> resampled =
            resample<cfloat>(std::span<const cfloat>(of_coil.map), fine, target, "coil maps").voxels;
        maps.insert(maps.end(), resampled.begin(), resampled.end());
    }
    return fine_maps.with(maps).everything();
}

/// Coarse maps of some coils.
std::vector<cfloat> maps_of_probe(const Scan& scan, const Geometry& coarse, const std::vector<Index>& coils) {
    std::vector<cfloat> maps = numbers_of_coils(coarse_maps(scan, coarse), scan.coil_count, coils);
    divide_by_root_sum_of_squares(maps, std::ssize(coils));
    return maps;
}

/// The sizes of the coils' maps, at least the median, where one is many times that: beside such a coil the others weigh
/// nothing in a fit, and a few iterations fit it badly where it sees little. Empty where there is none.
std::vector<float> far_gains(const std::vector<cfloat>& maps, Index coil_count) {
    constexpr float far = 4;
    const Index length = std::ssize(maps) / coil_count;
    std::vector<float> sizes;
    for (Index coil = 0; coil < coil_count; ++coil) {
        const auto begin = maps.begin() + coil * length;
        sizes.push_back(std::sqrt(std::transform_reduce(begin, begin + length, 0.0F, std::plus<>(),
                                                        [](cfloat value) { return std::norm(value); })));
    }
    const float median = quantile(sizes, 0.5);
    if (!(median > 0 && *std::ranges::max_element(sizes) > far * median)) {
        return {};
    }
    for (float& size : sizes) {
        size = std::max(size, median);
    }
    return sizes;
}

void divide_by(const std::vector<float>& gains, std::vector<cfloat>& values) {
    for (std::size_t i = 0; !gains.empty() && i < values.size(); ++i) {
        values[i] /= gains[i * gains.size() / values.size()];
    }
}

}  // namespace

std::vector<cfloat> numbers_of_coils(const std::vector<cfloat>& all, Index coil_count,
                                     const std::vector<Index>& coils) {
    const Index length = std::ssize(all) / coil_count;
    std::vector<cfloat> chosen;
    chosen.reserve(static_cast<std::size_t>(std::ssize(coils) * length));
    for (const Index coil : coils) {
        chosen.insert(chosen.end(), all.begin() + coil * length, all.begin() + (coil + 1) * length);
    }
    return chosen;
}

bool is_in_band(const Trajectory& trajectory, Index m, const PerAxis<Index>& matrix_size) {
    for (int axis = 0; axis < 3; ++axis) {
        if (matrix_size[axis] > 1 && std::abs(trajectory.k[axis][m]) > static_cast<double>(matrix_size[axis]) / 2) {
            return false;
        }
    }
    return true;
}

CalibrationProbe calibration_probe(const Scan& scan, const Frame& first, ProbeCoils which,
                                   const std::vector<Index>& left_out) {
    Scan probe;
    probe.path = scan.path;
    probe.geometry = scan.geometry;
    probe.geometry.matrix_size = coarse_matrix(scan.geometry.matrix_size, coarse_voxels);
    probe.samples_per_readout = scan.samples_per_readout;
    const std::vector<Index> samples = chosen_samples(scan, first, probe.geometry.matrix_size);
    const AllCoils kspace(scan, first.kspace);
    std::vector<Index> coils = strongest_coils(kspace, samples, left_out);
    if (which == ProbeCoils::all || coils.empty()) {
        coils = all_of(scan.coil_count);
    }
    probe.coil_count = static_cast<Index>(coils.size());
    constexpr std::size_t copies = 6;  // the probe, a changed one, and what is fitted to it
    require_available_memory(copies * samples.size() * (coils.size() * sizeof(cfloat) + 3 * sizeof(double)),
                             scan.path + ": a look at " + std::to_string(coils.size()) + " coils");
    auto trajectory = std::make_shared<Trajectory>();
    for (int axis = 0; axis < 3; ++axis) {
        std::vector<double>& k = trajectory->k[axis];
        k.resize(samples.size());
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < samples.size(); ++i) {
            k[i] = first.trajectory->k[axis][samples[i]];
        }
    }
    Frame frame;
    frame.trajectory = trajectory;
    frame.kspace = numbers_of_coils(kspace.at(samples), scan.coil_count, coils);
    probe.frames.push_back(std::move(frame));
    std::vector<float> gains;
    if (!scan.coil_maps.empty()) {
        probe.coil_maps = maps_of_probe(scan, probe.geometry, coils);
        gains = far_gains(probe.coil_maps, probe.coil_count);
        divide_by(gains, probe.coil_maps);
        divide_by(gains, probe.frames.front().kspace);
    }
    return {std::move(probe), std::move(coils), samples, std::move(gains)};
}

Scan sharper(const CalibrationProbe& probe, const Scan& scan) {
    Scan sharp = probe.scan;
    sharp.geometry.matrix_size = coarse_matrix(scan.geometry.matrix_size, sharp_voxels);
    if (!scan.coil_maps.empty()) {
        sharp.coil_maps = maps_of_probe(scan, sharp.geometry, probe.coils);
        divide_by(probe.gains, sharp.coil_maps);
    }
    return sharp;
}

std::vector<Index> weaker_coils(const Scan& probe) {
    const Frame& frame = probe.frames.front();
    const std::vector<Index> strong = strongest_coils({probe, frame.kspace}, all_of(frame.sample_count()), {});
    std::vector<Index> weak = all_of(probe.coil_count);
    std::erase_if(weak, [&](Index coil) { return std::binary_search(strong.begin(), strong.end(), coil); });
    return weak;
}

}  // namespace recon
