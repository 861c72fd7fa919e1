#include "data/files/reading_process/process_limits.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>

namespace recon {
namespace {

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

rlim_t processor_seconds_taken() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
    return static_cast<rlim_t>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + microseconds / 1'000'000 + 1);
}

void close_from_to(unsigned first, unsigned last) {
    if (first > last) {
        return;
    }
#ifdef SYS_close_range
    if (syscall(SYS_close_range, first, last, 0) == 0) {
        return;
    }
#endif
    const auto most = static_cast<unsigned>(std::max(sysconf(_SC_OPEN_MAX), 0L));
    for (unsigned descriptor = first; descriptor <= std::min(last, most); ++descriptor) {
        close(static_cast<int>(descriptor));
    }
}

}  // namespace

ReadingLimits ReadingLimits::with(std::size_t bytes) const {
    constexpr std::size_t slowest_filter = 10'000'000, slowest_disk = 1'000'000;  // bytes a second
    ReadingLimits more = *this;
    more.memory_bytes += 4 * bytes;  // stored, through two filters, converted
    more.processor_s += static_cast<unsigned>(bytes / slowest_filter);
    more.wall_s += static_cast<unsigned>(bytes / slowest_disk);
    return more;
}

void become_silent(int only_descriptor) {
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL, SIGALRM, SIGXCPU}) {
        std::signal(signal, SIG_DFL);
    }
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {  // the first process decides
        std::signal(signal, SIG_IGN);
    }
    const int silent = open("/dev/null", O_RDWR);
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        dup2(silent, descriptor);
    }
    const auto kept = static_cast<unsigned>(only_descriptor);
    close_from_to(STDERR_FILENO + 1, kept - 1);
    close_from_to(kept + 1, ~0U);
    set_limit(RLIMIT_CORE, 0);
}

void set_reading_limits(const ReadingLimits& limits) {
    set_limit(RLIMIT_CPU, processor_seconds_taken() + limits.processor_s);
    set_limit(RLIMIT_AS, mapped_bytes() + limits.memory_bytes);
    alarm(limits.wall_s);
}

void pause_reading_limits() { alarm(0); }

}  // namespace recon
