#include "data/files/reading_process/reading_process.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "core/base/available_memory.hpp"
#include "core/base/cancel.hpp"
#include "data/files/reading_process/socket_message.hpp"

namespace recon {
namespace {

thread_local bool reads_here = false;

struct RequestHead {
    ReadingProcess::Work work;
    ReadingLimits limits;
    std::size_t bytes;
};

enum class WorkEnd { well, thrown, out_of_memory, other_exception };

struct AnswerHead {
    WorkEnd end;
    ErrorKind kind;  ///< of what was thrown; the bytes are its text
    std::size_t bytes;
    std::size_t block_bytes;
};

template <class Head>
std::span<std::byte> bytes_of(Head& head) {
    return std::as_writable_bytes(std::span(&head, 1));
}

void set_text(MessageWriter& answer, const char* text) {
    const auto* const begin = reinterpret_cast<const std::byte*>(text);
    answer = {};
    answer.bytes().assign(begin, begin + std::strlen(text));
}

AnswerHead do_work(const RequestHead& head, std::span<const std::byte> request, int descriptor, MessageWriter& answer) {
    AnswerHead result{};
    try {
        MessageReader reader(request);
        head.work(reader, descriptor, answer);
    } catch (const Error& error) {
        result.end = WorkEnd::thrown;
        result.kind = error.kind();
        set_text(answer, error.what());
    } catch (const std::bad_alloc&) {
        result.end = WorkEnd::out_of_memory;
        set_text(answer, "");
    } catch (const std::exception& error) {
        result.end = WorkEnd::other_exception;
        set_text(answer, error.what());
    }
    result.bytes = answer.bytes().size();
    result.block_bytes = answer.block() != nullptr ? answer.block()->bytes().size() : 0;
    return result;
}

/// Until the other side of the socket is closed, or its process gone.
[[noreturn]] void serve(int socket) {
    become_silent(socket);
    reads_here = true;
    for (;;) {
        RequestHead head{};
        int descriptor = -1;
        if (!receive_from(socket, bytes_of(head), &descriptor)) {
            _exit(0);
        }
        std::vector<std::byte> request(head.bytes);
        if (!receive_from(socket, request)) {
            _exit(0);
        }
        set_reading_limits(head.limits);
        MessageWriter answer;
        AnswerHead result = do_work(head, request, descriptor, answer);
        if (descriptor >= 0) {
            close(descriptor);
        }
        const int block = answer.block() != nullptr ? answer.block()->descriptor() : -1;
        pause_reading_limits();
        if (!send_to(socket, bytes_of(result), block) || !send_to(socket, answer.bytes())) {
            _exit(0);
        }
    }
}

/// As it was thrown: what is caught is the type.
[[noreturn]] void pass_on(ErrorKind kind, const std::string& text) {
    switch (kind) {
        case ErrorKind::usage: throw UsageError(text);
        case ErrorKind::input: throw InputError(text);
        case ErrorKind::device: throw DeviceError(text);
        default: throw Error(text, kind);
    }
}

/// The library crashes where it is refused memory, too.
InputError crash(const std::string& path, const std::string& how, const ReadingLimits& limits) {
    const AvailableMemory available = available_memory();
    return InputError(fmt::format("{}: is damaged in a way that makes its library crash ({}); get an intact copy{}",
                                  path, how,
                                  available.bytes < limits.memory_bytes
                                      ? fmt::format(". Or it lacks memory: {:.1f} MB is free ({})",
                                                    static_cast<double>(available.bytes) * 1e-6, available.limited_by)
                                      : ""));
}

InputError takes_too_much_memory(const std::string& path, const ReadingLimits& limits) {
    return InputError(fmt::format(
        "{}: to find out what is in it takes more than {} MB of memory; the file is damaged: get an intact copy", path,
        limits.memory_bytes >> 20));
}

/// Lives until the end of the program: others' destructors may come after its own.
struct Current {
    std::mutex mutex;
    std::shared_ptr<ReadingProcess> process;
};

Current& current_of_program() {
    static Current& current = [&]() -> Current& {
        std::atexit([] { current_of_program().process.reset(); });
        return *new Current;
    }();
    return current;
}

}  // namespace

ReadInThisProcess::ReadInThisProcess() : before_(reads_here) { reads_here = true; }
ReadInThisProcess::~ReadInThisProcess() { reads_here = before_; }
bool ReadInThisProcess::is_asked_for() { return reads_here; }

std::shared_ptr<ReadingProcess> ReadingProcess::current() {
    Current& current = current_of_program();
    const std::scoped_lock lock(current.mutex);
    if (!current.process || !current.process->is_alive()) {
        current.process.reset();
        std::shared_ptr<ReadingProcess> started(new ReadingProcess);
        if (!started->start()) {
            return nullptr;
        }
        current.process = std::move(started);
    }
    return current.process;
}

ReadingProcess::~ReadingProcess() { end(); }

bool ReadingProcess::is_alive() const {
    const std::scoped_lock lock(mutex_);
    return process_ > 0 && owner_ == getpid();  // a fork of this process has a copy of the socket, and must not use it
}

bool ReadingProcess::start() {
    std::array<int, 2> sockets{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0) {
        return false;
    }
    process_ = fork();
    if (process_ == 0) {
        close(sockets[0]);
        serve(sockets[1]);
    }
    const int error = errno;
    close(sockets[1]);
    if (process_ < 0) {
        close(sockets[0]);
        errno = error;
        return false;
    }
    socket_ = sockets[0];
    owner_ = getpid();
    return true;
}

/// @return how the process has ended, as waitpid says it
int ReadingProcess::end() {
    int status = 0;
    if (socket_ >= 0) {
        close(socket_);  // at which it ends
    }
    if (process_ > 0 && owner_ == getpid()) {
        while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
        }
    }
    process_ = -1;
    socket_ = -1;
    return status;
}

void ReadingProcess::wait_for_answer() {
    const CancelToken& cancel = cancel_of_this_thread();
    constexpr int look_every_ms = 20;
    pollfd waiting{socket_, POLLIN, 0};
    while (poll(&waiting, 1, look_every_ms) <= 0) {
        if (cancel.is_due()) {
            kill(process_, SIGKILL);
            end();
            cancel.check();
        }
    }
}

void ReadingProcess::throw_end(const std::string& path, const ReadingLimits& limits) {
    const int status = end();
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (signal == SIGXCPU || signal == SIGALRM) {
        throw InputError(fmt::format(
            "{}: to find out what is in it takes more than {} s; the file is damaged, or its disk too slow: "
            "get an intact copy",
            path, signal == SIGXCPU ? limits.processor_s : limits.wall_s));
    }
    if (signal == SIGKILL) {
        throw DeviceError(path + ": the system has killed the process that reads it, as it does where memory is short");
    }
    if (signal != 0) {
        throw crash(path, strsignal(signal), limits);
    }
    throw ReadingProcessEnded(crash(path, "it ended the process", limits).what());
}

ReadingProcess::Answer ReadingProcess::ask(const std::string& path, Work work, MessageWriter request, int descriptor,
                                           const ReadingLimits& limits) {
    const std::scoped_lock lock(mutex_);
    RequestHead head{work, limits, request.bytes().size()};
    if (!send_to(socket_, bytes_of(head), descriptor) || !send_to(socket_, request.bytes())) {
        throw_end(path, limits);
    }
    wait_for_answer();
    AnswerHead result{};
    int block = -1;
    Answer answer;
    if (!receive_from(socket_, bytes_of(result), &block)) {
        throw_end(path, limits);
    }
    answer.bytes.resize(result.bytes);
    if (!receive_from(socket_, answer.bytes)) {
        throw_end(path, limits);
    }
    if (block >= 0) {
        answer.block = SharedBlock(block, result.block_bytes);
    }
    if (result.end != WorkEnd::well) {
        const std::string text(reinterpret_cast<const char*>(answer.bytes.data()), answer.bytes.size());
        switch (result.end) {
            case WorkEnd::thrown: pass_on(result.kind, text);
            case WorkEnd::out_of_memory: throw takes_too_much_memory(path, limits);
            default: throw crash(path, text, limits);
        }
    }
    return answer;
}

}  // namespace recon
