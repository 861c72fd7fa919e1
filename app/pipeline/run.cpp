#include "app/pipeline/run.hpp"

#include <algorithm>

#include "core/base/log.hpp"

namespace recon {
namespace {

/// Books for a moment what is missing from the peak of the run, which a stage has begun anew.
void restore_peak(MemoryBudget& books, std::size_t peak_bytes) {
    const std::size_t in_use = books.in_use();
    if (peak_bytes > std::max(in_use, books.peak())) {
        try {
            const MemoryClaim missing(books, peak_bytes - in_use);
        } catch (const DeviceError&) {  // others have taken it meanwhile: that peak is higher
        }
    }
}

}  // namespace

StageScope::StageScope(RunControl& control, Stage stage, Run* run)
    : control_(control), stage_(stage), run_(run), cancel_(control.cancel) {
    if (run_) {
        run_->cancel().check();
        run_->stages_.push_back(stage);
    } else if (control.cancel.requested() && !(stage == Stage::write && control.partial == PartialImage::keep)) {
        throw Cancelled();
    } else {
        bound_.emplace(cancel_);
    }
    if (!run_ || run_->is_root()) {
        log_debug("stage {}", name_of(stage));
    }
    if (MemoryBudget* const books = memory()) {
        peak_before_ = books->peak();
        books->restart_peak();
    }
    const bool is_outermost = !run_ || (run_->is_root() && run_->stages_.size() == 1);
    Log* const log = log_of_this_thread();
    if (log && control.progress == Progress::live_line && is_outermost && stage != Stage::solve) {
        line_.emplace(stage, *log);
    }
}

StageScope::~StageScope() {
    std::size_t peak_bytes = 0;
    if (MemoryBudget* const books = memory()) {
        peak_bytes = books->peak();
        restore_peak(*books, peak_before_);
    }
    if (run_) {
        run_->stages_.pop_back();
    }
    if (!run_ || run_->is_root()) {
        control_.stages.add(stage_, seconds(), peak_bytes);
    }
}

/// The books that rank 0 keeps; ranks may share them.
MemoryBudget* StageScope::memory() const { return run_ && run_->is_root() ? &run_->backend().memory() : nullptr; }

bool Run::is_in(Stage stage) const { return std::find(stages_.begin(), stages_.end(), stage) != stages_.end(); }

void Run::begin_journal() {
    if (control_.checkpoint) {
        journal_.emplace(*control_.checkpoint, control_, cancel_,
                         is_root() ? Journal::Role::writes : Journal::Role::reads);
    }
}

void Run::begin_frame(std::size_t number) {
    image_hold_.reset();
    cancel_.check();
    if (journal_) {
        journal_->begin_frame(number);
    }
}

void Run::begin_image() {
    if (control_.partial == PartialImage::keep) {
        image_hold_.emplace(cancel_);
    }
}

bool Run::stops_with_image() const {
    cancel_.check();
    return control_.cancel.requested();
}

}  // namespace recon
