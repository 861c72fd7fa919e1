#include "app/pipeline/journal.hpp"

namespace recon {

/// Of what is going on.
std::string Journal::place() const {
    std::string text;
    for (std::size_t level = 0; level + 1 < begun_.size(); ++level) {
        text += (level > 0 ? "." : "") + std::to_string(begun_[level]);
    }
    return text;
}

bool Journal::begin(const Visit& result) {
    if (closed_) {
        return false;
    }
    ++begun_.back();
    begun_.push_back(0);
    if (!checkpoint_.recall_end(place(), result)) {
        return false;
    }
    begun_.pop_back();
    return true;
}

void Journal::go_on(Visit state) {
    if (closed_) {
        return;
    }
    checkpoint_.recall_steps(place(), state);
    state_ = std::move(state);
    hold_.emplace(token_);
}

void Journal::step_done() {
    if (closed_ || role_ == Role::reads) {
        return;
    }
    const bool stops = control_.cancel.requested();
    if (stops || checkpoint_.is_due()) {
        checkpoint_.write(place(), state_);
    }
    if (stops) {
        closed_ = true;
        if (control_.partial == PartialImage::discard) {
            throw Cancelled();
        }
    }
}

void Journal::end(const Visit& result) {
    state_ = {};
    hold_.reset();
    // What was stopped early is no result. The ranks that read find nothing any more that this one does not look for.
    closed_ = closed_ || (role_ == Role::writes && control_.cancel.requested());
    if (closed_) {
        return;
    }
    if (role_ == Role::writes) {
        checkpoint_.keep_end(place(), result);
    }
    begun_.pop_back();
}

}  // namespace recon
