#include "core/mri/kspace_excerpt.hpp"

#include <algorithm>
#include <cmath>

namespace recon {
namespace {

/// `count` of the numbers below `total`, none near another: multiples of the golden ratio, modulo 1. Steps of equal
/// length could meet the same partition or angle again and again.
std::vector<Index> spread(Index total, Index count) {
    constexpr double golden = 0.6180339887498949;
    std::vector<Index> numbers;
    if (count >= total) {
        for (Index i = 0; i < total; ++i) {
            numbers.push_back(i);
        }
        return numbers;
    }
    for (Index i = 0; i < count; ++i) {
        const double turns = static_cast<double>(i) * golden;
        numbers.push_back(static_cast<Index>((turns - std::floor(turns)) * static_cast<double>(total)));
    }
    return numbers;
}

}  // namespace

KspaceExcerpt KspaceExcerpt::of(const AllCoils& kspace, const Trajectory& trajectory, Index samples_per_readout,
                                Index most_samples) {
    const Index sample_count = trajectory.sample_count();
    const bool has_readouts = samples_per_readout > 0 && sample_count % samples_per_readout == 0;
    const Index length = has_readouts ? samples_per_readout : 1;
    const std::vector<Index> readouts = spread(sample_count / length, std::max<Index>(1, most_samples / length));
    KspaceExcerpt excerpt;
    excerpt.coil_count = kspace.coil_count();
    excerpt.samples_per_readout = has_readouts ? length : 0;
    excerpt.share = static_cast<double>(std::ssize(readouts) * length) / static_cast<double>(sample_count);
    for (int axis = 0; axis < 3; ++axis) {
        for (const Index readout : readouts) {
            const auto begin = trajectory.k[axis].begin() + readout * length;
            excerpt.trajectory.k[axis].insert(excerpt.trajectory.k[axis].end(), begin, begin + length);
        }
    }
    std::vector<Index> samples;
    for (const Index readout : readouts) {
        for (Index m = readout * length; m < (readout + 1) * length; ++m) {
            samples.push_back(m);
        }
    }
    excerpt.kspace = kspace.at(samples);
    return excerpt;
}

}  // namespace recon
