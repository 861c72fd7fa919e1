#include "core/mri/priors/white_draw.hpp"

namespace recon {
namespace {

constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;

/// The finalising function of SplitMix64 [Steele 2014], used as a counter.
std::uint64_t mixed(std::uint64_t word) {
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9ULL;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebULL;
    return word ^ (word >> 31);
}

}  // namespace

void fill_white(std::uint64_t stream, Index first, std::span<cfloat> values) {
    constexpr float root_half = 0.70710678F;
    const std::uint64_t key = mixed(golden * (stream + 1));
    const auto count = static_cast<Index>(values.size());
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < count; ++i) {
        const std::uint64_t bits = mixed(key + golden * static_cast<std::uint64_t>(first + i + 1));
        values[i] = {(bits >> 40 & 1) != 0 ? root_half : -root_half, (bits >> 20 & 1) != 0 ? root_half : -root_half};
    }
}

}  // namespace recon
