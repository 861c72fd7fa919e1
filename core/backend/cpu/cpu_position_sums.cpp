#include <algorithm>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/cancel.hpp"
#include "core/fourier/phase_factors.hpp"
#include "core/fourier/reduced_turns.hpp"

namespace recon {
namespace {

constexpr Index chunk_length = 512;  ///< samples that stay in the innermost cache, and that are added in T
constexpr Index block_length = 64;   ///< positions that one thread takes at a time

template <class T>
PerAxis<std::vector<T>> converted(const PerAxis<std::vector<double>>& components) {
    PerAxis<std::vector<T>> result;
    for (int axis = 0; axis < 3; ++axis) {
        result[axis].assign(components[axis].begin(), components[axis].end());
    }
    return result;
}

/// A run of samples: positions, and real and imaginary parts of what is summed, in separate arrays for vector loads.
template <class T>
struct Samples {
    PerAxis<const T*> k;
    const T* real;
    const T* imaginary;
    Index count;
};

template <class T>
cdouble chunk_sum(const Samples<T>& samples, const PerAxis<T>& r) {
    const T* kx = samples.k[0];
    const T* ky = samples.k[1];
    const T* kz = samples.k[2];
    const T* re = samples.real;
    const T* im = samples.imaginary;
    T real = 0;
    T imaginary = 0;
#pragma omp simd reduction(+ : real, imaginary)
    for (Index m = 0; m < samples.count; ++m) {
        const T phase = reduced_turns(kx[m], r[0]) + reduced_turns(ky[m], r[1]) + reduced_turns(kz[m], r[2]);
        const auto [cosine, sine] = wide_phase_factor<T>(phase);
        real += re[m] * cosine - im[m] * sine;
        imaginary += re[m] * sine + im[m] * cosine;
    }
    return {real, imaginary};
}

/// Sums at arbitrary positions: a sine and a cosine for every pair, in the lanes of the vector unit, in the arithmetic
/// of T; chunks are added in double. The same bytes for any number of threads.
template <class T>
class CpuPositionSums final : public PositionSums {
public:
    CpuPositionSums(const Trajectory& trajectory, const Positions& positions)
        : PositionSums(trajectory.sample_count(), positions.count(), precision_of<T>),
          k_(converted<T>(trajectory.k)),
          r_(converted<T>(positions.r)) {}

private:
    void do_adjoint(ConstArrayView samples, ArrayView result) const override {
        std::vector<T> real(sample_count());
        std::vector<T> imaginary(sample_count());
        const std::complex<T>* values = samples.data<T>();
        std::transform(values, values + sample_count(), real.begin(), [](std::complex<T> v) { return v.real(); });
        std::transform(values, values + sample_count(), imaginary.begin(), [](std::complex<T> v) { return v.imag(); });
        std::complex<T>* sums = result.data<T>();
        const CancelToken& cancel = cancel_of_this_thread();
        const Index block_count = (position_count() + block_length - 1) / block_length;
#pragma omp parallel for schedule(dynamic)
        for (Index block = 0; block < block_count; ++block) {
            const Index first = block * block_length;
            const Index count = std::min(block_length, position_count() - first);
            cdouble totals[block_length]{};
            for (Index m = 0; m < sample_count() && !cancel.is_due(); m += chunk_length) {
                const Samples<T> chunk{{k_[0].data() + m, k_[1].data() + m, k_[2].data() + m},
                                       real.data() + m,
                                       imaginary.data() + m,
                                       std::min(chunk_length, sample_count() - m)};
                for (Index n = 0; n < count; ++n) {
                    totals[n] += chunk_sum<T>(chunk, {r_[0][first + n], r_[1][first + n], r_[2][first + n]});
                }
            }
            std::transform(totals, totals + count, sums + first, [](cdouble v) { return std::complex<T>(v); });
        }
        cancel.check();
    }

    PerAxis<std::vector<T>> k_;
    PerAxis<std::vector<T>> r_;
};

}  // namespace

std::unique_ptr<PositionSums> make_cpu_position_sums(const Trajectory& trajectory, const Positions& positions,
                                                     Precision precision) {
    require_equal_lengths("position sums: trajectory", trajectory.k);
    require_equal_lengths("position sums: positions", positions.r);
    return with_precision(precision, [&](auto tag) -> std::unique_ptr<PositionSums> {
        return std::make_unique<CpuPositionSums<decltype(tag)>>(trajectory, positions);
    });
}

}  // namespace recon
