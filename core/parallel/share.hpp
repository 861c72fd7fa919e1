#pragma once

#include "core/base/types.hpp"

namespace recon {

/// A range of things that one rank takes.
struct Share {
    Index first = 0;
    Index count = 0;
};

/// Consecutive, disjoint shares of `total` things, which differ by one at most; the last ones are empty where there are
/// more ranks than things.
Share share_of(Index total, int rank, int rank_count);

}  // namespace recon
