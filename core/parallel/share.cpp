#include "core/parallel/share.hpp"

#include <algorithm>

namespace recon {

Share share_of(Index total, int rank, int rank_count) {
    const Index each = total / rank_count;
    const Index longer_count = total % rank_count;
    return {rank * each + std::min<Index>(rank, longer_count), each + (rank < longer_count ? 1 : 0)};
}

}  // namespace recon
