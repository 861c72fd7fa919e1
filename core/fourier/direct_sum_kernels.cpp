#include "core/fourier/direct_sum_kernels.hpp"

#include "core/fourier/phase_factors.hpp"
#include "core/fourier/reduced_turns.hpp"

namespace recon {
namespace {

/// sum_j value_j exp(+-i 2 pi p_j.q)
template <int sign>
cdouble sum(const DirectSources& sources, const PerAxis<double>& q) {
    const auto count = static_cast<Index>(sources.real.size());
    const double* px = sources.at[0].data();
    const double* py = sources.at[1].data();
    const double* pz = sources.at[2].data();
    const double* re = sources.real.data();
    const double* im = sources.imaginary.data();
    double sum_real = 0;
    double sum_imaginary = 0;
#pragma omp simd reduction(+ : sum_real, sum_imaginary)
    for (Index j = 0; j < count; ++j) {
        const double phase = reduced_turns(px[j], q[0]) + reduced_turns(py[j], q[1]) + reduced_turns(pz[j], q[2]);
        const auto [cosine, sine] = phase_factor<double>(sign * phase);
        sum_real += re[j] * cosine - im[j] * sine;
        sum_imaginary += re[j] * sine + im[j] * cosine;
    }
    return {sum_real, sum_imaginary};
}

template <int sign>
std::vector<cdouble> sums(const DirectSources& sources, const PerAxis<std::vector<double>>& targets) {
    const auto count = static_cast<Index>(targets[0].size());
    std::vector<cdouble> result(count);
#pragma omp parallel for schedule(dynamic, 16)
    for (Index i = 0; i < count; ++i) {
        result[i] = sum<sign>(sources, {targets[0][i], targets[1][i], targets[2][i]});
    }
    return result;
}

}  // namespace

namespace RECON_CPU_LEVEL {
std::vector<cdouble> direct_sums(int sign, const DirectSources& sources, const PerAxis<std::vector<double>>& targets) {
    return sign > 0 ? sums<+1>(sources, targets) : sums<-1>(sources, targets);
}
}  // namespace RECON_CPU_LEVEL

}  // namespace recon
