#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/backend/backend.hpp"

namespace recon::ladder {

/// The two sums of the case study, one complex number for each voxel n:
///
///     Q[n]     = sum_m |phi_m|^2        exp(i 2 pi k_m.r_n)
///     F^H d[n] = sum_m conj(phi_m) d_m  exp(i 2 pi k_m.r_n)
enum class Sum { q, fhd };

constexpr const char* name_of(Sum sum) { return sum == Sum::q ? "Q" : "F^H d"; }

/// Operations of one (sample, voxel) pair as the originals count them, a sine or a cosine as one: the phase takes 6
/// (three products, two sums, the factor 2 pi), its sine and cosine 2, adding a real weight's product 4, a complex
/// value's 8.
constexpr double operations_a_pair(Sum sum) { return sum == Sum::q ? 12 : 16; }

/// What a step computes, in host memory and in single precision, as in the originals. Positions may lie anywhere.
struct Problem {
    PerAxis<std::vector<float>> k;      ///< cycles per field of view, [sample] each
    PerAxis<std::vector<float>> r;      ///< fields of view, [voxel] each
    std::vector<float> phi_squared;     ///< |phi|^2, [sample]
    std::vector<cfloat> phi_conj_data;  ///< conj(phi) d, [sample]; empty if there is no d
    std::optional<VoxelGrid> grid;      ///< whose positions `r` are, x fastest; absent: somewhere else
    Index sample_count() const { return static_cast<Index>(k[0].size()); }
    Index voxel_count() const { return static_cast<Index>(r[0].size()); }
    double pair_count() const { return static_cast<double>(sample_count()) * static_cast<double>(voxel_count()); }

    /// The same samples on the first `count` voxels, which are no grid any more unless they are all.
    Problem first_voxels(Index count) const;
    Problem first_samples(Index count) const;
    /// The voxels of a grid; samples are left to be filled in.
    static Problem on_grid(const VoxelGrid& grid);
};

/// How a kernel with the samples in constant memory is launched. The first guess is no innocent one:
/// gpu/ladder/constmem.cu.
struct Tuning {
    int threads = 1024;              ///< of a block
    Index samples_per_launch = 256;  ///< what one launch has in constant memory
    int unroll = 1;                  ///< 1, 2, 4, 8 or 16
};
std::string text(const Tuning& tuning);  ///< "256 threads, 2048 samples a launch, unrolled by 4"

/// 20 bytes each in 64 KiB, rounded down to a power of two.
constexpr Index most_constant_samples = 2048;

/// One point of a sweep.
struct TuningTrial {
    Tuning tuning;
    double seconds;
    std::string variant{};  ///< what else differs between the points: "structures", "arrays"
};

/// What one run costs the units of a GPU. Instructions are those of the compiled inner loop, per thread; zero where a
/// step has none, or where the library that does the work does not say.
struct Work {
    double instructions = 0;       ///< issued, of any kind
    double special_functions = 0;  ///< hardware sines and cosines, square roots, conversions
    double tensor_operations =
        0;  ///< additions and products of tensor cores in half precision; those of TF32 count twice
    double fp32_operations = 0;  ///< additions and products of a library's matrix product
    double atomics = 0;          ///< additions to global memory
    double device_bytes = 0;     ///< least traffic to the device's memory: every launch reads and writes anew
    /// Four-byte words that threads load from and store to off-chip memory, as the source is written and caches apart:
    /// what a course counts by hand.
    double words = 0;
    double requested_bytes = 0;  ///< what threads ask of global memory, a warp's broadcast once: caches serve most
};

/// Where a step may run.
struct Devices {
    Backend* cpu = nullptr;
    std::vector<Backend*> gpus;  ///< may be empty; steps for one GPU take the first
    std::string no_gpu;          ///< why there is none
    Tuning tuning;               ///< for steps that follow the tuning
};

struct StepRun {
    std::vector<cfloat> values;       ///< [voxel]
    std::vector<double> seconds;      ///< of each repeat: the sums alone, all data in place; on a GPU by its own clock
    double prepare_seconds = 0;       ///< copies to the device, and plans
    Work work;                        ///< of one repeat
    std::vector<TuningTrial> trials;  ///< of a step that sweeps
    std::optional<Tuning> tuning;     ///< how the kernel was launched, where that can be chosen
    std::string remark;               ///< what else there is to say
};

enum class Place { cpu, gpu, gpus };

/// One rung of the ladder: a lesson. `run` computes `sum` for all voxels, `repeats` times after a warm-up.
struct Step {
    std::string id;      ///< as in --steps: "base", "regalloc"
    std::string title;   ///< "Base: one thread a voxel"
    std::string change;  ///< what differs from the step before
    std::string bound;   ///< what limits it
    Place place = Place::gpu;
    bool needs_grid = false;
    std::string wrong{};  ///< why its sums may be wrong, on purpose; empty: they are right
    StepRun (*run)(const Devices& devices, const Problem& problem, Sum sum, int repeats) = nullptr;

    /// Why this step cannot run; empty if it can.
    std::string obstacle(const Devices& devices, const Problem& problem) const;
};

std::vector<Step> cpu_steps();
/// Empty in a build without CUDA.
std::vector<Step> gpu_steps();
/// All steps, in the order of the story.
std::vector<Step> all_steps();

}  // namespace recon::ladder
