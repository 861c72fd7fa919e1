#include "data/files/rehearsal/rehearsal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <memory>
#include <new>

#include "core/base/error.hpp"
#include "core/base/log.hpp"

namespace recon {
namespace {

thread_local bool is_rehearsed = true;

/// How the other process ends; any other way is a crash.
enum RehearsalEnd : int { went_well = 0, has_thrown = 101, out_of_memory = 102, other_exception = 103 };

/// What the other process has to say, in memory that both see.
struct RehearsalReport {
    ErrorKind kind;
    char text[4000];

    void set(ErrorKind error_kind, const char* what) {
        kind = error_kind;
        std::strncpy(text, what, sizeof(text) - 1);
    }
};

using SharedReport = std::unique_ptr<RehearsalReport, void (*)(RehearsalReport*)>;

SharedReport shared_report() {
    void* const memory =
        mmap(nullptr, sizeof(RehearsalReport), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return {memory == MAP_FAILED ? nullptr : new (memory) RehearsalReport{},
            [](RehearsalReport* report) { munmap(report, sizeof(RehearsalReport)); }};
}

void set_limit(int resource, rlim_t value) {
    rlimit limit{};
    if (getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) == 0) {
        limit.rlim_cur = std::min(value, limit.rlim_max);
        setrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
    }
}

rlim_t mapped_bytes() {
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

/// Nothing of the other process is seen outside: no words, no core file, no life after the first one's.
void become_rehearsal(const RehearsalLimits& limits) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL, SIGALRM, SIGXCPU}) {
        std::signal(signal, SIG_DFL);
    }
    for (const int signal : {SIGINT, SIGTERM}) {  // the first one decides
        std::signal(signal, SIG_IGN);
    }
    const int silent = open("/dev/null", O_WRONLY);
    dup2(silent, STDOUT_FILENO);
    dup2(silent, STDERR_FILENO);
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_CPU, limits.processor_s);
    set_limit(RLIMIT_AS, mapped_bytes() + limits.memory_bytes);
    alarm(limits.wall_s);
}

[[noreturn]] void run_rehearsal(const std::function<void()>& work, const RehearsalLimits& limits,
                                RehearsalReport& report) {
    int end = went_well;
    try {
        become_rehearsal(limits);
        const WithoutRehearsal this_is_it;
        work();
    } catch (const Error& error) {
        report.set(error.kind(), error.what());
        end = has_thrown;
    } catch (const std::bad_alloc&) {
        end = out_of_memory;
    } catch (const std::exception& error) {
        report.set(ErrorKind::internal, error.what());
        end = other_exception;
    }
    _exit(end);
}

/// As it was thrown: what is caught is the type.
[[noreturn]] void pass_on(const RehearsalReport& report) {
    switch (report.kind) {
        case ErrorKind::usage: throw UsageError(report.text);
        case ErrorKind::input: throw InputError(report.text);
        case ErrorKind::device: throw DeviceError(report.text);
        default: throw Error(report.text, report.kind);
    }
}

int status_at_end(pid_t process) {
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

}  // namespace

WithoutRehearsal::WithoutRehearsal() : before_(is_rehearsed) { is_rehearsed = false; }
WithoutRehearsal::~WithoutRehearsal() { is_rehearsed = before_; }

void rehearse(const std::string& path, const std::function<void()>& work, const RehearsalLimits& limits) {
    if (!is_rehearsed) {
        return;
    }
    const SharedReport report = shared_report();
    const pid_t process = report ? fork() : -1;
    if (process == 0) {
        run_rehearsal(work, limits, *report);
    }
    if (process < 0) {
        log_warning("{}: is read without having been tried out, as the system refuses a process: {}", path,
                    std::strerror(errno));
        return;
    }
    const int status = status_at_end(process);
    const int end = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (end == went_well) {
        return;
    }
    if (end == has_thrown) {
        pass_on(*report);
    }
    if (end == out_of_memory) {
        throw InputError(fmt::format(
            "{}: to find out what is in it takes more than {} MB of memory; the file is damaged: get an intact copy",
            path, limits.memory_bytes >> 20));
    }
    if (signal == SIGXCPU || signal == SIGALRM) {
        throw InputError(fmt::format(
            "{}: to find out what is in it takes more than {} s; the file is damaged, or its disk too slow: "
            "get an intact copy",
            path, signal == SIGXCPU ? limits.processor_s : limits.wall_s));
    }
    const std::string how = signal != 0              ? strsignal(signal)
                            : end == other_exception ? static_cast<const char*>(report->text)
                                                     : "it ended the process";
    const std::string line =
        fmt::format("{}: is damaged in a way that makes its library crash ({}); get an intact copy", path, how);
    if (signal != 0 || end == other_exception) {
        throw InputError(line);
    }
    throw EndedInRehearsal(line);
}

}  // namespace recon
