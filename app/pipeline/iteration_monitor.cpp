#include "app/pipeline/iteration_monitor.hpp"

#include <fmt/format.h>

namespace recon {

IterationMonitor::IterationMonitor(const Run& run, int iteration_limit, std::string solver)
    : run_(run),
      limit_(iteration_limit),
      progress_(run.is_root() && !run.is_in(Stage::lambda) ? run.control().progress : Progress::silent),
      log_(log_of_this_thread()),
      solver_(std::move(solver)) {}

IterationMonitor::~IterationMonitor() {
    if (log_ && progress_ == Progress::live_line) {
        log_->show_live("");
    }
}

bool IterationMonitor::iteration_done(int iteration, double relative_residual, ConstArrayView) {
    const std::string line =
        fmt::format("{}: iteration {} of {}, residual {:.3e}", solver_, iteration, limit_, relative_residual);
    if (log_ && progress_ == Progress::live_line) {
        log_->show_live(fmt::format("{}, {:.1f} s left", line, watch_.seconds() / iteration * (limit_ - iteration)));
    } else if (progress_ == Progress::log_lines) {
        log_info("{}", line);
    }
    return !run_.stops_with_image();
}

}  // namespace recon
