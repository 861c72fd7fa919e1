#include <algorithm>
#include <cmath>

#include "core/backend/cpu/cpu_image_primitives.hpp"

namespace recon {
namespace {

constexpr Index run_length = 1 << 12;

template <class Function>
void for_each_run(Index size, Function&& function) {
#pragma omp parallel for schedule(static)
    for (Index first = 0; first < size; first += run_length) {
        function(first, std::min(first + run_length, size));
    }
}

/// sqrt(sum_i |z_i[n]|^2), in double: squares leave the range of float long before magnitudes do.
template <class T>
double joint_magnitude(const std::complex<T>* z, Index part_size, Index part_count, Index n) {
    double sum = 0;
    for (Index part = 0; part < part_count; ++part) {
        sum += std::norm(cdouble(z[part * part_size + n]));
    }
    return std::sqrt(sum);
}

}  // namespace

void CpuImagePrimitives::do_joint_magnitudes(ConstArrayView z, ArrayView m) const {
    with_precision(m.precision(), [&](auto tag) {
        using T = decltype(tag);
        const std::complex<T>* in = z.data<T>();
        std::complex<T>* out = m.data<T>();
        for_each_run(m.size(), [&](Index first, Index end) {
            for (Index n = first; n < end; ++n) {
                out[n] = static_cast<T>(joint_magnitude(in, m.size(), z.size() / m.size(), n));
            }
        });
    });
}

void CpuImagePrimitives::do_soft_threshold(double threshold, Index joint_count, ArrayView z) const {
    const Index part_size = z.size() / joint_count;
    with_precision(z.precision(), [&](auto tag) {
        using T = decltype(tag);
        std::complex<T>* values = z.data<T>();
        for_each_run(part_size, [&](Index first, Index end) {
            for (Index n = first; n < end; ++n) {
                const double magnitude = joint_magnitude(values, part_size, joint_count, n);
                const auto factor = static_cast<T>(magnitude > threshold ? 1 - threshold / magnitude : 0);
                for (Index part = 0; part < joint_count; ++part) {
                    values[part * part_size + n] *= factor;
                }
            }
        });
    });
}

}  // namespace recon
