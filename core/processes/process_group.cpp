#include "core/processes/process_group.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/base/error.hpp"
#include "core/base/stopwatch.hpp"
#include "core/parallel/rank_meeting.hpp"
#include "core/processes/patience.hpp"

namespace recon {
namespace {

/// A stop that was asked for ends a wait that lasts longer: whoever is waited for may have ended already.
constexpr double cancelled_wait_s = 5;
/// Pieces of long messages.
constexpr std::size_t most_bytes_at_once = std::size_t{4} << 20;

template <class Work>
void for_each_piece(std::span<std::byte> bytes, Work&& work) {
    std::size_t first = 0;
    do {
        const std::size_t count = std::min(most_bytes_at_once, bytes.size() - first);
        work(bytes.subspan(first, count));
        first += count;
    } while (first < bytes.size());
}

}  // namespace

std::unique_ptr<ProcessGroup> ProcessGroup::join(const std::vector<std::string>& folders) {
    constexpr const char* file = "recon_mpi.so";
    for (const std::string& folder : folders) {
        const std::string path = (std::filesystem::path(folder) / file).string();
        std::error_code ignored;
        if (!std::filesystem::exists(path, ignored)) {
            continue;
        }
        // never closed: MPI's own modules look for its names among those of the whole program
        void* const module = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
        if (module == nullptr) {
            throw BackendUnavailable(fmt::format("{} cannot be loaded: {}", path, dlerror()));
        }
        const auto open = reinterpret_cast<OpenTransport>(dlsym(module, open_transport_name));
        std::string why = "it is not of this program";
        std::unique_ptr<MessageTransport> transport(open == nullptr ? nullptr : open(why));
        if (!transport) {
            throw BackendUnavailable(fmt::format("{}: {}", path, why));
        }
        return std::make_unique<ProcessGroup>(std::move(transport));
    }
    throw BackendUnavailable(
        fmt::format("a launcher has started this program on several ranks, and this build has no MPI: {} is not in {}",
                    file, fmt::join(folders, ", ")),
        "build where libopenmpi-dev (or libmpich-dev) is installed, or start one process a scan with `divide` none");
}

ProcessGroup::~ProcessGroup() {
    if (!ended_) {
        transport_->end_all(1);
    }
}

void ProcessGroup::wait() {
    const Stopwatch watch;
    Stopwatch since_asked;
    Patience patience;
    bool asked = false;
    while (!others_failed_ && !transport_->done()) {
        others_failed_ = transport_->look(MessageTransport::Kind::failure).has_value();
        if (cancel_ != nullptr && cancel_->requested()) {
            since_asked = asked ? since_asked : Stopwatch();
            asked = true;
            if (since_asked.seconds() > cancelled_wait_s) {
                transport_->give_up();
                throw Cancelled("other ranks did not answer");
            }
        }
        patience.pause();
    }
    waited_seconds_ += watch.seconds();
    if (others_failed_) {
        transport_->give_up();
        throw RanksAborted();
    }
}

/// Along a binary tree: each rank, counted from the first, gets it from the one without its lowest bit.
void ProcessGroup::broadcast(std::span<std::byte> bytes, const Share& ranks) {
    const int place = rank() - static_cast<int>(ranks.first);
    const int count = static_cast<int>(ranks.count);
    const int reach = place == 0 ? count : place & -place;
    int farthest = 1;
    while (2 * farthest < reach) {
        farthest *= 2;
    }
    for_each_piece(bytes, [&](std::span<std::byte> piece) {
        if (place != 0) {
            transport_->receive(rank() - reach, piece);
            wait();
        }
        for (int step = farthest; step > 0; step /= 2) {
            if (step < reach && place + step < count) {
                transport_->send(rank() + step, piece);
            }
        }
        wait();
    });
}

void ProcessGroup::copy_to_root(int from, std::span<std::byte> bytes) {
    for_each_piece(bytes, [&](std::span<std::byte> piece) {
        if (from != 0 && rank() == 0) {
            transport_->receive(from, piece);
        } else if (from != 0 && rank() == from) {
            transport_->send(0, piece);
        }
        wait();
    });
}

std::string ProcessGroup::text_of_root(std::string text) {
    std::uint64_t length = text.size();
    broadcast(std::as_writable_bytes(std::span(&length, 1)));
    text.resize(length);
    broadcast(std::as_writable_bytes(std::span(text)));
    return text;
}

std::vector<std::string> ProcessGroup::texts_of_ranks(const std::string& own) {
    std::vector<std::string> texts;
    for (int from = 0; from < size(); ++from) {
        std::uint64_t length = own.size();
        copy_to_root(from, std::as_writable_bytes(std::span(&length, 1)));
        std::string text = from == rank() ? own : std::string(rank() == 0 ? length : 0, ' ');
        copy_to_root(from, std::as_writable_bytes(std::span(text)));
        if (rank() == 0) {
            texts.push_back(std::move(text));
        }
    }
    return texts;
}

void ProcessGroup::announce_failure() noexcept {
    if (announced_) {
        return;
    }
    announced_ = true;
    try {
        transport_->give_up();
        for (int other = 0; other < size(); ++other) {
            if (other != rank()) {
                transport_->post(other, MessageTransport::Kind::failure, "");
            }
        }
    } catch (const std::exception&) {  // then they are ended in the last meeting
    }
}

}  // namespace recon
