#pragma once

#include <omp.h>

namespace recon::test {

/// A number of OpenMP threads, and the usual one behind it: what plans hold, and whether exact sums are the faster
/// ones, depends on it.
class ThreadCount {
public:
    explicit ThreadCount(int count) : usual_(omp_get_max_threads()) { omp_set_num_threads(count); }
    ~ThreadCount() { omp_set_num_threads(usual_); }
    ThreadCount(const ThreadCount&) = delete;
    ThreadCount& operator=(const ThreadCount&) = delete;

private:
    int usual_;
};

}  // namespace recon::test
