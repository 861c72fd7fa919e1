#pragma once

#include <cstdint>

#include "core/base/types.hpp"

namespace recon {

/// Independent numbers (+-1 +- i) / sqrt(2): mean 0, E|n|^2 = 1, E n^2 = 0, as unit white noise has them, for products
/// of which nothing but the covariance counts; they estimate a trace with the least scatter [Hutchinson 1990].
/// Number i of a stream depends on (stream, i) alone: the same for any division into parts, and on any backend.
class WhiteNoise {
public:
    constexpr explicit WhiteNoise(std::uint64_t stream) : key_(mixed(golden * (stream + 1))) {}

    template <class T>
    struct Number {
        T re, im;
    };
    template <class T>
    constexpr Number<T> number(Index i) const {
        const auto root_half = static_cast<T>(0.70710678118654752);
        const std::uint64_t bits = mixed(key_ + golden * static_cast<std::uint64_t>(i + 1));
        return {(bits >> 40 & 1) != 0 ? root_half : -root_half, (bits >> 20 & 1) != 0 ? root_half : -root_half};
    }

private:
    static constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;

    /// The finalising function of SplitMix64 [Steele 2014], used as a counter.
    static constexpr std::uint64_t mixed(std::uint64_t word) {
        word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9ULL;
        word = (word ^ (word >> 27)) * 0x94d049bb133111ebULL;
        return word ^ (word >> 31);
    }

    std::uint64_t key_;
};

}  // namespace recon
