#include "app/cli/shell/signals.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstring>

namespace recon {
namespace {

std::atomic<CancelSource*> watched = nullptr;
volatile std::sig_atomic_t received = 0;
volatile std::sig_atomic_t ends_at_once = 0;
volatile std::sig_atomic_t code_of_ranks = 0;
volatile std::sig_atomic_t is_mute = 0;

void set_handlers(void (*handler)(int)) {
    std::signal(SIGINT, handler);
    std::signal(SIGTERM, handler);
}

extern "C" void on_signal(int signal) {
    received = signal;
    set_handlers(SIG_DFL);
    if (ends_at_once != 0) {
        const char* const line = signal == SIGTERM ? "recon: stopped by SIGTERM: nothing was written\n"
                                                   : "recon: stopped by Ctrl-C: nothing was written\n";
        [[maybe_unused]] const ssize_t written = is_mute != 0 ? 0 : write(STDERR_FILENO, line, std::strlen(line));
        _exit(code_of_ranks != 0 ? code_of_ranks : 128 + signal);
    }
    if (CancelSource* const source = watched) {
        source->request();
    }
}

}  // namespace

SignalWatch::SignalWatch(CancelSource& source) {
    watched = &source;
    set_handlers(on_signal);
}

SignalWatch::~SignalWatch() {
    set_handlers(SIG_DFL);
    watched = nullptr;
}

EndAtOnce::EndAtOnce() { ends_at_once = 1; }

EndAtOnce::~EndAtOnce() { ends_at_once = 0; }

void end_at_once_with(int exit_code, Speaks speaks) {
    code_of_ranks = exit_code;
    is_mute = speaks == Speaks::not_at_all ? 1 : 0;
}

void pay_no_heed_to_signals() { set_handlers(SIG_IGN); }

int exit_code_of_signal() { return 128 + (received != 0 ? received : SIGINT); }

const char* name_of_signal() {
    return received == SIGTERM ? "SIGTERM" : received == SIGINT ? "Ctrl-C" : "a signal to another rank";
}

}  // namespace recon
