#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace recon {

/// Where a process runs, among those of its group.
struct ProcessPlace {
    std::string host;
    int rank_on_host = 0;
    int ranks_on_host = 1;
    int own_cpus = 1;         ///< that this process may run on
    int cpus_of_host = 1;     ///< that any of the host's ranks may run on
    int sum_of_own_cpus = 1;  ///< over the host's ranks: more than the above where they share processors
};

/// Messages between the processes that a launcher has started together: what the ranks need of MPI, and no more.
///
/// Messages of one kind from one process to another arrive in their order. One thread uses it.
class MessageTransport {
public:
    enum class Kind { data = 1, failure, report, verdict };

    struct Message {
        int from = 0;
        std::string text;
    };

    MessageTransport() = default;
    MessageTransport(const MessageTransport&) = delete;
    MessageTransport& operator=(const MessageTransport&) = delete;
    virtual ~MessageTransport() = default;

    virtual int rank() const = 0;
    virtual int size() const = 0;
    virtual const ProcessPlace& place() const = 0;

    /// Begins to send data, or to receive as much as there is room for; the memory is in use until `done`.
    /// @throws DeviceError if the network fails
    virtual void send(int to, std::span<const std::byte> bytes) = 0;
    virtual void receive(int from, std::span<std::byte> bytes) = 0;
    /// Whether all that was begun is over. @throws DeviceError; ShapeError if less or more has come than was expected
    virtual bool done() = 0;
    /// Lets go of what was begun and is not over.
    virtual void give_up() noexcept = 0;

    /// A short message that is on its way when this returns.
    virtual void post(int to, Kind kind, const std::string& text) = 0;
    /// The next one of that kind that has arrived, from whomever.
    virtual std::optional<Message> look(Kind kind) = 0;

    /// The last call on every process. Does not wait for messages that nobody has asked for.
    virtual void finish() noexcept = 0;
    /// Ends all processes of the group, this one included.
    [[noreturn]] virtual void end_all(int exit_code) = 0;
};

/// What the module that is opened where a launcher is at work (mpi_transport.cpp) has under the name below: starts MPI.
/// @return owned by the caller; null with a reason in `why` otherwise
using OpenTransport = MessageTransport* (*)(std::string& why);
constexpr const char* open_transport_name = "recon_open_transport";

}  // namespace recon
