#pragma once

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

#include "core/base/error.hpp"
#include "data/files/reading_process/message.hpp"
#include "data/files/reading_process/process_limits.hpp"

namespace recon {

/// The other process has come to an end of its own choice: not by a signal, as where a library crashes, but as
/// sanitizers do, and std::exit.
class ReadingProcessEnded : public InputError {
public:
    explicit ReadingProcessEnded(const std::string& what) : InputError(what) {}
};

/// Another process of this program, in which a library may crash, hang and ask for all memory: it does one piece of
/// work after the other, and sends what comes of it. It is started once and kept, as a fork costs more the more memory
/// the first process has; when it has ended, by whatever, the next work is another one's.
class ReadingProcess {
public:
    /// Serial, silent, and without effect but what it keeps in its process and answers.
    /// @param descriptor  of a file that was sent along, or -1; it is closed after the work
    using Work = void (*)(MessageReader& request, int descriptor, MessageWriter& answer);

    /// What was answered. Its bytes have to live as long as it is read.
    struct Answer {
        std::vector<std::byte> bytes;
        SharedBlock block;
        MessageReader reader() { return MessageReader(bytes, std::move(block)); }
    };

    /// The process of this one, started if there is none; nothing if the system refuses it.
    static std::shared_ptr<ReadingProcess> current();

    ~ReadingProcess();
    ReadingProcess(const ReadingProcess&) = delete;
    ReadingProcess& operator=(const ReadingProcess&) = delete;

    bool is_alive() const;

    /// Has it do something about the file at `path`. From any thread, one after the other.
    /// @throws InputError that names the file if the process does not come to the end of the work; what the work
    /// throws, as far as it is an Error; Cancelled if this thread is asked to stop, after which the process is no more
    Answer ask(const std::string& path, Work work, MessageWriter request, int descriptor = -1,
               const ReadingLimits& limits = {});

private:
    ReadingProcess() = default;
    bool start();
    int end();
    void wait_for_answer();
    [[noreturn]] void throw_end(const std::string& path, const ReadingLimits& limits);

    mutable std::mutex mutex_;
    pid_t process_ = -1;
    pid_t owner_ = -1;
    int socket_ = -1;
};

/// While it lives this thread reads in this process: where that may crash.
class ReadInThisProcess {
public:
    ReadInThisProcess();
    ~ReadInThisProcess();
    ReadInThisProcess(const ReadInThisProcess&) = delete;
    ReadInThisProcess& operator=(const ReadInThisProcess&) = delete;

    static bool is_asked_for();

private:
    bool before_;
};

}  // namespace recon
