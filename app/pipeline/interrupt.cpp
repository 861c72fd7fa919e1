#include "app/pipeline/interrupt.hpp"

#include <csignal>

namespace recon {
namespace {

volatile std::sig_atomic_t requested = 0;

extern "C" void on_interrupt(int signal) {
    requested = 1;
    std::signal(signal, SIG_DFL);
}

}  // namespace

void catch_interrupts() { std::signal(SIGINT, on_interrupt); }

bool interrupt_requested() { return requested != 0; }

}  // namespace recon
