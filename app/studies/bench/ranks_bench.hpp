#pragma once

#include <vector>

#include "app/studies/bench/bench.hpp"
#include "core/devices/team.hpp"

namespace recon {

/// What messages between the ranks of a team take: the meeting of all, the way of a few bytes and of many from rank 1
/// to rank 0, sums of arrays of three sizes, whose values are checked. Every rank calls it; the rows are rank 0's.
/// @throws CheckFailed if a sum is wrong
std::vector<BenchRow> bench_ranks(const Team& team);

}  // namespace recon
