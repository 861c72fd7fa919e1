// Mirrors core/parallel/cpu_communicator.cpp.
#include "core/processes/process_communicator.hpp"

#include <algorithm>
#include <vector>

#include "core/processes/process_group.hpp"

namespace recon {
namespace {

/// Of the numbers that are added up at a time: so much comes from the other ranks beside the array, whatever its size.
constexpr std::size_t most_summed_bytes = std::size_t{4} << 20;

template <class T>
std::span<const std::byte> bytes_of(std::span<T> values) {
    return std::as_bytes(values);
}

class ProcessCommunicator final : public Communicator {
public:
    explicit ProcessCommunicator(ProcessGroup& group) : group_(group), transport_(group.transport()) {}

    int rank() const override { return transport_.rank(); }
    int size() const override { return transport_.size(); }
    bool in_one_process() const override { return false; }

    void all_reduce_sum(ArrayView array) override {
        with_precision(array.precision(), [&](auto tag) {
            using T = std::complex<decltype(tag)>;
            sum<T, cdouble>({static_cast<T*>(array.address()), static_cast<std::size_t>(array.size())});
        });
    }
    void all_reduce_sum(std::span<double> values) override { sum<double, double>(values); }
    void broadcast(std::span<std::byte> bytes) override { group_.broadcast(bytes); }
    void abort() noexcept override { group_.announce_failure(); }

private:
    template <class T, class Sum>
    void sum(std::span<T> values) {
        if (size() == 1) {
            return;
        }
        const std::size_t most = std::max<std::size_t>(1, most_summed_bytes / sizeof(T));
        std::size_t first = 0;
        do {  // once for nothing at all, too: a meeting
            const std::size_t count = std::min(most, values.size() - first);
            sum_piece<T, Sum>(values.subspan(first, count));
            first += count;
        } while (first < values.size());
    }

    /// Few numbers go from everyone to everyone, in one step; many to the rank that adds them up, and from there to
    /// all.
    template <class T, class Sum>
    void sum_piece(std::span<T> values) {
        constexpr std::size_t few_bytes = 1024;
        if (values.size_bytes() <= few_bytes) {
            add_up<T, Sum>(values, values, true);
            return;
        }
        const auto part_of = [&](int rank) { return share_of_rank(values, rank); };
        add_up<T, Sum>(values, part_of(rank()), false);
        for (int other = 0; other < size(); ++other) {
            if (other != rank()) {
                transport_.receive(other, std::as_writable_bytes(part_of(other)));
                transport_.send(other, bytes_of(part_of(rank())));
            }
        }
        group_.wait();
    }

    /// mine = sum of the ranks' values there. @param everything  whether all ranks add up all values
    template <class T, class Sum>
    void add_up(std::span<T> values, std::span<T> mine, bool everything) {
        std::vector<T> of_others(mine.size() * static_cast<std::size_t>(size()));
        const auto from = [&](int rank) {
            return std::span(of_others).subspan(static_cast<std::size_t>(rank) * mine.size(), mine.size());
        };
        for (int other = 0; other < size(); ++other) {
            if (other != rank()) {
                transport_.receive(other, std::as_writable_bytes(from(other)));
                transport_.send(other, bytes_of(everything ? values : share_of_rank(values, other)));
            }
        }
        std::copy(mine.begin(), mine.end(), from(rank()).begin());
        group_.wait();
        for (std::size_t i = 0; i < mine.size(); ++i) {
            Sum total = 0;
            for (int rank = 0; rank < size(); ++rank) {
                total += static_cast<Sum>(from(rank)[i]);
            }
            mine[i] = static_cast<T>(total);
        }
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
};

}  // namespace

std::unique_ptr<Communicator> make_process_communicator(ProcessGroup& group) {
    return std::make_unique<ProcessCommunicator>(group);
}

}  // namespace recon
