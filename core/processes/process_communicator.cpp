// Mirrors core/parallel/cpu_communicator.cpp.
#include "core/processes/process_communicator.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "core/processes/process_group.hpp"

namespace recon {
namespace {

/// Of the numbers that are added up at a time: so much comes from the other ranks beside the array, whatever its size.
constexpr std::size_t most_summed_bytes = std::size_t{4} << 20;
/// As many or fewer go from everyone to everyone, in one step; more to the rank that adds them up, and from there to
/// all.
constexpr std::size_t few_bytes = 1024;

template <class T>
std::span<const std::byte> bytes_of(std::span<T> values) {
    return std::as_bytes(values);
}

class ProcessCommunicator final : public Communicator {
public:
    ProcessCommunicator(ProcessGroup& group, const Share& ranks)
        : group_(group),
          transport_(group.transport()),
          first_(static_cast<int>(ranks.first)),
          size_(static_cast<int>(ranks.count)) {}

    int rank() const override { return transport_.rank() - first_; }
    int size() const override { return size_; }
    bool in_one_process() const override { return false; }

    void all_reduce_sum(ArrayView array) override {
        with_precision(array.precision(), [&](auto tag) {
            using T = decltype(tag);
            sum(std::span<T>(static_cast<T*>(array.address()), 2 * static_cast<std::size_t>(array.size())));
        });
    }
    void all_reduce_sum(std::span<double> values) override { sum(values); }
    void broadcast(std::span<std::byte> bytes) override { group_.broadcast(bytes, {first_, size_}); }
    void abort() noexcept override { group_.announce_failure(); }

private:
    /// The sums of one piece are on their way while the numbers of the next one come.
    template <class T>
    void sum(std::span<T> values) {
        if (size() == 1) {
            return;
        }
        const bool everything = values.size_bytes() <= few_bytes;
        const std::size_t most = most_summed_bytes / sizeof(T);
        std::size_t first = 0;
        do {  // once for nothing at all, too: a meeting
            const std::span<T> piece = values.subspan(first, std::min(most, values.size() - first));
            const std::span<T> mine = everything ? piece : share_of_rank(piece, rank());
            exchange(piece, mine, everything);
            group_.wait();
            add_up(mine);
            if (!everything) {
                send_sums(piece, mine);
            }
            first += piece.size();
        } while (first < values.size());
        group_.wait();
    }

    /// Begins to send to each rank what it adds up, and to receive what this one does.
    template <class T>
    void exchange(std::span<T> values, std::span<T> mine, bool everything) {
        of_others_.resize(std::max(of_others_.size(), mine.size_bytes() * static_cast<std::size_t>(size())));
        for (int other = 0; other < size(); ++other) {
            if (other != rank()) {
                transport_.receive(first_ + other, std::as_writable_bytes(numbers_of(other, mine)));
                transport_.send(first_ + other, bytes_of(everything ? values : share_of_rank(values, other)));
            }
        }
    }

    template <class T>
    void send_sums(std::span<T> values, std::span<T> mine) {
        for (int other = 0; other < size(); ++other) {
            if (other != rank()) {
                transport_.receive(first_ + other, std::as_writable_bytes(share_of_rank(values, other)));
                transport_.send(first_ + other, bytes_of(mine));
            }
        }
    }

    /// mine = sum of the ranks' numbers, in their order
    template <class T>
    void add_up(std::span<T> mine) {
        constexpr std::size_t at_once = 1024;
#pragma omp parallel for schedule(static)
        for (std::size_t first = 0; first < mine.size(); first += at_once) {
            const std::size_t count = std::min(at_once, mine.size() - first);
            std::array<double, at_once> total{};
            for (int rank = 0; rank < size(); ++rank) {
                const T* const numbers = numbers_of(rank, mine).data() + first;
                for (std::size_t i = 0; i < count; ++i) {
                    total[i] += static_cast<double>(numbers[i]);
                }
            }
            std::copy_n(total.begin(), count, mine.begin() + static_cast<std::ptrdiff_t>(first));
        }
    }

    /// Those of a rank for the sums that this one makes.
    template <class T>
    std::span<T> numbers_of(int rank, std::span<T> mine) {
        auto* const from = of_others_.data() + static_cast<std::size_t>(rank) * mine.size_bytes();
        return rank == this->rank() ? mine : std::span<T>(reinterpret_cast<T*>(from), mine.size());
    }

    /// As share_of, of any rank.
    template <class T>
    std::span<T> share_of_rank(std::span<T> values, int rank) const {
        const std::size_t each = values.size() / static_cast<std::size_t>(size());
        const std::size_t longer = values.size() % static_cast<std::size_t>(size());
        const auto number = static_cast<std::size_t>(rank);
        return values.subspan(number * each + std::min(number, longer), each + (number < longer ? 1 : 0));
    }

    ProcessGroup& group_;
    MessageTransport& transport_;
    int first_;  ///< rank of the transport that is rank 0 here
    int size_;
    std::vector<std::byte> of_others_;
};

}  // namespace

std::unique_ptr<Communicator> make_process_communicator(ProcessGroup& group) {
    return std::make_unique<ProcessCommunicator>(group, Share{0, group.size()});
}

std::unique_ptr<Communicator> make_process_communicator(ProcessGroup& group, const Share& ranks) {
    if (ranks.count == 1) {
        return std::make_unique<SelfCommunicator>();
    }
    return std::make_unique<ProcessCommunicator>(group, ranks);
}

}  // namespace recon
