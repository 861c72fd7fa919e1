#include "app/pipeline/iteration_monitor.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "app/pipeline/interrupt.hpp"
#include "core/base/log.hpp"

namespace recon {

IterationMonitor::~IterationMonitor() {
    if (style_ == Style::live_line) {
        fmt::print(stderr, "\r\033[K");
    }
}

bool IterationMonitor::iteration_done(int iteration, double relative_residual, ConstArrayView) {
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    const std::string line =
        fmt::format("{}: iteration {} of {}, residual {:.3e}", solver_, iteration, limit_, relative_residual);
    if (style_ == Style::live_line) {
        fmt::print(stderr, "\r\033[K{}, {:.1f} s left", line, elapsed / iteration * (limit_ - iteration));
        std::fflush(stderr);
    } else if (style_ == Style::log_lines) {
        log_info("{}", line);
    }
    return !interrupt_requested();
}

IterationMonitor::Style IterationMonitor::default_style() {
    return isatty(STDERR_FILENO) ? Style::live_line : Style::log_lines;
}

}  // namespace recon
