#include "core/mri/coils/coil_mixing_row.hpp"

#include <algorithm>

namespace recon {
namespace {

constexpr Index floats = 2 * coil_mixing_row;

/// One new coil: real and imaginary part of a factor multiply both parts of an element where they lie, and meet at the
/// end, so that no lane changes its place before.
struct Sums {
    float by_real[floats] = {}, by_imaginary[floats] = {};

    void add(cfloat factor, const float* from) {
        const float real = factor.real(), imaginary = factor.imag();
#pragma omp simd
        for (Index i = 0; i < floats; ++i) {
            by_real[i] += real * from[i];
            by_imaginary[i] += imaginary * from[i];
        }
    }
    void write(cfloat* to) const {
        for (Index i = 0; i < coil_mixing_row; ++i) {
            to[i] = {by_real[2 * i] - by_imaginary[2 * i + 1], by_real[2 * i + 1] + by_imaginary[2 * i]};
        }
    }
};

}  // namespace

namespace RECON_CPU_LEVEL {

void mix_row(const CoilMixingRow& row) {
    constexpr Index at_once = 2;
    for (Index made = 0; made < row.new_coil_count; made += at_once) {
        const Index last = std::min(made + at_once, row.new_coil_count) - 1;
        Sums first_sums, last_sums;
        for (Index coil = 0; coil < row.coil_count; ++coil) {
            const auto* const from = reinterpret_cast<const float*>(row.from + coil * row.stride);
            first_sums.add(row.mixing[made * row.coil_count + coil], from);
            last_sums.add(row.mixing[last * row.coil_count + coil], from);
        }
        first_sums.write(row.to + made * row.to_stride);
        last_sums.write(row.to + last * row.to_stride);
    }
}

}  // namespace RECON_CPU_LEVEL

}  // namespace recon
