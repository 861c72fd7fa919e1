#include "core/fourier/few_voxel_sums.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "core/base/error.hpp"
#include "core/fourier/decay_factors.hpp"
#include "core/fourier/phase_factors.hpp"

namespace recon {
constexpr Index block_length = 256;  ///< samples whose factors stay in the inner caches

/// Numbers of a block of samples, for vector loads.
struct FewVoxelBlock {
    alignas(64) std::array<double, block_length> re;
    alignas(64) std::array<double, block_length> im;
};

namespace {

using Block = FewVoxelBlock;

constexpr Index most_slices = 64;  ///< parts that are summed apart, whatever the number of threads

/// k r less its nearest integer, rounded once.
double reduced_turns(double k, double r) { return std::fma(k, r, -std::rint(k * r)); }

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

void require_length(const char* what, std::size_t found, Index expected) {
    if (static_cast<Index>(found) != expected) {
        throw ShapeError("sums at few voxels: " + std::string(what) + " has " + std::to_string(found) +
                         " elements, expected " + std::to_string(expected));
    }
}

void require_weights(std::span<const double> weights, Index sample_count) {
    if (!weights.empty()) {
        require_length("weights", weights.size(), sample_count);
    }
}

}  // namespace

/// e of a block of samples, for all voxels; one object a thread.
class FewVoxelSums::Factors {
public:
    explicit Factors(const FewVoxelSums& sums) : sums_(sums), blocks_(sums.voxel_count()) {}

    const Block& operator[](Index voxel) const { return blocks_[voxel]; }

    void fill(Index first, Index count) {
        for (Index voxel = 0; voxel < sums_.voxel_count(); ++voxel) {
            Block& block = blocks_[voxel];
            const auto& [x, y, z] = sums_.voxels_.r;
            const double rx = x[voxel];
            const double ry = y[voxel];
            const double rz = z[voxel];
            const double* kx = sums_.trajectory_.k[0].data() + first;
            const double* ky = sums_.trajectory_.k[1].data() + first;
            const double* kz = sums_.trajectory_.k[2].data() + first;
#pragma omp simd
            for (Index m = 0; m < count; ++m) {
                const auto [cosine, sine] = phase_factor<double>(reduced_turns(kx[m], rx) + reduced_turns(ky[m], ry) +
                                                                 reduced_turns(kz[m], rz));
                block.re[m] = cosine;
                block.im[m] = sine;
            }
            if (!sums_.rates_per_s_.empty()) {
                multiply_off_resonance(sums_.rates_per_s_[voxel], first, count, block);
            }
        }
    }

private:
    void multiply_off_resonance(cdouble rate_per_s, Index first, Index count, Block& block) const {
        const double frequency_hz = rate_per_s.imag() / (2 * pi);
        const double decay_per_s = rate_per_s.real();
        const float* times_s = sums_.sample_times_s_.data() + first;
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

FewVoxelSums::FewVoxelSums(const Trajectory& trajectory, Positions voxels, std::vector<cdouble> rates_per_s,
                           std::span<const float> sample_times_s)
    : trajectory_(trajectory),
      voxels_(std::move(voxels)),
      rates_per_s_(std::move(rates_per_s)),
      sample_times_s_(sample_times_s) {
    require_equal_lengths("sums at few voxels: trajectory", trajectory.k);
    require_equal_lengths("sums at few voxels: voxels", voxels_.r);
    if (!rates_per_s_.empty()) {
        require_length("rates", rates_per_s_.size(), voxel_count());
        require_length("sample times", sample_times_s_.size(), trajectory_.sample_count());
    }
}

std::vector<cdouble> FewVoxelSums::sums(std::span<const double> weights) const {
    require_weights(weights, trajectory_.sample_count());
    return sum_over_blocks(trajectory_.sample_count(), voxel_count(), [&] {
        return [&, e = Factors(*this)](Index first, Index count, cdouble* result) mutable {
            e.fill(first, count);
            for (Index voxel = 0; voxel < voxel_count(); ++voxel) {
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

FewVoxelSums::OfEncoding FewVoxelSums::of_encoding(std::span<const double> adjoint_weights,
                                                   std::span<const cfloat> kspace, Index coil_count,
                                                   std::span<const double> normal_weights, Index lit_count) const {
    const Index sample_count = trajectory_.sample_count();
    require_weights(adjoint_weights, sample_count);
    require_weights(normal_weights, sample_count);
    require_length("k-space", kspace.size(), sample_count * coil_count);
    const Index adjoint_count = voxel_count() * coil_count;
    const std::vector<cdouble> all = sum_over_blocks(sample_count, adjoint_count + voxel_count() * lit_count, [&] {
        return [&, e = Factors(*this), sources = Block()](Index first, Index count, cdouble* result) mutable {
            e.fill(first, count);
            for (Index coil = 0; coil < coil_count; ++coil) {
                weigh(kspace.data() + coil * sample_count + first, adjoint_weights, first, count, sources);
                for (Index voxel = 0; voxel < voxel_count(); ++voxel) {
                    result[coil * voxel_count() + voxel] += product_sum(e[voxel], sources, count);
                }
            }
            for (Index lit = 0; lit < lit_count; ++lit) {
                weigh(e[lit], normal_weights, first, count, sources);
                for (Index voxel = 0; voxel < voxel_count(); ++voxel) {
                    result[adjoint_count + lit * voxel_count() + voxel] += product_sum(e[voxel], sources, count);
                }
            }
        };
    });
    return {{all.begin(), all.begin() + adjoint_count}, {all.begin() + adjoint_count, all.end()}};
}

double FewVoxelSums::predicted_seconds(double exponentials, double products) {
    constexpr double exponential_seconds = 4e-9;
    constexpr double product_seconds = 0.5e-9;
    return exponentials * exponential_seconds + products * product_seconds;
}

}  // namespace recon
