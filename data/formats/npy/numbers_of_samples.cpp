#include "data/formats/npy/numbers_of_samples.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/error.hpp"

namespace recon {
namespace {

/// The last axes of k-space, which are those of its samples: [sample] or [readout, sample].
std::vector<Index> axes_of_samples(const StoredArray& kspace, Index sample_count) {
    std::vector<Index> axes;
    Index covered = 1;
    for (auto extent = kspace.extents.rbegin(); extent != kspace.extents.rend() && covered < sample_count; ++extent) {
        axes.insert(axes.begin(), *extent);
        covered *= *extent;
    }
    return axes;
}

}  // namespace

std::vector<Index> without_ones(std::vector<Index> extents) {
    std::erase(extents, 1);
    return extents;
}

NumbersOfSamples::NumbersOfSamples(const NpyArrays& arrays, const std::string& name, const StoredTrajectory& trajectory,
                                   const StoredArray& kspace, Index frame_count) {
    if (!arrays.has(name)) {
        return;
    }
    StoredArray array = arrays.read(name);
    const Index count = trajectory.frames.front()->sample_count();
    const Index length = trajectory.samples_per_readout > 0 ? trajectory.samples_per_readout : count;
    const std::vector<Index> found = without_ones(array.extents), of_kspace = axes_of_samples(kspace, count);
    const std::vector<std::vector<Index>> known{{count / length, length}, of_kspace};
    const bool is_a_list = found.size() <= 1;  // whose number is looked at with those of all formats
    const bool is_of_all =
        is_a_list || std::ranges::any_of(known, [&](const auto& axes) { return found == without_ones(axes); });
    const bool is_of_each = !is_of_all && std::ranges::any_of(known, [&](std::vector<Index> axes) {
        axes.insert(axes.begin(), frame_count);
        return found == without_ones(axes);
    });
    if (!is_of_all && !is_of_each) {
        throw InputError(fmt::format("{}: is {}, expected [{}], as {} has samples{}", array.where, array.extents_text(),
                                     fmt::join(of_kspace, ", "), kspace.where,
                                     frame_count > 1 ? ", or as much of each frame" : ""));
    }
    const std::vector<double> values = array.take_real();
    const std::size_t part = is_of_each ? values.size() / static_cast<std::size_t>(frame_count) : values.size();
    for (auto first = values.begin(); first != values.end(); first += static_cast<std::ptrdiff_t>(part)) {
        lists_.emplace_back(std::vector<float>(first, first + static_cast<std::ptrdiff_t>(part)));
    }
}

}  // namespace recon
