#include "core/parallel/cpu_communicator.hpp"

#include "core/parallel/rank_meeting.hpp"

namespace recon {
namespace {

class CpuCommunicator final : public Communicator {
public:
    CpuCommunicator(std::shared_ptr<RankMeeting> meeting, int rank) : meeting_(std::move(meeting)), rank_(rank) {}

    int rank() const override { return rank_; }
    int size() const override { return meeting_->size(); }

    void all_reduce_sum(ArrayView array) override {
        const auto offers = meeting_->exchange(rank_, {array.address(), array.size()});
        with_precision(array.precision(), [&](auto tag) { add_up_share<decltype(tag)>(offers); });
        meeting_->wait();
    }
    void all_reduce_sum(std::span<double> values) override { meeting_->sum(rank_, values); }
    void broadcast(std::span<std::byte> bytes) override { meeting_->broadcast(rank_, bytes); }
    void abort() noexcept override { meeting_->abort(); }

private:
    /// Each element has one rank that adds it up, and writes the sum to all arrays.
    template <class T>
    void add_up_share(std::span<const RankMeeting::Offer> arrays) const {
        const Share share = share_of(arrays.front().size, *this);
        for (Index i = share.first; i < share.first + share.count; ++i) {
            cdouble sum = 0;
            for (const RankMeeting::Offer& array : arrays) {
                sum += cdouble(static_cast<const std::complex<T>*>(array.data)[i]);
            }
            for (const RankMeeting::Offer& array : arrays) {
                static_cast<std::complex<T>*>(array.data)[i] = static_cast<std::complex<T>>(sum);
            }
        }
    }

    std::shared_ptr<RankMeeting> meeting_;
    int rank_;
};

}  // namespace

std::vector<std::unique_ptr<Communicator>> make_cpu_communicators(int size) {
    const auto meeting = std::make_shared<RankMeeting>(size);
    std::vector<std::unique_ptr<Communicator>> ranks;
    for (int rank = 0; rank < size; ++rank) {
        ranks.push_back(std::make_unique<CpuCommunicator>(meeting, rank));
    }
    return ranks;
}

}  // namespace recon
