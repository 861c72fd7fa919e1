#pragma once

#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "core/base/error.hpp"
#include "core/processes/process_group.hpp"

namespace recon::test {

/// Letters between threads that stand for processes.
struct PostOffice {
    using Kind = MessageTransport::Kind;
    struct Letter {
        int from;
        std::vector<std::byte> bytes;
    };
    std::mutex mutex;
    std::map<std::pair<int, Kind>, std::deque<Letter>> letters;  ///< by whom they are for
};

/// Every process is ended by one of them.
struct AllEnded {
    int exit_code;
};

/// What MPI does, between the threads of a test.
class LoopbackTransport final : public MessageTransport {
public:
    LoopbackTransport(std::shared_ptr<PostOffice> office, int rank, int size)
        : office_(std::move(office)), rank_(rank), size_(size) {
        place_.ranks_on_host = size;
        place_.rank_on_host = rank;
    }

    int rank() const override { return rank_; }
    int size() const override { return size_; }
    const ProcessPlace& place() const override { return place_; }

    void send(int to, std::span<const std::byte> bytes) override { put(to, Kind::data, bytes); }
    void receive(int from, std::span<std::byte> bytes) override { expected_.push_back({from, bytes}); }
    bool done() override {
        const std::lock_guard lock(office_->mutex);
        auto& letters = office_->letters[{rank_, Kind::data}];
        while (!expected_.empty()) {
            const auto [from, bytes] = expected_.front();
            const auto letter = std::ranges::find(letters, from, &PostOffice::Letter::from);
            if (letter == letters.end()) {
                return false;
            }
            if (letter->bytes.size() != bytes.size()) {
                throw ShapeError(std::to_string(letter->bytes.size()) + " bytes have come, expected " +
                                 std::to_string(bytes.size()));
            }
            if (!bytes.empty()) {
                std::memcpy(bytes.data(), letter->bytes.data(), bytes.size());
            }
            letters.erase(letter);
            expected_.pop_front();
        }
        return true;
    }
    void give_up() noexcept override { expected_.clear(); }

    void post(int to, Kind kind, const std::string& text) override { put(to, kind, std::as_bytes(std::span(text))); }
    std::optional<Message> look(Kind kind) override {
        const std::lock_guard lock(office_->mutex);
        auto& letters = office_->letters[{rank_, kind}];
        if (letters.empty()) {
            return std::nullopt;
        }
        const PostOffice::Letter letter = letters.front();
        letters.pop_front();
        return Message{letter.from,
                       std::string(reinterpret_cast<const char*>(letter.bytes.data()), letter.bytes.size())};
    }

    void finish() noexcept override {}
    [[noreturn]] void end_all(int exit_code) override { throw AllEnded{exit_code}; }

private:
    void put(int to, Kind kind, std::span<const std::byte> bytes) {
        const std::lock_guard lock(office_->mutex);
        office_->letters[{to, kind}].push_back({rank_, {bytes.begin(), bytes.end()}});
    }

    std::shared_ptr<PostOffice> office_;
    int rank_;
    int size_;
    ProcessPlace place_;
    std::deque<std::pair<int, std::span<std::byte>>> expected_;
};

inline std::vector<std::unique_ptr<ProcessGroup>> make_loopback_groups(int size) {
    const auto office = std::make_shared<PostOffice>();
    std::vector<std::unique_ptr<ProcessGroup>> groups;
    for (int rank = 0; rank < size; ++rank) {
        groups.push_back(std::make_unique<ProcessGroup>(std::make_unique<LoopbackTransport>(office, rank, size)));
    }
    return groups;
}

}  // namespace recon::test
