#include "app/reconstruction/frames/frame_division.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/reconstruction/frames/frame_series.hpp"
#include "core/base/error.hpp"
#include "core/parallel/division.hpp"

namespace recon {

bool divides_frames(const Scan& scan, Index rank_count, const ReconstructOptions& options) {
    const bool apart = options.regularisation.coupling_term() == nullptr;
    if (options.divide == RankDivision::frames && !apart) {
        throw UsageError(fmt::format("`divide` frames: `prior` {} ties the frames together; divide coils",
                                     options.regularisation.coupling_term()->prior));
    }
    if (options.divide != RankDivision::automatic) {
        return options.divide == RankDivision::frames;
    }
    // Of the time of all processes, so much is lost to coils that wait for each other; found on one host.
    constexpr double worth_the_wait = 0.8;
    const Index frame_count = std::ssize(scan.frames);
    const Index most = (frame_count + rank_count - 1) / rank_count;
    return apart && static_cast<double>(frame_count) >= worth_the_wait * static_cast<double>(most * rank_count);
}

std::vector<std::vector<std::size_t>> frames_of_ranks(const Scan& scan, int rank_count) {
    const std::vector<std::size_t> order = order_of_work(scan.frames);
    std::vector<std::vector<std::size_t>> result;
    for (int rank = 0; rank < rank_count; ++rank) {
        result.push_back(part_of(order, share_of(std::ssize(order), rank, rank_count)));
    }
    return result;
}

void release_others(Scan& scan, const std::vector<std::size_t>& own) {
    for (std::size_t i = 0; i < scan.frames.size(); ++i) {
        if (std::ranges::find(own, i) == own.end()) {
            scan.frames[i].release();
        }
    }
}

const Frame& frame_of_coil_maps(const Scan& scan, Index slice) {
    const std::vector<std::size_t> order = order_of_work(scan.frames);
    return scan.frames[*std::ranges::find_if(
        order, [&](std::size_t frame) { return scan.frames[frame].label.slice == slice; })];
}

}  // namespace recon
