#include "core/processor/cpu_level.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include "core/base/error.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace recon {
namespace {

constexpr std::array names{"base", "v3", "v4"};

std::atomic<CpuLevel> limit{CpuLevel::v4};

#if defined(__x86_64__)
/// What the compiler knows of no name for, all of it of the general registers or of use with AVX2 alone.
bool has_movbe_f16c_lzcnt() {
    constexpr unsigned movbe = 1U << 22, f16c = 1U << 29, lzcnt = 1U << 5;
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & movbe) == 0 || (c & f16c) == 0) {
        return false;
    }
    return __get_cpuid(0x80000001U, &a, &b, &c, &d) != 0 && (c & lzcnt) != 0;
}

/// Levels of the System V ABI for x86-64, section 3.1.1. The compiler's functions ask the operating system as well.
CpuLevel level_of_processor() {
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi") ||
        !__builtin_cpu_supports("bmi2") || !has_movbe_f16c_lzcnt()) {
        return CpuLevel::base;
    }
    const bool v4 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512vl");
    return v4 ? CpuLevel::v4 : CpuLevel::v3;
}
#else
CpuLevel level_of_processor() { return CpuLevel::base; }
#endif

}  // namespace

std::string name_of(CpuLevel level) { return names[static_cast<std::size_t>(level)]; }

CpuLevel cpu_level_of_name(const std::string& name) {
    for (std::size_t level = 0; level < names.size(); ++level) {
        if (name == names[level]) {
            return static_cast<CpuLevel>(level);
        }
    }
    throw UsageError("processor level " + name + ": expected base, v3 (AVX2) or v4 (AVX-512)");
}

CpuLevel cpu_level() {
    static const CpuLevel of_processor = level_of_processor();
    return std::min(of_processor, limit.load());
}

void limit_cpu_level(CpuLevel most) { limit = most; }

}  // namespace recon
