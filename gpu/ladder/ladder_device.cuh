#pragma once

#include <chrono>
#include <functional>
#include <type_traits>

#include "gpu/backend/cuda_backend.cuh"
#include "gpu/ladder/ladder_step.hpp"

namespace recon::ladder {

constexpr float two_pi = 6.2831853071795865F;

/// A complex number that needs no alignment, as in the structures of the originals.
struct ComplexPair {
    float re, im;
};

/// What a sum weighs an exponential with: |phi|^2, or conj(phi) d.
template <Sum sum>
using Value = std::conditional_t<sum == Sum::q, float, ComplexPair>;

/// A sample in an array of structures: 16 bytes for Q, 20 for F^H d.
template <Sum sum>
struct Sample {
    float kx, ky, kz;
    Value<sum> value;
};

/// A voxel in an array of structures, its result with it.
struct Voxel {
    float x, y, z;
    ComplexPair result;
};

/// Samples in arrays of their own; `im` is not there for Q.
struct SampleArrays {
    const float *kx, *ky, *kz, *re, *im;
};

/// Voxels in arrays of their own.
struct VoxelArrays {
    const float *x, *y, *z;
};

__device__ inline ComplexPair times_phase_factor(float weight, float c, float s) { return {weight * c, weight * s}; }
__device__ inline ComplexPair times_phase_factor(ComplexPair d, float c, float s) {
    return {d.re * c - d.im * s, d.re * s + d.im * c};
}
__device__ inline void operator+=(ComplexPair& sum, ComplexPair term) {
    sum.re += term.re;
    sum.im += term.im;
}

/// Value m of the sum, from arrays of their own.
template <Sum sum>
__device__ Value<sum> value_of(const SampleArrays& samples, Index m) {
    if constexpr (sum == Sum::q) {
        return samples.re[m];
    } else {
        return {samples.re[m], samples.im[m]};
    }
}

/// What was loaded before is loaded anew after, as the first compilers for GPUs did it: today's would do the lesson of
/// RegAlloc by itself.
__device__ inline void nothing_stays_in_registers() { asm volatile("" ::: "memory"); }

template <Sum sum>
std::vector<Sample<sum>> sample_structures(const Problem& problem) {
    std::vector<Sample<sum>> samples(problem.sample_count());
    for (Index m = 0; m < problem.sample_count(); ++m) {
        Value<sum> value;
        if constexpr (sum == Sum::q) {
            value = problem.phi_squared[m];
        } else {
            value = {problem.phi_conj_data[m].real(), problem.phi_conj_data[m].imag()};
        }
        samples[m] = {problem.k[0][m], problem.k[1][m], problem.k[2][m], value};
    }
    return samples;
}

std::vector<Voxel> voxel_structures(const Problem& problem);

/// phi and d that a problem's |phi|^2 and conj(phi) d come from, as a scanner gives them: phi real. [sample]
struct RawSamples {
    std::vector<ComplexPair> phi, data;
};
RawSamples raw_samples(const Problem& problem);

/// Holds a problem's samples or voxels on a device, in arrays of their own.
class DeviceSamples {
public:
    DeviceSamples(CudaQueue& queue, const Problem& problem, Sum sum);
    SampleArrays arrays() const { return {k_[0].data(), k_[1].data(), k_[2].data(), re_.data(), im_.data()}; }

private:
    DeviceBuffer<float> k_[3], re_, im_;
};
class DeviceVoxels {
public:
    DeviceVoxels(CudaQueue& queue, const Problem& problem);
    VoxelArrays arrays() const { return {r_[0].data(), r_[1].data(), r_[2].data()}; }

private:
    DeviceBuffer<float> r_[3];
};

/// The queue of a GPU among `devices`. @throws UsageError if it is none of CUDA
CudaQueue& queue_of(Backend& gpu);

/// One step's run on the first GPU: counts as preparation what happens between its making and `measure`.
class GpuRun {
public:
    explicit GpuRun(const Devices& devices) : queue(queue_of(*devices.gpus.front())) {}

    /// Times `sums` by events of the device, `repeats` times, after one run to warm up if more than one is asked for.
    StepRun measure(int repeats, const Work& work, const std::function<void()>& sums);

    CudaQueue& queue;

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::vector<cfloat> results_of(CudaQueue& queue, const DeviceBuffer<ComplexPair>& results);
std::vector<cfloat> results_of(CudaQueue& queue, const DeviceBuffer<Voxel>& voxels);

/// Of an inner loop, per pair: its compiled instructions, which tests/benchmark/ladder_instructions reads off machine
/// code, and the words of off-chip memory in its source (Work::words).
struct LoopCount {
    double instructions;
    double special_functions;
    double words = 0;
};
struct LoopCounts {
    LoopCount q, fhd;
};

inline unsigned blocks_of(Index count, int threads) { return static_cast<unsigned>((count + threads - 1) / threads); }

/// Work of a kernel whose threads go through all pairs: `requested` bytes a pair, the inputs read and the results
/// written (`launches` - 1 times read too) once a launch from the device's memory.
Work loop_work(const Problem& problem, Sum sum, const LoopCounts& counts, double requested, Index launches = 1);

}  // namespace recon::ladder
