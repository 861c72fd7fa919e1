#include "core/parallel/run_ranks.hpp"

#include <omp.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>

#include "core/base/log_binding.hpp"
#include "core/parallel/rank_meeting.hpp"

namespace recon {
namespace {

/// The error that counts: the first one that is not a consequence of another.
class FirstError {
public:
    void keep_current() {
        const std::lock_guard lock(mutex_);
        if (!error_) {
            error_ = std::current_exception();
        }
    }
    void rethrow_if_any() const {
        if (error_) {
            std::rethrow_exception(error_);
        }
    }

private:
    std::mutex mutex_;
    std::exception_ptr error_;
};

}  // namespace

void run_ranks(const std::vector<std::unique_ptr<Communicator>>& ranks, const std::function<void(Communicator&)>& job) {
    if (ranks.size() == 1) {
        return job(*ranks.front());
    }
    const int thread_count = std::max(1, omp_get_max_threads() / static_cast<int>(ranks.size()));
    FirstError first_error;
    Log* const log = log_of_this_thread();
    const auto run = [&](Communicator& rank) {
        omp_set_num_threads(thread_count);  // of this thread alone
        const LogBinding bound(rank.rank() == 0 ? log : nullptr);
        try {
            job(rank);
        } catch (const RanksAborted&) {
            // The rank that failed has its error kept.
        } catch (...) {
            first_error.keep_current();
            rank.abort();
        }
    };
    {
        std::vector<std::jthread> threads;
        try {
            for (const auto& rank : ranks) {
                threads.emplace_back(run, std::ref(*rank));
            }
        } catch (...) {  // no more threads: those that have begun must not wait for the others
            ranks.front()->abort();
            throw;
        }
    }
    first_error.rethrow_if_any();
}

}  // namespace recon
