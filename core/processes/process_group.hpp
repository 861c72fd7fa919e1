#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/cancel.hpp"
#include "core/parallel/share.hpp"
#include "core/processes/message_transport.hpp"

namespace recon {

/// How the work of a process has ended.
struct ProcessEnding {
    enum class How {
        done,
        dragged,  ///< another process has failed
        stopped,  ///< by a signal
        failed
    };
    How how = How::done;
    int exit_code = 0;
    std::string text;  ///< for people: why
};

/// The processes of one reconstruction, a rank each: how they wait for each other, and how they end together.
class ProcessGroup {
public:
    /// Joins the processes that a launcher (mpirun, srun) has started with this one.
    /// @param folders  where the module that knows MPI is looked for
    /// @throws BackendUnavailable if there is no such module or MPI cannot start, with the reason
    static std::unique_ptr<ProcessGroup> join(const std::vector<std::string>& folders);

    explicit ProcessGroup(std::unique_ptr<MessageTransport> transport) : transport_(std::move(transport)) {}
    ProcessGroup(const ProcessGroup&) = delete;
    ProcessGroup& operator=(const ProcessGroup&) = delete;
    /// Ends all processes where `end` has not been called.
    ~ProcessGroup();

    MessageTransport& transport() { return *transport_; }
    const ProcessPlace& place() const { return transport_->place(); }
    int rank() const { return transport_->rank(); }
    int size() const { return transport_->size(); }

    /// A wait that lasts is given up some seconds after a stop was asked for there: who is waited for may be gone.
    void watch(const CancelSource& source) { cancel_ = &source; }

    /// From here on a fault is one of the run, whatever its kind: all processes end with code 4.
    void begin_work() { work_begun_ = true; }

    /// Until all messages that were begun have come and gone.
    /// @throws RanksAborted if another process has failed; Cancelled; what MessageTransport::done throws
    void wait();
    /// Seconds that `wait` has taken so far.
    double waited_seconds() const { return waited_seconds_; }

    /// The bytes of the first of some ranks, on all of these, each of which calls it; else of rank 0 on all processes.
    void broadcast(std::span<std::byte> bytes, const Share& ranks);
    void broadcast(std::span<std::byte> bytes) { broadcast(bytes, {0, size()}); }
    /// Bytes of rank `from`, on rank 0; the others have nothing to do with it.
    void copy_to_root(int from, std::span<std::byte> bytes);
    /// Rank 0's text, on all processes.
    std::string text_of_root(std::string text);
    /// A text of each rank, on rank 0, in their order; every process calls it. Elsewhere empty.
    std::vector<std::string> texts_of_ranks(const std::string& own);

    /// Tells the others, once, that this process will meet them no more: their waits throw.
    void announce_failure() noexcept;

    /// The last meeting, which takes some seconds at most once a process has failed: rank 0 says in one line what has
    /// happened, and the processes that can still be reached end with one exit code. Those that cannot are ended.
    /// @param say  writes a line to the terminal
    /// @return the exit code
    int end(ProcessEnding mine, const std::function<void(const std::string&)>& say);

private:
    using Say = std::function<void(const std::string&)>;
    int end_as_root(const ProcessEnding& mine, const Say& say);
    int end_as_other(const ProcessEnding& mine, const Say& say);
    void finish(int exit_code);

    std::unique_ptr<MessageTransport> transport_;
    const CancelSource* cancel_ = nullptr;
    double waited_seconds_ = 0;
    bool work_begun_ = false;
    bool announced_ = false;
    bool others_failed_ = false;
    bool ended_ = false;
};

}  // namespace recon
