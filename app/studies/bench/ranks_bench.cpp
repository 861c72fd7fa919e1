#include "app/studies/bench/ranks_bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/stopwatch.hpp"
#include "core/processes/process_group.hpp"

namespace recon {
namespace {

/// Median of the seconds of one call, of rounds that all ranks begin together. A round of what is short is many in a
/// row: who comes late to a single one does not see the others wait.
double median_of_ranks(Communicator& ranks, int rounds, int in_a_row, const std::function<void()>& work) {
    std::vector<double> seconds;
    for (int round = 0; round < rounds + 1; ++round) {
        ranks.sum(0);
        const Stopwatch watch;
        for (int i = 0; i < in_a_row; ++i) {
            work();
        }
        seconds.push_back(watch.seconds() / in_a_row);
    }
    seconds.erase(seconds.begin());  // warms up
    std::ranges::sort(seconds);
    return seconds[seconds.size() / 2];
}

BenchRow bench_sum(const Team& team, Index voxels) {
    Communicator& ranks = *team.ranks.front();
    Backend& backend = team.first();
    Array array(backend, {{"voxel", voxels}}, Precision::single);
    const double seconds = median_of_ranks(ranks, 5, voxels > 1'000'000 ? 1 : 10, [&] {
        ranks.all_reduce_sum(array);
        backend.synchronize();
    });
    backend.fill(1.0 + ranks.rank(), array);
    ranks.all_reduce_sum(array);
    const double expected = 0.5 * ranks.size() * (ranks.size() + 1);
    const std::vector<cfloat> sums = download<float>(array);
    double error = 0;
    for (const cfloat sum : sums) {
        error = std::max(error, std::abs(static_cast<double>(sum.real()) - expected));
    }
    if (error > 0) {
        throw CheckFailed(fmt::format("the sum of {} ranks over {} voxels is off by {}", ranks.size(), voxels, error));
    }
    const double bytes = static_cast<double>(voxels) * sizeof(cfloat);
    // Each rank sends and receives its share to and from all others, twice.
    const double moved = 2 * bytes * (ranks.size() - 1) / ranks.size();
    return {.work = "all-reduce",
            .size = fmt::format("{} complex numbers, {} ranks", voxels, ranks.size()),
            .seconds = seconds,
            .rate = 1e-9 * moved / seconds,
            .rate_unit = "GB/s sent and received by a rank"};
}

BenchRow bench_message(ProcessGroup& group, Communicator& ranks, std::size_t bytes) {
    std::vector<std::byte> memory(bytes);
    const double seconds = median_of_ranks(ranks, 10, bytes > 100'000 ? 1 : 100, [&] {
        std::byte question{};
        group.broadcast({&question, 1});
        group.copy_to_root(1, memory);
    });
    return {.work = "question and answer",
            .size = fmt::format("{} bytes", bytes),
            .seconds = seconds,
            .rate = bytes > 100'000 ? 1e-9 * static_cast<double>(bytes) / seconds : 0,
            .rate_unit = "GB/s"};
}

}  // namespace

std::vector<BenchRow> bench_ranks(const Team& team) {
    Communicator& ranks = *team.ranks.front();
    std::vector<BenchRow> rows;
    rows.push_back({.work = "meeting",
                    .size = fmt::format("{} ranks", ranks.size()),
                    .seconds = median_of_ranks(ranks, 10, 100, [&] { ranks.sum(1); })});
    for (const std::size_t bytes : {std::size_t{8}, std::size_t{16} << 20}) {
        rows.push_back(bench_message(*team.processes, ranks, bytes));
    }
    for (const Index voxels : {Index{64 * 64}, Index{64 * 64 * 64}, Index{192 * 192 * 192}}) {
        rows.push_back(bench_sum(team, voxels));
    }
    return rows;
}

}  // namespace recon
