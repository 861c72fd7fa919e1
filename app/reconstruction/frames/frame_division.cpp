#include "app/reconstruction/frames/frame_division.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "app/reconstruction/frames/frame_series.hpp"
#include "core/base/error.hpp"
#include "core/mri/coil_parts.hpp"
#include "core/parallel/division.hpp"

namespace recon {
namespace {

/// The most that one of so many ranks gets.
Index largest_share(Index coil_count, Index rank_count) {
    return share_of(coil_count, 0, static_cast<int>(rank_count)).count;
}

/// An iteration of one frame, in times of one coil: coils are shared out, what is done with whole images is not.
double predicted_iteration(Index coil_count, Index rank_count) {
    // Beside one coil on the Toeplitz grid; between ranks of one host, CPUs and GPUs alike (docs/scaling.md).
    constexpr double images = 1;
    constexpr double sum_over_ranks = 0.5;
    return static_cast<double>(largest_share(coil_count, rank_count)) + images + (rank_count > 1 ? sum_over_ranks : 0);
}

struct Load {
    Index frame_count = 0;
    double time = 0;
};

/// What each group gets: one frame after the other goes to the group that would have it done first.
std::vector<Load> loads_of_groups(Index frame_count, Index coil_count, const RankGroups& groups) {
    using NextEnd = std::pair<double, std::size_t>;  // when a group would be done with another frame
    std::vector<double> iteration;
    std::priority_queue<NextEnd, std::vector<NextEnd>, std::greater<>> next;
    for (int group = 0; group < groups.group_count; ++group) {
        iteration.push_back(predicted_iteration(coil_count, groups.ranks_of(group).count));
        next.emplace(iteration.back(), iteration.size() - 1);
    }
    std::vector<Load> loads(iteration.size());
    for (Index frame = 0; frame < frame_count; ++frame) {
        const auto [time, group] = next.top();
        next.pop();
        loads[group] = {loads[group].frame_count + 1, time};
        next.emplace(time + iteration[group], group);
    }
    return loads;
}

/// Of the group that is done last.
double predicted_time(Index frame_count, Index coil_count, const RankGroups& groups) {
    return std::ranges::max(loads_of_groups(frame_count, coil_count, groups), {}, &Load::time).time;
}

/// Of a rank, about: k-space and maps of its coils, the grids of those computed at a time, images and Q.
std::size_t predicted_bytes(const Scan& scan, Index rank_count) {
    constexpr Index image_count = 16;
    constexpr Index most_grids = 8;
    const Index coils = can_be_held_in_parts(scan) ? largest_share(scan.coil_count, rank_count) : scan.coil_count;
    Index voxels = 1, grid = 1;
    for (const Index size : scan.geometry.matrix_size) {
        voxels *= size;
        grid *= size > 1 ? 2 * size : 1;
    }
    const Index samples = std::ranges::max_element(scan.frames, {}, &Frame::sample_count)->sample_count();
    return sizeof(cfloat) * static_cast<std::size_t>((samples + voxels) * coils + grid * std::min(most_grids, coils) +
                                                     image_count * voxels + grid);
}

/// Both ends, and groups of two ranks at least, each with a frame.
std::vector<int> group_counts(RankDivision divide, int rank_count, Index frame_count, PartialImage partial) {
    std::vector<int> counts;
    for (int count = 1; count <= rank_count; ++count) {
        const bool is_nested =
            count > 1 && 2 * count <= rank_count && count <= frame_count && partial == PartialImage::discard;
        const bool is_an_end = count == 1 || count == rank_count;
        if (is_nested || (divide == RankDivision::automatic && is_an_end)) {
            counts.push_back(count);
        }
    }
    return counts;
}

/// The fewest messages among those that the prediction hardly tells apart.
RankGroups quickest(const Scan& scan, int rank_count, const std::vector<int>& counts, std::size_t bytes_of_rank) {
    constexpr double as_quick = 1.1;
    const Index frame_count = std::ssize(scan.frames);
    RankGroups best{rank_count, counts.front()};
    double least = predicted_time(frame_count, scan.coil_count, best);
    for (const int count : counts) {
        const RankGroups groups{rank_count, count};
        const double time = predicted_time(frame_count, scan.coil_count, groups);
        const bool fits = predicted_bytes(scan, groups.ranks_of(count - 1).count) <= bytes_of_rank;
        if (fits && time <= as_quick * least) {
            best = groups;
            least = std::min(least, time);
        }
    }
    return best;
}

}  // namespace

RankGroups divide_ranks(const Scan& scan, int rank_count, const ReconstructOptions& options, std::size_t bytes_of_rank,
                        PartialImage partial) {
    const RankDivision divide = options.divide;
    const auto coupling = options.regularisation.coupling_term();
    const bool asks_for_frames = divide == RankDivision::frames || divide == RankDivision::frames_and_coils;
    if (asks_for_frames && coupling != nullptr) {
        throw UsageError(
            fmt::format("`divide` frames: `prior` {} ties the frames together; divide coils", coupling->prior));
    }
    if (divide == RankDivision::frames) {
        return {rank_count, rank_count};
    }
    if (divide == RankDivision::coils || coupling != nullptr) {
        return {rank_count, 1};
    }
    const std::vector<int> counts = group_counts(divide, rank_count, std::ssize(scan.frames), partial);
    if (counts.empty() && partial == PartialImage::keep) {
        throw UsageError(
            "`divide` frames,coils: groups keep no image of a run that is stopped (`keep_partial`); divide one of the "
            "two");
    }
    if (counts.empty()) {
        throw UsageError(
            fmt::format("`divide` frames,coils: {} ranks for {} frames; give four ranks and two frames "
                        "at least, or divide one of the two",
                        rank_count, scan.frames.size()));
    }
    return quickest(scan, rank_count, counts, bytes_of_rank);
}

std::string text_of_division(const RankGroups& groups, const Scan& scan) {
    const std::size_t frames = scan.frames.size();
    return groups.is_nested()
               ? fmt::format("{} divide {} frames, each group the coils of its own", groups.text(), frames)
               : fmt::format("{} processes divide {} frames", groups.rank_count, frames);
}

std::vector<std::vector<std::size_t>> frames_of_groups(const Scan& scan, const RankGroups& groups) {
    const std::vector<std::size_t> order = order_of_work(scan);
    std::vector<std::vector<std::size_t>> result;
    Index first = 0;
    for (const Load& load : loads_of_groups(std::ssize(order), scan.coil_count, groups)) {
        result.push_back(part_of(order, Share{first, load.frame_count}));
        first += load.frame_count;
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

std::size_t first_of_slice(const Scan& scan, Index slice) {
    const std::vector<std::size_t> order = order_of_work(scan);
    return *std::ranges::find_if(order, [&](std::size_t frame) { return scan.frames[frame].label.slice == slice; });
}

}  // namespace recon
