#include "app/reconstruction/frames/frame_series.hpp"

#include <malloc.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "core/base/available_memory.hpp"
#include "core/mri/coil_parts.hpp"

namespace recon {
namespace {

/// The first frame that shares each, more of it in every place.
std::array<std::size_t, 4> first_of_kind(const Scan& scan, std::size_t index) {
    const std::vector<Frame>& frames = scan.frames;
    const Frame& frame = frames[index];
    const auto first = [&](auto&& is_like) {
        return static_cast<std::size_t>(std::find_if(frames.begin(), frames.end(), is_like) - frames.begin());
    };
    const auto same_trajectory = [&](const Frame& other) { return other.trajectory == frame.trajectory; };
    const auto same_weights = [&](const Frame& other) {
        return same_trajectory(other) && other.density_weights == frame.density_weights;
    };
    const auto same_times = [&](const Frame& other) {
        return same_weights(other) && other.sample_times_s == frame.sample_times_s;
    };
    const auto same_field_map = [&](const Frame& other) {
        return same_times(other) && (scan.off_resonance_slices.empty() || other.label.slice == frame.label.slice);
    };
    return {first(same_trajectory), first(same_weights), first(same_times), first(same_field_map)};
}

}  // namespace

std::vector<std::size_t> order_of_work(const Scan& scan) {
    std::vector<std::size_t> order(scan.frames.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<std::array<std::size_t, 4>> kind;
    for (const std::size_t i : order) {
        kind.push_back(first_of_kind(scan, i));
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return kind[a] < kind[b]; });
    return order;
}

void load_for_all(Frame& frame, Run& run) {
    if (frame.is_on_demand()) {
        if (run.ranks().in_one_process()) {
            run.from_root(Stage::read, [&] { frame.load(); });
        } else {
            run.stage(Stage::read, [&] { frame.load(); });
        }
    }
}

void release_by_all(Frame& frame, Communicator& ranks) {
    if (!frame.is_on_demand()) {
        return;
    }
    if (ranks.in_one_process()) {
        ranks.sum(0);  // nobody reads it any more
    }
    if (ranks.rank() == 0 || !ranks.in_one_process()) {
        frame.release();
        malloc_trim(0);  // or the heap keeps the holes that each frame leaves, and grows with the series
    }
}

bool first_frame_fits(const Scan& scan) {
    const Frame& first = scan.frames.front();
    if (!first.kspace.empty()) {
        return true;
    }
    const auto bytes = static_cast<std::size_t>(first.sample_count() * coils_held(scan)) * sizeof(cfloat);
    return parts_of(scan).ranks.sum(bytes < available_memory().bytes ? 0 : 1) == 0;  // that lack memory
}

std::size_t kspace_bytes_to_load(const Scan& scan, Index at_once) {
    constexpr std::size_t reading_bytes = std::size_t{8} << 20;  // of the file's library, and a batch of acquisitions
    std::size_t largest = 0;
    std::size_t loaded = 0;
    bool all_are_loaded = true;
    for (const Frame& frame : scan.frames) {
        if (frame.is_on_demand()) {
            const auto bytes = static_cast<std::size_t>(frame.sample_count() * coils_held(scan)) * sizeof(cfloat);
            largest = std::max(largest, bytes + reading_bytes);
            loaded += frame.kspace.size() * sizeof(cfloat);
            all_are_loaded = all_are_loaded && !frame.kspace.empty();
        }
    }
    const std::size_t needed = static_cast<std::size_t>(at_once) * largest;
    return all_are_loaded ? 0 : needed - std::min(needed, loaded);
}

std::map<Index, std::vector<std::size_t>> frames_of_slices(const Scan& scan) {
    std::map<Index, std::vector<std::size_t>> frames;
    for (std::size_t i = 0; i < scan.frames.size(); ++i) {
        frames[scan.frames[i].label.slice].push_back(i);
    }
    return frames;
}

Index most_frames_of_a_slice(const Scan& scan) {
    Index most = 0;
    for (const auto& [slice, frames] : frames_of_slices(scan)) {
        most = std::max<Index>(most, std::ssize(frames));
    }
    return most;
}

}  // namespace recon
