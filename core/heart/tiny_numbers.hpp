#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace recon {

/// As long as it lives, numbers too small to be normal are zero on this thread: cells at rest decay to them, and a
/// processor takes a hundred times as long for each.
class TinyNumbersAreZero {
public:
#if defined(__SSE2__)
    TinyNumbersAreZero() : before_(_mm_getcsr()) { _mm_setcsr(before_ | flush_to_zero | denormals_are_zero); }
    ~TinyNumbersAreZero() { _mm_setcsr(before_); }

private:
    static constexpr unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x0040;
    unsigned before_;
#else
    TinyNumbersAreZero() {}
    ~TinyNumbersAreZero() {}

private:
#endif
    TinyNumbersAreZero(const TinyNumbersAreZero&) = delete;
    TinyNumbersAreZero& operator=(const TinyNumbersAreZero&) = delete;
};

}  // namespace recon
