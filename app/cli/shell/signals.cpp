#include "app/cli/shell/signals.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstring>

namespace recon {
namespace {

std::atomic<CancelSource*> watched = nullptr;
volatile std::sig_atomic_t received = SIGINT;
volatile std::sig_atomic_t ends_at_once = 0;

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
        [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line, std::strlen(line));
        _exit(128 + signal);
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

int exit_code_of_signal() { return 128 + received; }

const char* name_of_signal() { return received == SIGTERM ? "SIGTERM" : "Ctrl-C"; }

}  // namespace recon
