#pragma once

namespace recon::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool is_sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif
#else
inline constexpr bool is_sanitized = false;
#endif

/// Why tests that load a library before the C library (support/faults) are skipped then.
inline constexpr const char* why_not_sanitized = "the sanitizer has functions of the C library of its own";

}  // namespace recon::test
