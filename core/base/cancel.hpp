#pragma once

#include <atomic>
#include <string>

#include "core/base/error.hpp"

namespace recon {

/// The work was asked to stop, and did.
class Cancelled : public Error {
public:
    explicit Cancelled(const std::string& what = "stopped on request") : Error(what) {}
};

/// A request to stop, made by whoever waits for the work and seen by all of its ranks.
class CancelSource {
public:
    /// Safe in a signal handler and from any thread.
    void request() noexcept { requested_.store(true, std::memory_order_relaxed); }
    bool requested() const noexcept { return requested_.load(std::memory_order_relaxed); }

private:
    static_assert(std::atomic<bool>::is_always_lock_free);
    std::atomic<bool> requested_ = false;
};

/// What everything that lasts looks at several times a second, one for each rank.
///
/// Loops of one thread call `check`; loops of many, which no exception may leave, skip what is left once it `is_due`,
/// and call `check` after their end.
class CancelToken {
public:
    CancelToken() = default;  ///< nobody will ask
    explicit CancelToken(const CancelSource& source) : source_(&source) {}
    CancelToken(const CancelToken&) = delete;
    CancelToken& operator=(const CancelToken&) = delete;

    bool is_due() const noexcept { return source_ != nullptr && hold_count_ == 0 && source_->requested(); }
    /// @throws Cancelled if it is due
    void check() const {
        if (is_due()) {
            throw Cancelled();
        }
    }

    /// As long as it lives no request is due: what has begun will be finished.
    class Hold {
    public:
        explicit Hold(CancelToken& token) : token_(&token) { ++token_->hold_count_; }
        ~Hold() { --token_->hold_count_; }
        Hold(const Hold&) = delete;
        Hold& operator=(const Hold&) = delete;

    private:
        CancelToken* token_;
    };

private:
    const CancelSource* source_ = nullptr;
    int hold_count_ = 0;  ///< changed between parallel regions only
};

/// As long as it lives this thread works for whoever may ask by `token`. (docs/decisions/0009-what-a-run-binds.md)
class CancelBinding {
public:
    explicit CancelBinding(const CancelToken& token);
    ~CancelBinding();
    CancelBinding(const CancelBinding&) = delete;
    CancelBinding& operator=(const CancelBinding&) = delete;

private:
    const CancelToken* before_;
};

/// The token bound to this thread; one that is never due if there is none. To be asked for before a parallel region,
/// and looked at within.
const CancelToken& cancel_of_this_thread();

}  // namespace recon
