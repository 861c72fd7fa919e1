#pragma once

#include <string>

/// Namespace of what a source gives to others that is compiled once for every level of the processor
/// (core/cpu_levels.cmake, docs/decisions/0014-one-binary.md). Whatever else is in such a source is known to its level
/// alone.
#ifndef RECON_CPU_LEVEL
#define RECON_CPU_LEVEL cpu_base
#endif

namespace recon {

/// What the processor can: as the program is compiled everywhere, and x86-64-v3 (AVX2) and v4 (AVX-512) beyond that.
enum class CpuLevel { base, v3, v4 };

std::string name_of(CpuLevel level);  ///< "base", "v3", "v4"
/// @throws UsageError that lists the names there are
CpuLevel cpu_level_of_name(const std::string& name);

/// The best that this processor and its operating system can, not above the limit.
CpuLevel cpu_level();
/// For tests, and to compare: from now on no level above that is used. Of the whole process.
void limit_cpu_level(CpuLevel most);

/// Of the same function for each level the one to call. Null: the program was not compiled for that level. Its type has
/// a name, by which whoever calls it declares it in the namespace of each level that there may be:
/// `namespace cpu_v3 { [[gnu::weak]] DirectSums direct_sums; }`
template <class Function>
Function* at_cpu_level(Function* base, Function* v3, Function* v4) {
    const CpuLevel level = cpu_level();
    return level >= CpuLevel::v4 && v4 != nullptr ? v4 : level >= CpuLevel::v3 && v3 != nullptr ? v3 : base;
}

}  // namespace recon
