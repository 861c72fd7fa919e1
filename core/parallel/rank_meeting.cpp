#include "core/parallel/rank_meeting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace recon {

void RankMeeting::wait() {
    std::unique_lock lock(mutex_);
    const long round = round_;
    if (++arrived_ == size()) {
        arrived_ = 0;
        ++round_;
        changed_.notify_all();
    }
    changed_.wait(lock, [&] { return round_ != round || aborted_; });
    if (aborted_) {
        throw RanksAborted();
    }
}

std::span<const RankMeeting::Offer> RankMeeting::exchange(int rank, Offer mine) {
    offers_[rank] = mine;
    wait();
    for (const Offer& offer : offers_) {
        if (offer.size != mine.size) {
            throw ShapeError(fmt::format("ranks meet with {} and {} numbers, expected as many", mine.size, offer.size));
        }
    }
    return offers_;
}

void RankMeeting::sum(int rank, std::span<double> values) {
    std::vector<double> total(values.size(), 0.0);
    for (const Offer& offer : exchange(rank, {values.data(), static_cast<Index>(values.size())})) {
        const auto* of_rank = static_cast<const double*>(offer.data);
        std::transform(total.begin(), total.end(), of_rank, total.begin(), std::plus<>());
    }
    wait();  // before anyone overwrites what the others read
    std::copy(total.begin(), total.end(), values.begin());
}

void RankMeeting::broadcast(int rank, std::span<std::byte> bytes) {
    const Offer& of_first = exchange(rank, {bytes.data(), static_cast<Index>(bytes.size())}).front();
    if (rank != 0 && !bytes.empty()) {
        std::memcpy(bytes.data(), of_first.data, bytes.size());
    }
    wait();
}

void RankMeeting::abort() noexcept {
    const std::lock_guard lock(mutex_);
    aborted_ = true;
    changed_.notify_all();
}

}  // namespace recon
