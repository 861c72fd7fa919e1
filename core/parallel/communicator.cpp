#include "core/parallel/communicator.hpp"

#include <algorithm>

namespace recon {

Communicator& only_rank() {
    static SelfCommunicator self;
    return self;
}

Share share_of(Index total, const Communicator& ranks) { return share_of(total, ranks.rank(), ranks.size()); }

Share share_of(Index total, int rank, int rank_count) {
    const Index each = total / rank_count;
    const Index longer_count = total % rank_count;
    return {rank * each + std::min<Index>(rank, longer_count), each + (rank < longer_count ? 1 : 0)};
}

}  // namespace recon
