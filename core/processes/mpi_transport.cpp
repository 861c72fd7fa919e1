// The only file that knows MPI: a module of its own, opened where a launcher has started the program
// (process_group.cpp), so that a run without one neither loads MPI nor needs it. Functions of MPI-3 alone, in C.
#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <vector>

#include "core/base/error.hpp"
#include "core/processes/message_transport.hpp"

namespace recon {
namespace {

std::string text_of(int status) {
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    MPI_Error_string(status, text.data(), &length);
    return {text.data(), static_cast<std::size_t>(length)};
}

void check(int status, const char* what) {
    if (status != MPI_SUCCESS) {
        throw DeviceError(std::string("MPI: ") + what + ": " + text_of(status));
    }
}

/// A communicator that was made here.
class OwnCommunicator {
public:
    explicit OwnCommunicator(MPI_Comm handle) : handle_(handle) {}
    ~OwnCommunicator() { MPI_Comm_free(&handle_); }
    OwnCommunicator(const OwnCommunicator&) = delete;
    OwnCommunicator& operator=(const OwnCommunicator&) = delete;
    MPI_Comm get() const { return handle_; }

private:
    MPI_Comm handle_;
};

ProcessPlace find_place() {
    ProcessPlace place;
    std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
    int length = 0;
    MPI_Get_processor_name(name.data(), &length);
    place.host.assign(name.data(), static_cast<std::size_t>(length));
    MPI_Comm handle = MPI_COMM_NULL;
    check(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &handle), "ranks of a host");
    const OwnCommunicator of_host(handle);
    MPI_Comm_rank(of_host.get(), &place.rank_on_host);
    MPI_Comm_size(of_host.get(), &place.ranks_on_host);
    cpu_set_t own;
    CPU_ZERO(&own);
    sched_getaffinity(0, sizeof own, &own);
    place.own_cpus = std::max(1, CPU_COUNT(&own));
    cpu_set_t all = own;
    check(MPI_Allreduce(&own, &all, sizeof own, MPI_BYTE, MPI_BOR, of_host.get()), "processors of a host");
    place.cpus_of_host = std::max(1, CPU_COUNT(&all));
    check(MPI_Allreduce(&place.own_cpus, &place.sum_of_own_cpus, 1, MPI_INT, MPI_SUM, of_host.get()),
          "processors of a host");
    return place;
}

class MpiTransport final : public MessageTransport {
public:
    MpiTransport() : place_(find_place()) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &size_);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    }

    int rank() const override { return rank_; }
    int size() const override { return size_; }
    const ProcessPlace& place() const override { return place_; }

    void send(int to, std::span<const std::byte> bytes) override {
        requests_.push_back(MPI_REQUEST_NULL);
        expected_.push_back(-1);
        check(MPI_Isend(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, tag(Kind::data), MPI_COMM_WORLD,
                        &requests_.back()),
              "sending");
    }
    void receive(int from, std::span<std::byte> bytes) override {
        requests_.push_back(MPI_REQUEST_NULL);
        expected_.push_back(static_cast<int>(bytes.size()));
        check(MPI_Irecv(bytes.data(), expected_.back(), MPI_BYTE, from, tag(Kind::data), MPI_COMM_WORLD,
                        &requests_.back()),
              "receiving");
    }

    bool done() override {
        int all = 0;
        statuses_.resize(requests_.size());
        const int status = MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &all, statuses_.data());
        if (status != MPI_SUCCESS) {
            int kind = 0;
            MPI_Error_class(status == MPI_ERR_IN_STATUS ? first_error() : status, &kind);
            if (kind == MPI_ERR_TRUNCATE) {
                throw ShapeError("more bytes have come than were expected");
            }
            check(status == MPI_ERR_IN_STATUS ? first_error() : status, "messages");
        }
        if (all == 0) {
            return false;
        }
        for (std::size_t i = 0; i < requests_.size(); ++i) {
            int found = 0;
            if (expected_[i] >= 0) {
                MPI_Get_count(&statuses_[i], MPI_BYTE, &found);
                if (found != expected_[i]) {
                    throw ShapeError(std::to_string(found) + " bytes have come, expected " +
                                     std::to_string(expected_[i]));
                }
            }
        }
        requests_.clear();
        expected_.clear();
        return true;
    }

    void give_up() noexcept override {
        for (std::size_t i = 0; i < requests_.size(); ++i) {
            if (requests_[i] != MPI_REQUEST_NULL) {
                if (expected_[i] >= 0) {
                    MPI_Cancel(&requests_[i]);
                }
                MPI_Request_free(&requests_[i]);
            }
        }
        requests_.clear();
        expected_.clear();
    }

    void post(int to, Kind kind, const std::string& text) override {
        posted_.push_back({text, MPI_REQUEST_NULL});
        check(MPI_Isend(posted_.back().text.data(), static_cast<int>(text.size()), MPI_CHAR, to, tag(kind),
                        MPI_COMM_WORLD, &posted_.back().request),
              "sending");
        int ignored = 0;
        MPI_Test(&posted_.back().request, &ignored, MPI_STATUS_IGNORE);
    }

    std::optional<Message> look(Kind kind) override {
        int is_there = 0;
        MPI_Status status;
        check(MPI_Iprobe(MPI_ANY_SOURCE, tag(kind), MPI_COMM_WORLD, &is_there, &status), "looking for messages");
        if (is_there == 0) {
            return std::nullopt;
        }
        int length = 0;
        MPI_Get_count(&status, MPI_CHAR, &length);
        Message message{status.MPI_SOURCE, std::string(static_cast<std::size_t>(length), ' ')};
        check(
            MPI_Recv(message.text.data(), length, MPI_CHAR, message.from, tag(kind), MPI_COMM_WORLD, MPI_STATUS_IGNORE),
            "receiving");
        return message;
    }

    void finish() noexcept override {
        give_up();
        for (Posted& posted : posted_) {
            int sent = 1;
            if (posted.request != MPI_REQUEST_NULL) {
                MPI_Test(&posted.request, &sent, MPI_STATUS_IGNORE);
            }
            if (sent == 0) {
                MPI_Request_free(&posted.request);
            }
        }
        MPI_Finalize();
    }

    [[noreturn]] void end_all(int exit_code) override {
        MPI_Abort(MPI_COMM_WORLD, exit_code);
        std::abort();
    }

private:
    struct Posted {
        std::string text;
        MPI_Request request;
    };

    static int tag(Kind kind) { return static_cast<int>(kind); }

    int first_error() const {
        const auto bad = std::find_if(statuses_.begin(), statuses_.end(), [](const MPI_Status& status) {
            return status.MPI_ERROR != MPI_SUCCESS && status.MPI_ERROR != MPI_ERR_PENDING;
        });
        return bad == statuses_.end() ? MPI_ERR_OTHER : bad->MPI_ERROR;
    }

    int rank_ = 0;
    int size_ = 1;
    ProcessPlace place_;
    std::vector<MPI_Request> requests_;
    std::vector<int> expected_;  ///< bytes of those that receive; -1: one that sends
    std::vector<MPI_Status> statuses_;
    std::deque<Posted> posted_;  ///< whose texts stay where they are
};

}  // namespace
}  // namespace recon

extern "C" recon::MessageTransport* recon_open_transport(std::string& why) {
    int provided = 0;
    if (const int status = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided); status != MPI_SUCCESS) {
        why = "MPI cannot start: " + recon::text_of(status);
        return nullptr;
    }
    if (provided < MPI_THREAD_FUNNELED) {
        why = "this MPI serves no programs of several threads";
        return nullptr;
    }
    try {
        return new recon::MpiTransport();
    } catch (const std::exception& error) {
        why = error.what();
        return nullptr;
    }
}
