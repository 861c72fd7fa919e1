#pragma once

#include <cmath>
#include <cstdint>
#include <random>

namespace recon {

/// Uniform numbers from the bits of the generator: the distributions of the standard library differ between libraries.
class Uniform {
public:
    explicit Uniform(std::uint64_t seed) : bits_(seed) {}
    double between(double low, double high) {
        return low + (high - low) * std::ldexp(static_cast<double>(bits_() >> 11), -53);
    }

private:
    std::mt19937_64 bits_;
};

}  // namespace recon
