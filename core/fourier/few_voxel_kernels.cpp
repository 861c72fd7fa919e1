#include "core/fourier/few_voxel_kernels.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/fourier/decay_factors.hpp"
#include "core/fourier/phase_factors.hpp"
#include "core/fourier/reduced_turns.hpp"

namespace recon {
namespace {

constexpr Index block_length = 256;  ///< samples whose factors stay in the inner caches

/// Numbers of a block of samples, for vector loads.
struct Block {
    alignas(64) std::array<double, block_length> re;
    alignas(64) std::array<double, block_length> im;
};

constexpr Index most_slices = 64;  ///< parts that are summed apart, whatever the number of threads

/// sum_m a_m b_m
cdouble product_sum(const Block& a, const Block& b, Index count) {
    double re = 0;
    double im = 0;
#pragma omp simd reduction(+ : re, im)
    for (Index m = 0; m < count; ++m) {
        re += a.re[m] * b.re[m] - a.im[m] * b.im[m];
        im += a.re[m] * b.im[m] + a.im[m] * b.re[m];
    }
    return {re, im};
}

/// weights conj(e)
void weigh(const Block& e, std::span<const double> weights, Index first, Index count, Block& result) {
#pragma omp simd
    for (Index m = 0; m < count; ++m) {
        const double weight = weights.empty() ? 1 : weights[first + m];
        result.re[m] = weight * e.re[m];
        result.im[m] = -weight * e.im[m];
    }
}

/// weights data
void weigh(const cfloat* data, std::span<const double> weights, Index first, Index count, Block& result) {
    const auto* numbers = reinterpret_cast<const float*>(data);
#pragma omp simd
    for (Index m = 0; m < count; ++m) {
        const double weight = weights.empty() ? 1 : weights[first + m];
        result.re[m] = weight * static_cast<double>(numbers[2 * m]);
        result.im[m] = weight * static_cast<double>(numbers[2 * m + 1]);
    }
}

/// Calls work(first sample, sample count, sums) for every block; the slices' sums are added in order.
template <class MakeWork>
std::vector<cdouble> sum_over_blocks(Index sample_count, Index result_count, MakeWork&& make_work) {
    const Index blocks = (sample_count + block_length - 1) / block_length;
    const Index slices = std::min(most_slices, blocks);
    std::vector<cdouble> partial(slices * result_count);
#pragma omp parallel
    {
        auto work = make_work();
#pragma omp for schedule(dynamic)
        for (Index slice = 0; slice < slices; ++slice) {
            for (Index block = blocks * slice / slices; block < blocks * (slice + 1) / slices; ++block) {
                const Index first = block * block_length;
                work(first, std::min(block_length, sample_count - first), partial.data() + slice * result_count);
            }
        }
    }
    std::vector<cdouble> total(result_count);
    for (Index i = 0; i < slices * result_count; ++i) {
        total[i % result_count] += partial[i];
    }
    return total;
}

/// e of a block of samples, for all voxels; one object a thread.
class Factors {
public:
    explicit Factors(const FewVoxelSums& sums) : sums_(sums), blocks_(sums.voxel_count()) {}

    const Block& operator[](Index voxel) const { return blocks_[voxel]; }

    void fill(Index first, Index count) {
        for (Index voxel = 0; voxel < sums_.voxel_count(); ++voxel) {
            Block& block = blocks_[voxel];
            const auto& [x, y, z] = sums_.voxels().r;
            const double rx = x[voxel];
            const double ry = y[voxel];
            const double rz = z[voxel];
            const double* kx = sums_.trajectory().k[0].data() + first;
            const double* ky = sums_.trajectory().k[1].data() + first;
            const double* kz = sums_.trajectory().k[2].data() + first;
#pragma omp simd
            for (Index m = 0; m < count; ++m) {
                const auto [cosine, sine] = phase_factor<double>(reduced_turns(kx[m], rx) + reduced_turns(ky[m], ry) +
                                                                 reduced_turns(kz[m], rz));
                block.re[m] = cosine;
                block.im[m] = sine;
            }
            if (!sums_.rates_per_s().empty()) {
                multiply_off_resonance(sums_.rates_per_s()[voxel], first, count, block);
            }
        }
    }

private:
    void multiply_off_resonance(cdouble rate_per_s, Index first, Index count, Block& block) const {
        const double frequency_hz = rate_per_s.imag() / (2 * pi);
        const double decay_per_s = rate_per_s.real();
        const float* times_s = sums_.sample_times_s().data() + first;
#pragma omp simd
        for (Index m = 0; m < count; ++m) {
            const double time_s = times_s[m];
            const auto [cosine, sine] = phase_factor<double>(frequency_hz * time_s);
            const double decay = decay_factor(decay_per_s * time_s);
            const double re = block.re[m];
            block.re[m] = decay * (re * cosine - block.im[m] * sine);
            block.im[m] = decay * (re * sine + block.im[m] * cosine);
        }
    }

    const FewVoxelSums& sums_;
    std::vector<Block> blocks_;
};

}  // namespace

namespace RECON_CPU_LEVEL {

std::vector<cdouble> few_voxel_sums(const FewVoxelSums& of, std::span<const double> weights) {
    return sum_over_blocks(of.trajectory().sample_count(), of.voxel_count(), [&] {
        return [&, e = Factors(of)](Index first, Index count, cdouble* result) mutable {
            e.fill(first, count);
            for (Index voxel = 0; voxel < of.voxel_count(); ++voxel) {
                double re = 0;
                double im = 0;
#pragma omp simd reduction(+ : re, im)
                for (Index m = 0; m < count; ++m) {
                    const double weight = weights.empty() ? 1 : weights[first + m];
                    re += weight * e[voxel].re[m];
                    im += weight * e[voxel].im[m];
                }
                result[voxel] += cdouble(re, im);
            }
        };
    });
}

FewVoxelSums::OfEncoding few_voxel_sums_of_encoding(const FewVoxelSums& of, std::span<const double> adjoint_weights,
                                                    std::span<const cfloat> kspace, Index coil_count,
                                                    std::span<const double> normal_weights, Index lit_count) {
    const Index sample_count = of.trajectory().sample_count();
    const Index adjoint_count = of.voxel_count() * coil_count;
    const std::vector<cdouble> all = sum_over_blocks(sample_count, adjoint_count + of.voxel_count() * lit_count, [&] {
        return [&, e = Factors(of), sources = Block()](Index first, Index count, cdouble* result) mutable {
            e.fill(first, count);
            for (Index coil = 0; coil < coil_count; ++coil) {
                weigh(kspace.data() + coil * sample_count + first, adjoint_weights, first, count, sources);
                for (Index voxel = 0; voxel < of.voxel_count(); ++voxel) {
                    result[coil * of.voxel_count() + voxel] += product_sum(e[voxel], sources, count);
                }
            }
            for (Index lit = 0; lit < lit_count; ++lit) {
                weigh(e[lit], normal_weights, first, count, sources);
                for (Index voxel = 0; voxel < of.voxel_count(); ++voxel) {
                    result[adjoint_count + lit * of.voxel_count() + voxel] += product_sum(e[voxel], sources, count);
                }
            }
        };
    });
    return {{all.begin(), all.begin() + adjoint_count}, {all.begin() + adjoint_count, all.end()}};
}

}  // namespace RECON_CPU_LEVEL

}  // namespace recon
