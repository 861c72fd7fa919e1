#include "core/mri/check/receiver_offset.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "core/parallel/spread_samples.hpp"

namespace recon {
namespace {

constexpr Index offset_voxels = 16, offset_samples = 256, offset_most_samples = Index{1} << 14;
constexpr std::size_t other_places = 64;

/// Those of the outer half of k-space, at most offset_most_samples, by ascending radius.
/// @param samples  of all of k-space
std::vector<Index> outer_half(const Trajectory& trajectory, const PerAxis<Index>& matrix_size,
                              const std::vector<Index>& samples) {
    std::vector<std::pair<double, Index>> outer;  // radius and sample
    double edge = 0;
    for (const Index m : samples) {
        double square = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double part = 2 * trajectory.k[axis][m] / static_cast<double>(matrix_size[axis]);
            square += matrix_size[axis] > 1 ? part * part : 0;
        }
        outer.emplace_back(std::sqrt(square), m);
        edge = std::max(edge, outer.back().first);
    }
    std::erase_if(outer, [half = std::min(1.0, edge) / 2](const auto& one) { return one.first <= half; });
    std::vector<Index> chosen = spread_samples(std::ssize(outer), offset_most_samples);
    std::ranges::sort(chosen, {}, [&](Index i) { return outer[static_cast<std::size_t>(i)]; });
    std::ranges::transform(chosen, chosen.begin(), [&](Index i) { return outer[static_cast<std::size_t>(i)].second; });
    return chosen;
}

/// Phases exp(i 2 pi k r) of the samples, of places r spread evenly over the field of view, none within two voxels of
/// its middle. [sample place]
std::vector<cfloat> phases_of_places(const Trajectory& trajectory, const PerAxis<Index>& matrix_size,
                                     const std::vector<Index>& samples) {
    constexpr double steps[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};  // of no common measure
    constexpr double near = 2;                                                                 // voxels
    std::vector<cfloat> phases(other_places * samples.size());
    std::size_t place = 0;
    for (Index n = 1; place < other_places; ++n) {
        PerAxis<double> r{};
        double distance = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double turns = steps[axis] * static_cast<double>(n);
            r[axis] = matrix_size[axis] > 1 ? turns - std::floor(turns) - 0.5 : 0;
            distance = std::max(distance, std::abs(r[axis]) * static_cast<double>(matrix_size[axis]));
        }
        if (distance < near) {
            continue;
        }
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < samples.size(); ++i) {
            const auto m = static_cast<std::size_t>(samples[i]);
            const double turns = trajectory.k[0][m] * r[0] + trajectory.k[1][m] * r[1] + trajectory.k[2][m] * r[2];
            phases[place * samples.size() + i] = cfloat(std::polar(1.0, 2 * pi * (turns - std::round(turns))));
        }
        ++place;
    }
    return phases;
}

cdouble mean(std::span<const cfloat> values) {
    return std::accumulate(values.begin(), values.end(), cdouble(0),
                           [](cdouble sum, cfloat value) { return sum + cdouble(value); }) /
           static_cast<double>(values.size());
}

std::vector<cfloat> values_of_coil(const std::vector<Index>& samples, std::span<const cfloat> coil) {
    std::vector<cfloat> values;
    for (const Index m : samples) {
        values.push_back(coil[static_cast<std::size_t>(m)]);
    }
    return values;
}

/// The mean of the outer samples where it may be an offset by its size, and is as large in both halves of them; else 0.
/// @param rms  of the samples of all of k-space
cdouble offset_by_size(std::span<const cfloat> outer, double rms) {
    constexpr double same = 0.4, least = 0.005, most = 0.5;
    const std::size_t half = outer.size() / 2;
    const cdouble offset = mean(outer);
    const double size = std::abs(offset);
    const bool may_be = size > least * rms && size < most * rms;
    return may_be && std::abs(mean(outer.first(half)) - mean(outer.subspan(half))) <= same * size ? offset : 0;
}

/// Whether it is far above what the samples have at other places. @param phases  of phases_of_places
bool is_above_other_places(cdouble offset, std::span<const cfloat> outer, const std::vector<cfloat>& phases) {
    constexpr double above_mean = 8, above_all = 3;
    double largest = 0, squares = 0;
    for (std::size_t place = 0; place < other_places; ++place) {
        cdouble sum = 0;
        for (std::size_t i = 0; i < outer.size(); ++i) {
            sum += cdouble(outer[i] * phases[place * outer.size() + i]);
        }
        const double there = std::abs(sum) / static_cast<double>(outer.size());
        largest = std::max(largest, there);
        squares += there * there;
    }
    const double usual = std::sqrt(squares / static_cast<double>(other_places));
    return std::abs(offset) > above_all * largest && std::abs(offset) > above_mean * usual;
}

void subtract(const std::vector<cdouble>& offsets, std::vector<cfloat>& kspace) {
    const std::size_t length = kspace.size() / offsets.size();
    for (std::size_t i = 0; i < kspace.size(); ++i) {
        kspace[i] -= cfloat(offsets[i / length]);
    }
}

}  // namespace

std::vector<cdouble> receiver_offsets(const AllCoils& kspace, const Trajectory& trajectory,
                                      const PerAxis<Index>& matrix_size) {
    std::vector<double> parts(static_cast<std::size_t>(2 * kspace.coil_count()), 0.0);
    std::vector<cdouble> offsets(static_cast<std::size_t>(kspace.coil_count()));
    const std::vector<Index> everywhere = spread_samples(trajectory.sample_count(), 4 * offset_most_samples);
    const std::vector<Index> samples = outer_half(trajectory, matrix_size, everywhere);
    if (std::ssize(samples) < offset_samples || std::ranges::max(matrix_size) < offset_voxels) {
        return offsets;
    }
    const Share& here = kspace.here();
#pragma omp parallel for schedule(dynamic)
    for (Index coil = here.first; coil < here.first + here.count; ++coil) {
        const std::vector<cfloat> all = values_of_coil(everywhere, kspace.coil(coil));
        const double energy = std::accumulate(all.begin(), all.end(), 0.0,
                                              [](double sum, cfloat value) { return sum + std::norm(cdouble(value)); });
        offsets[static_cast<std::size_t>(coil)] = offset_by_size(
            values_of_coil(samples, kspace.coil(coil)), std::sqrt(energy / static_cast<double>(everywhere.size())));
    }
    if (!coils_of(offsets).empty()) {
        const std::vector<cfloat> phases = phases_of_places(trajectory, matrix_size, samples);
#pragma omp parallel for schedule(dynamic)
        for (Index coil = here.first; coil < here.first + here.count; ++coil) {
            const cdouble offset = offsets[static_cast<std::size_t>(coil)];
            if (offset != 0.0 && is_above_other_places(offset, values_of_coil(samples, kspace.coil(coil)), phases)) {
                parts[static_cast<std::size_t>(2 * coil)] = offset.real();
                parts[static_cast<std::size_t>(2 * coil + 1)] = offset.imag();
            }
        }
    }
    kspace.sum(parts);
    for (std::size_t coil = 0; coil < offsets.size(); ++coil) {
        offsets[coil] = {parts[2 * coil], parts[2 * coil + 1]};
    }
    return offsets;
}

std::vector<Index> coils_of(const std::vector<cdouble>& offsets) {
    std::vector<Index> coils;
    for (std::size_t coil = 0; coil < offsets.size(); ++coil) {
        if (offsets[coil] != 0.0) {
            coils.push_back(static_cast<Index>(coil));
        }
    }
    return coils;
}

void remove_receiver_offsets(Scan& scan,
                             const std::function<void(Index frame, const std::vector<Index>& coils)>& found) {
    for (std::size_t i = 0; i < scan.frames.size(); ++i) {
        Frame& frame = scan.frames[i];
        transform_kspace(frame, [i, found, trajectory = frame.trajectory,
                                 size = scan.geometry.matrix_size](std::vector<cfloat>& kspace) {
            const Index coil_count = std::ssize(kspace) / trajectory->sample_count();
            const std::vector<cdouble> offsets = receiver_offsets({kspace, coil_count}, *trajectory, size);
            if (const std::vector<Index> coils = coils_of(offsets); !coils.empty()) {
                subtract(offsets, kspace);
                if (found) {
                    found(static_cast<Index>(i), coils);
                }
            }
        });
    }
    if (!scan.noise.empty()) {
        const std::size_t length = scan.noise.size() / static_cast<std::size_t>(scan.coil_count);
        std::vector<cdouble> means;
        for (std::size_t first = 0; first < scan.noise.size(); first += length) {
            means.push_back(mean(std::span<const cfloat>(scan.noise).subspan(first, length)));
        }
        subtract(means, scan.noise);
    }
}

}  // namespace recon
