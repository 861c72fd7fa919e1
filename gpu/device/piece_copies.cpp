#include "gpu/device/piece_copies.hpp"

#include <omp.h>

#include <algorithm>
#include <exception>
#include <thread>
#include <utility>

namespace recon {
namespace {

constexpr std::size_t run_bytes = std::size_t{1} << 18;  ///< that a thread copies at a time
constexpr int most_threads = 8;                          ///< more do not copy faster, and wait for memory

std::size_t runs_of(std::size_t bytes) { return (bytes + run_bytes - 1) / run_bytes; }

}  // namespace

PieceCopies::PieceCopies(std::size_t bytes, std::size_t piece_bytes, std::function<void(std::size_t, std::size_t)> copy)
    : bytes_(bytes), piece_bytes_(piece_bytes), copy_(std::move(copy)), left_((bytes + piece_bytes - 1) / piece_bytes) {
    for (std::size_t piece = 0; piece < left_.size(); ++piece) {
        left_[piece] = static_cast<int>(runs_of(std::min(piece_bytes, bytes - piece * piece_bytes)));
    }
}

bool PieceCopies::take_run() {
    const std::size_t runs_of_piece = runs_of(piece_bytes_);
    std::size_t run = next_run_.load(std::memory_order_relaxed);
    do {
        if (run >= runs_of(bytes_) || run / runs_of_piece >= released_.load(std::memory_order_acquire)) {
            return false;
        }
    } while (!next_run_.compare_exchange_weak(run, run + 1, std::memory_order_relaxed));
    copy_(run * run_bytes, std::min(run_bytes, bytes_ - run * run_bytes));
    left_[run / runs_of_piece].fetch_sub(1, std::memory_order_release);
    return true;
}

void PieceCopies::wait_for(std::size_t piece) {
    while (left_[piece].load(std::memory_order_acquire) > 0) {
        if (!take_run()) {
            std::this_thread::yield();
        }
    }
}

void PieceCopies::follow() {
    while (next_run_.load(std::memory_order_relaxed) < runs_of(bytes_) && !ends_.load(std::memory_order_relaxed)) {
        if (!take_run()) {
            std::this_thread::yield();
        }
    }
}

void PieceCopies::run(const std::function<void()>& lead) {
    std::exception_ptr failure;
#pragma omp parallel
    if (omp_get_thread_num() == 0) {
        try {
            lead();
        } catch (...) {
            failure = std::current_exception();
            ends_ = true;
        }
    } else if (omp_get_thread_num() < most_threads) {
        follow();
    }
    if (failure) {
        std::rethrow_exception(failure);
    }
}

}  // namespace recon
