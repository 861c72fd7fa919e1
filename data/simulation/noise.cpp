#include "data/simulation/noise.hpp"

#include <cmath>

namespace recon {
namespace {

/// The finalising function of SplitMix64: a permutation of 64-bit words without visible structure.
std::uint64_t mixed(std::uint64_t word) {
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9ULL;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebULL;
    return word ^ (word >> 31);
}

/// In (0, 1): the logarithm below stays finite.
double open_unit(std::uint64_t word) { return (static_cast<double>(word >> 11) + 0.5) * 0x1p-53; }

}  // namespace

void add_noise(std::span<cfloat> values, double standard_deviation, std::uint64_t seed, std::uint64_t stream) {
    constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;
    const std::uint64_t key = mixed(mixed(seed + golden) + golden * (stream + 1));
    const auto count = static_cast<Index>(values.size());
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < count; ++i) {
        const std::uint64_t counter = 2 * static_cast<std::uint64_t>(i);
        const double first = open_unit(mixed(key + golden * (counter + 1)));
        const double second = open_unit(mixed(key + golden * (counter + 2)));
        // -ln(first) is exponential with mean 1: the squared modulus of a complex Gaussian with E|n|^2 = 1.
        const double modulus = standard_deviation * std::sqrt(-std::log(first));
        values[i] += cfloat(std::polar(modulus, 2 * pi * second));
    }
}

}  // namespace recon
