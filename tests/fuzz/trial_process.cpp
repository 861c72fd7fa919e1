#include "tests/fuzz/trial_process.hpp"

#include <fcntl.h>
#include <omp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <fstream>
#include <span>
#include <stdexcept>

// The counters that libFuzzer looks at after each execution, in programs that are built for it.
extern "C" {
extern char __start___sancov_cntrs[] __attribute__((weak, visibility("hidden")));
extern char __stop___sancov_cntrs[] __attribute__((weak, visibility("hidden")));
}

// What the sanitizer of addresses asks a program for.
extern "C" {
/// What the library itself does wrong with memory of its own, as it copies between blocks that overlap, would end the
/// process: the program has another one for that.
const char* __asan_default_suppressions() { return "interceptor_via_lib:libhdf5"; }
/// Of a finding, before it is printed, which takes longer than a walk may: that would end by a signal, as by the library.
void __asan_on_error() {
    constexpr itimerval never{};
    setitimer(ITIMER_PROF, &never, nullptr);
}
}

namespace recon::test {
namespace {

constexpr int most_times = 2000;  ///< of one process: what the library forgets to free would add up
constexpr rlim_t most_bytes = rlim_t{1} << 30;
constexpr itimerval walk_limit{{0, 0}, {0, 20'000}}, limit{{0, 0}, {0, 200'000}};  ///< of the processor
constexpr unsigned most_seconds = 10;

/// None where the program is not built for it.
std::span<std::byte> counters() {
    return std::as_writable_bytes(
        std::span(__start___sancov_cntrs, static_cast<std::size_t>(__stop___sancov_cntrs - __start___sancov_cntrs)));
}

/// Silent and limited as the reading process is (data/files/reading_process), and leaves no files behind.
void become_trial() {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL, SIGPROF, SIGALRM}) {
        std::signal(signal, SIG_DFL);
    }
    std::signal(SIGXFSZ, SIG_IGN);
    omp_set_num_threads(1);  // those of the first process are not here
    const int silent = open("/dev/null", O_WRONLY);
    dup2(silent, STDOUT_FILENO);
    dup2(silent, STDERR_FILENO);
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t bytes = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + most_bytes;
    const rlimit memory{bytes, bytes}, none{0, 0};
    setrlimit(RLIMIT_AS, &memory);
    setrlimit(RLIMIT_FSIZE, &none);
    setrlimit(RLIMIT_CORE, &none);
}

}  // namespace

TrialProcess::TrialProcess(std::function<void()> walk, std::function<void()> then)
    : walk_(std::move(walk)), then_(std::move(then)) {
    void* const memory = mmap(nullptr, counters().size() + 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        throw std::runtime_error("no shared memory");
    }
    coverage_ = static_cast<std::byte*>(memory);
}

TrialProcess::~TrialProcess() {
    end();
    munmap(coverage_, counters().size() + 1);
}

TrialEnd TrialProcess::run() {
    if (process_ < 0 || done_ == most_times) {
        end();
        start();
    }
    ++done_;
    char word = 0;
    const bool is_told = write(orders_, &word, 1) == 1;
    const bool has_walked = is_told && read(answers_, &word, 1) == 1;
    if (has_walked && read(answers_, &word, 1) == 1) {
        std::copy_n(coverage_, counters().size(), counters().begin());
        return TrialEnd::well;
    }
    return WIFSIGNALED(end()) && !has_walked ? TrialEnd::by_signal_in_walk : TrialEnd::otherwise;
}

void TrialProcess::start() {
    std::array<int, 2> orders{}, answers{};
    if (pipe2(orders.data(), O_CLOEXEC) != 0 || pipe2(answers.data(), O_CLOEXEC) != 0) {
        throw std::runtime_error("no pipes");
    }
    std::signal(SIGPIPE, SIG_IGN);  // it may be dead when it is asked
    process_ = fork();
    if (process_ < 0) {
        throw std::runtime_error("no process");
    }
    if (process_ == 0) {
        close(orders[1]);
        close(answers[0]);
        serve(orders[0], answers[1]);
    }
    close(orders[0]);
    close(answers[1]);
    orders_ = orders[1];
    answers_ = answers[0];
    done_ = 0;
}

/// @return how the process has ended, as waitpid says it
int TrialProcess::end() {
    int status = 0;
    if (process_ > 0) {
        close(orders_);  // at which it ends
        close(answers_);
        while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
        }
        process_ = -1;
    }
    return status;
}

void TrialProcess::serve(int orders, int answers) {
    become_trial();
    bool is_alone = false;
    for (char word = 0; !is_alone && read(orders, &word, 1) == 1;) {
        alarm(most_seconds);
        std::ranges::fill(counters(), std::byte{0});
        setitimer(ITIMER_PROF, &walk_limit, nullptr);
        walk_();
        setitimer(ITIMER_PROF, &limit, nullptr);
        is_alone = write(answers, &word, 1) != 1;
        then_();
        std::ranges::copy(counters(), coverage_);
        is_alone = is_alone || write(answers, &word, 1) != 1;
    }
    _exit(0);
}

}  // namespace recon::test
