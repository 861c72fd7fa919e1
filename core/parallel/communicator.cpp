#include "core/parallel/communicator.hpp"

#include <algorithm>

namespace recon {

Communicator& only_rank() {
    static SelfCommunicator self;
    return self;
}

Share share_of(Index total, const Communicator& ranks) {
    const Index each = total / ranks.size();
    const Index longer_count = total % ranks.size();
    return {ranks.rank() * each + std::min<Index>(ranks.rank(), longer_count),
            each + (ranks.rank() < longer_count ? 1 : 0)};
}

}  // namespace recon
