#pragma once

#include <span>
#include <vector>

#include "core/base/types.hpp"
#include "core/processor/cpu_level.hpp"

namespace recon {

/// Vectors of three components and the complex numbers that belong to them, in separate arrays for vector loads.
struct DirectSources {
    const PerAxis<std::vector<double>>& at;
    std::vector<double> real;
    std::vector<double> imaginary;

    DirectSources(const PerAxis<std::vector<double>>& positions, std::span<const cdouble> values) : at(positions) {
        real.reserve(values.size());
        imaginary.reserve(values.size());
        for (const cdouble& value : values) {
            real.push_back(value.real());
            imaginary.push_back(value.imag());
        }
    }
};

/// sum_j value_j exp(sign i 2 pi p_j.q) for every target q, for one level of the processor.
using DirectSums = std::vector<cdouble>(int sign, const DirectSources& sources,
                                        const PerAxis<std::vector<double>>& targets);
namespace RECON_CPU_LEVEL {
DirectSums direct_sums;
}

}  // namespace recon
