#include "app/pipeline/iteration_monitor.hpp"

#include <fmt/format.h>

namespace recon {
namespace {

/// 1, 2, 5, 10, 20, 50, 100 and so on.
bool is_round(int iteration) {
    while (iteration >= 10 && iteration % 10 == 0) {
        iteration /= 10;
    }
    return iteration == 1 || iteration == 2 || iteration == 5;
}

}  // namespace

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
    if (log_ && progress_ != Progress::silent) {
        const std::string line =
            fmt::format("{}: iteration {} of {}, residual {:.3e}", solver_, iteration, limit_, relative_residual);
        if (progress_ == Progress::all_lines || (progress_ == Progress::some_lines && is_round(iteration))) {
            log_->write(LogLevel::info, line);
        } else {
            log_->keep(line);
        }
        if (progress_ == Progress::live_line) {
            log_->show_live(
                fmt::format("{}, {:.1f} s left", line, watch_.seconds() / iteration * (limit_ - iteration)));
        }
    }
    return !run_.stops_with_image();
}

}  // namespace recon
