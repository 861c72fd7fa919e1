#include <algorithm>
#include <vector>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/backend/cpu/cpu_plan_sizes.hpp"
#include "core/base/cancel.hpp"
#include "core/base/cpu_memory.hpp"
#include "core/fourier/decay_factors.hpp"
#include "core/fourier/phase_factors.hpp"
#include "core/fourier/reduced_turns.hpp"
#include "core/fourier/turn_code.hpp"

namespace recon {
namespace {

constexpr Index run_length = 64;      ///< voxels of a row that are worked on together, in the innermost cache
constexpr Index samples_a_task = 64;  ///< of the forward sums
constexpr Index chunk_length = 128;   ///< samples that the adjoint adds in T before it adds in double

/// Neighbouring voxels of one row.
struct Run {
    Index first;  ///< voxel, and the number of them
    Index count;
    PerAxis<Index> position;  ///< of the first, in voxels from the origin
};

/// One exponential for each voxel of a run, exp(-(R2* + i 2 pi f) t - i 2 pi k.r) = cosine - i sine.
template <class T>
struct RunFactors {
    T cosine[run_length];
    T sine[run_length];
};

/// The phase k.r along a row, in turns. In single precision the phases of single voxels are integers, exact whatever
/// the size of k r; in double precision each product is reduced before it is rounded.
template <class T>
class RowPhase;

template <>
class RowPhase<float> {
public:
    RowPhase(const PerAxis<double>& k, const VoxelGrid& grid, const Run& run, int row_axis)
        : step_(turn_code(k[row_axis] * grid.spacing[row_axis])) {
        for (int axis = 0; axis < 3; ++axis) {
            start_ += turn_code(k[axis] * grid.spacing[axis]) * static_cast<std::uint32_t>(run.position[axis]);
        }
    }
    float operator()(int i) const {
        return static_cast<float>(static_cast<std::int32_t>(start_ + step_ * static_cast<std::uint32_t>(i))) * 0x1p-32F;
    }

private:
    std::uint32_t start_ = 0;
    std::uint32_t step_;
};

template <>
class RowPhase<double> {
public:
    RowPhase(const PerAxis<double>& k, const VoxelGrid& grid, const Run& run, int row_axis)
        : k_(k[row_axis]), first_(static_cast<double>(run.position[row_axis])), spacing_(grid.spacing[row_axis]) {
        for (int axis = 0; axis < 3; ++axis) {
            if (axis != row_axis) {
                start_ += reduced_turns(k[axis], static_cast<double>(run.position[axis]) * grid.spacing[axis]);
            }
        }
    }
    double operator()(int i) const { return start_ + reduced_turns(k_, (first_ + i) * spacing_); }

private:
    double k_;
    double first_;
    double spacing_;
    double start_ = 0;
};

/// Sums with a sine and a cosine, and with R2* an exponential, for every pair, in the lanes of the vector unit: lanes
/// are voxels of a row. T within a run or a chunk, double beyond. The same bytes for any number of threads.
template <class T>
class CpuOffResonanceSums final : public FourierSums {
public:
    CpuOffResonanceSums(const Trajectory& trajectory, const VoxelGrid& grid, std::span<const float> sample_times_s,
                        const OffResonanceMaps& maps)
        : FourierSums(grid, trajectory.sample_count(), precision_of<T>),
          claim_(cpu_memory(), bytes(grid, trajectory.sample_count())),
          trajectory_(trajectory),
          times_s_(sample_times_s.begin(), sample_times_s.end()),
          frequency_hz_(maps.off_resonance_hz.begin(), maps.off_resonance_hz.end()),
          decay_per_s_(maps.relaxation_rate_per_s.begin(), maps.relaxation_rate_per_s.end()) {
        frequency_hz_.resize(grid.shape.element_count());
        make_runs();
    }

    static std::size_t bytes(const VoxelGrid& grid, Index sample_count) {
        return sample_count * (sizeof(PerAxis<double>) + sizeof(T)) + 2 * grid.shape.element_count() * sizeof(T) +
               run_count(grid) * sizeof(Run);
    }

private:
    /// The first axis with more than one voxel.
    static int row_axis_of(const VoxelGrid& grid) {
        const PerAxis<Index> extent = grid.shape.matrix_size();
        return extent[0] > 1 ? 0 : extent[1] > 1 ? 1 : 2;
    }
    static Index run_count(const VoxelGrid& grid) {
        const Index row_length = grid.shape.extent(row_axis_of(grid));
        return grid.shape.element_count() / row_length * ((row_length + run_length - 1) / run_length);
    }

    void make_runs() {
        const PerAxis<Index> extent = grid().shape.matrix_size();
        const Index row_count = grid().shape.element_count() / extent[row_axis_];
        runs_.reserve(run_count(grid()));
        for (Index row = 0; row < row_count; ++row) {
            for (Index first = 0; first < extent[row_axis_]; first += run_length) {
                Run run{row * extent[row_axis_] + first, std::min(run_length, extent[row_axis_] - first), {}};
                Index rest = run.first;
                for (int axis = 0; axis < 3; ++axis) {
                    run.position[axis] = rest % extent[axis] - grid().origin[axis];
                    rest /= extent[axis];
                }
                runs_.push_back(run);
            }
        }
    }

    void find_factors(const Run& run, Index m, RunFactors<T>& factors) const {
        const RowPhase<T> phase({trajectory_.k[0][m], trajectory_.k[1][m], trajectory_.k[2][m]}, grid(), run,
                                row_axis_);
        const T time = times_s_[m];
        const T* frequency = frequency_hz_.data() + run.first;
        const int count = static_cast<int>(run.count);
#pragma omp simd
        for (int i = 0; i < count; ++i) {
            const auto [cosine, sine] = wide_phase_factor<T>(phase(i) + reduced_turns(frequency[i], time));
            factors.cosine[i] = cosine;
            factors.sine[i] = sine;
        }
        if (!decay_per_s_.empty()) {
            const T* decay = decay_per_s_.data() + run.first;
#pragma omp simd
            for (int i = 0; i < count; ++i) {
                const T factor = decay_factor(decay[i] * time);
                factors.cosine[i] *= factor;
                factors.sine[i] *= factor;
            }
        }
    }

    void do_forward(ConstArrayView image, ArrayView samples) const override {
        const Index batch = image.shape().extent(3);
        const CancelToken& cancel = cancel_of_this_thread();
        const Index task_count = (sample_count() + samples_a_task - 1) / samples_a_task;
#pragma omp parallel
        {
            std::vector<T> real(batch * run_length);
            std::vector<T> imaginary(batch * run_length);
            std::vector<cdouble> totals(batch * samples_a_task);
#pragma omp for schedule(dynamic)
            for (Index task = 0; task < task_count; ++task) {
                const Index first = task * samples_a_task;
                const Index count = std::min(samples_a_task, sample_count() - first);
                std::fill(totals.begin(), totals.end(), 0);
                for (const Run& run : runs_) {
                    if (cancel.is_due()) {
                        break;
                    }
                    for (Index b = 0; b < batch; ++b) {
                        const std::complex<T>* from = image.data<T>() + b * grid().shape.element_count() + run.first;
                        for (Index i = 0; i < run.count; ++i) {
                            real[b * run_length + i] = from[i].real();
                            imaginary[b * run_length + i] = from[i].imag();
                        }
                    }
                    for (Index m = 0; m < count; ++m) {
                        RunFactors<T> factors;
                        find_factors(run, first + m, factors);
                        for (Index b = 0; b < batch; ++b) {
                            totals[b * samples_a_task + m] +=
                                run_sum(factors, &real[b * run_length], &imaginary[b * run_length], run.count);
                        }
                    }
                }
                for (Index b = 0; b < batch; ++b) {
                    std::transform(&totals[b * samples_a_task], &totals[b * samples_a_task] + count,
                                   samples.data<T>() + b * sample_count() + first,
                                   [](cdouble total) { return std::complex<T>(total); });
                }
            }
        }
        cancel.check();
    }

    static cdouble run_sum(const RunFactors<T>& factors, const T* real, const T* imaginary, Index count) {
        T sum_real = 0;
        T sum_imaginary = 0;
#pragma omp simd reduction(+ : sum_real, sum_imaginary)
        for (Index i = 0; i < count; ++i) {
            sum_real += real[i] * factors.cosine[i] + imaginary[i] * factors.sine[i];
            sum_imaginary += imaginary[i] * factors.cosine[i] - real[i] * factors.sine[i];
        }
        return {sum_real, sum_imaginary};
    }

    void do_adjoint(ConstArrayView samples, ArrayView image) const override {
        const CancelToken& cancel = cancel_of_this_thread();
        const Index batch = image.shape().extent(3);
#pragma omp parallel
        {
            std::vector<RunFactors<T>> sums(batch);  // real and imaginary parts in the place of cosines and sines
            std::vector<cdouble> totals(batch * run_length);
#pragma omp for schedule(dynamic)
            for (std::size_t r = 0; r < runs_.size(); ++r) {
                const Run& run = runs_[r];
                std::fill(totals.begin(), totals.end(), 0);
                for (Index first = 0; first < sample_count() && !cancel.is_due(); first += chunk_length) {
                    std::fill(sums.begin(), sums.end(), RunFactors<T>{});
                    for (Index m = first; m < std::min(first + chunk_length, sample_count()); ++m) {
                        RunFactors<T> factors;
                        find_factors(run, m, factors);
                        for (Index b = 0; b < batch; ++b) {
                            add_sample(factors, samples.data<T>()[b * sample_count() + m], run.count, sums[b]);
                        }
                    }
                    for (Index b = 0; b < batch; ++b) {
                        for (Index i = 0; i < run.count; ++i) {
                            totals[b * run_length + i] += cdouble(sums[b].cosine[i], sums[b].sine[i]);
                        }
                    }
                }
                for (Index b = 0; b < batch; ++b) {
                    std::transform(&totals[b * run_length], &totals[b * run_length] + run.count,
                                   image.data<T>() + b * grid().shape.element_count() + run.first,
                                   [](cdouble total) { return std::complex<T>(total); });
                }
            }
        }
        cancel.check();
    }

    static void add_sample(const RunFactors<T>& factors, std::complex<T> sample, Index count, RunFactors<T>& sums) {
        const T real = sample.real();
        const T imaginary = sample.imag();
#pragma omp simd
        for (Index i = 0; i < count; ++i) {
            sums.cosine[i] += real * factors.cosine[i] - imaginary * factors.sine[i];
            sums.sine[i] += real * factors.sine[i] + imaginary * factors.cosine[i];
        }
    }

    MemoryClaim claim_;
    Trajectory trajectory_;
    std::vector<T> times_s_;
    std::vector<T> frequency_hz_;
    std::vector<T> decay_per_s_;  ///< empty: none decays
    int row_axis_ = row_axis_of(grid());
    std::vector<Run> runs_;
};

}  // namespace

std::unique_ptr<FourierSums> make_cpu_off_resonance_sums(const Trajectory& trajectory, const VoxelGrid& grid,
                                                         std::span<const float> sample_times_s,
                                                         const OffResonanceMaps& maps, Precision precision) {
    require_equal_lengths("sums with off-resonance: trajectory", trajectory.k);
    require_sample_times(sample_times_s, trajectory.sample_count());
    maps.require_valid(grid.shape.element_count());
    return with_precision(precision, [&](auto tag) -> std::unique_ptr<FourierSums> {
        return std::make_unique<CpuOffResonanceSums<decltype(tag)>>(trajectory, grid, sample_times_s, maps);
    });
}

PlanBytes CpuPlanSizes::off_resonance_sums(const VoxelGrid& grid, Index sample_count, Index, Precision precision,
                                           std::size_t) const {
    return with_precision(precision, [&](auto tag) -> PlanBytes {
        return {CpuOffResonanceSums<decltype(tag)>::bytes(grid, sample_count), 0, 0};
    });
}

}  // namespace recon
