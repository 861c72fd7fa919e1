// Mirrors core/backend/cpu/cpu_off_resonance_sums.cpp.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/error.hpp"
#include "core/fourier/turn_code.hpp"
#include "gpu/backend/cuda_backend.cuh"
#include "gpu/exact/exact_sums_cost.hpp"
#include "gpu/exact/pair_sums.cuh"

namespace recon {
namespace {

using pair_sums::source_tile;

constexpr double log2_e = 1.4426950408889634074;

double largest_modulus(std::span<const float> values) {
    double largest = 0;
    for (const float value : values) {
        largest = std::max(largest, std::abs(static_cast<double>(value)));
    }
    return largest;
}

/// The phase f t as exact integer arithmetic: f = F 2^-a, t = T 2^-b, and f t modulo 1 is the 32 bits of F T below bit
/// a + b. F and T have 30 bits: the error is below 2^-29 of the largest phase, which is at most 2^20 turns.
struct FixedPointProduct {
    FixedPointProduct(double largest_frequency_hz, double largest_time_s)
        : frequency_bits(bits_for(largest_frequency_hz)), time_bits(bits_for(largest_time_s)) {
        if (frequency_bits + time_bits > 64) {  // the phase is so small that fewer bits hold it
            frequency_bits = 64 - time_bits;
        }
    }
    int shift() const { return 64 - frequency_bits - time_bits; }

    int frequency_bits;  ///< a
    int time_bits;       ///< b

private:
    static int bits_for(double largest) { return largest > 0 ? std::min(30 - std::ilogb(largest) - 1, 60) : 4; }
};

/// What the kernel knows of a voxel or of a sample in single precision.
struct alignas(16) Place {
    pair_sums::Code position;
    std::int32_t factor;  ///< of the product f t: F of a voxel, T of a sample
};
struct alignas(16) DecayingPlace : Place {
    float decay;  ///< log2(e) R2* of a voxel, the seconds of a sample
};

/// Phases k r + f t, in turns with 32 bits behind the point, and the decay exp(-R2* t) if there is one.
template <class PlaceType>
struct SinglePhases {
    using Real = float;
    using Total = double;
    using Voxel = PlaceType;
    using Sample = PlaceType;
    static constexpr int unrolled_sources = 4;

    const PlaceType* voxels;
    const PlaceType* samples;
    int shift;  ///< of FixedPointProduct

    __device__ Voxel voxel(Index n) const { return voxels[n]; }
    __device__ Sample sample(Index m) const { return samples[m]; }

    __device__ DeviceComplex<float> factor(const Voxel& voxel, const Sample& sample) const {
        const auto product = static_cast<std::uint64_t>(static_cast<std::int64_t>(voxel.factor) *
                                                        static_cast<std::int64_t>(sample.factor));
        const std::uint32_t of_time =
            __funnelshift_l(static_cast<std::uint32_t>(product), static_cast<std::uint32_t>(product >> 32), shift);
        const DeviceComplex<float> phase =
            pair_sums::phase_factor(pair_sums::phase_of(voxel.position, sample.position) + of_time);
        if constexpr (std::is_same_v<PlaceType, DecayingPlace>) {
            float decay;
            asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(decay) : "f"(-voxel.decay * sample.decay));
            return decay * phase;
        } else {
            return phase;
        }
    }
};

struct DoublePlace {
    double position[3];
    double frequency_or_time;
    double decay_or_time;  ///< R2* of a voxel, the seconds of a sample
};

struct DoublePhases {
    using Real = double;
    using Total = double;
    using Voxel = DoublePlace;
    using Sample = DoublePlace;
    static constexpr int unrolled_sources = 1;

    const DoublePlace* voxels;
    const DoublePlace* samples;

    __device__ Voxel voxel(Index n) const { return voxels[n]; }
    __device__ Sample sample(Index m) const { return samples[m]; }

    /// Each product is reduced by the whole number next to it before anything is rounded.
    __device__ DeviceComplex<double> factor(const Voxel& voxel, const Sample& sample) const {
        double turns = reduced(voxel.frequency_or_time, sample.frequency_or_time);
        for (int axis = 0; axis < 3; ++axis) {
            turns += reduced(voxel.position[axis], sample.position[axis]);
        }
        DeviceComplex<double> phase;
        sincospi(2 * turns, &phase.im, &phase.re);
        const double exponent = voxel.decay_or_time * sample.decay_or_time;
        return exponent != 0 ? exp(-exponent) * phase : phase;
    }

private:
    __device__ static double reduced(double a, double b) { return fma(a, b, -rint(a * b)); }
};

/// How many slices of the sources, so that small problems fill the device; their sums fit a piece of memory.
int slice_count(const CudaQueue& queue, Index sources, Index targets, Index images, std::size_t piece_bytes) {
    const Index tiles = (sources + source_tile - 1) / source_tile;
    const double step =
        source_tile * pair_sums::threads * pair_sums::targets_per_thread * exact_sums::special_clocks_a_pair(images);
    const std::size_t slice_bytes = targets * images * sizeof(DeviceComplex<double>);
    const exact_sums::Plan plan = exact_sums::plan_slices(
        pair_sums::block_count(targets), tiles, static_cast<double>(2 * slice_bytes) * exact_sums::clocks_a_byte,
        {4 * queue.multiprocessor_count(), 4 * step});
    constexpr std::size_t most_bytes = std::size_t{1} << 30;
    const auto affordable = static_cast<int>(std::clamp<std::size_t>(std::min(most_bytes, piece_bytes) / slice_bytes, 1,
                                                                     static_cast<std::size_t>(plan.slices)));
    return affordable;
}

std::size_t running_bytes(const CudaQueue& queue, Index sources, Index targets, Index images, std::size_t piece_bytes) {
    std::size_t bytes = 0;
    for (const Index count : {1, 2, 4}) {
        if (count <= images) {
            bytes = std::max(bytes, slice_count(queue, sources, targets, count, piece_bytes) * targets * count *
                                        sizeof(DeviceComplex<double>));
        }
    }
    return bytes;
}

/// Sums with off-resonance: a sine and a cosine, and with R2* an exponential, for every pair. Tiles of sources are
/// summed in the images' precision and added in double; the same bytes every run.
template <class Phases>
class CudaOffResonanceSums final : public FourierSums {
public:
    using T = typename Phases::Real;
    using Place = typename Phases::Voxel;

    CudaOffResonanceSums(CudaBackend& backend, const VoxelGrid& grid, std::span<const Place> voxels,
                         std::span<const Place> samples, Phases phases)
        : FourierSums(grid, static_cast<Index>(samples.size()), precision_of<T>),
          backend_(backend),
          voxels_(backend.queue(), voxels),
          samples_(backend.queue(), samples),
          phases_(phases) {
        phases_.voxels = voxels_.data();
        phases_.samples = samples_.data();
    }

    std::string description() const override {
        return "exact sums with off-resonance: special functions, one sine and cosine a pair";
    }

private:
    void do_forward(ConstArrayView image, ArrayView samples) const override { sum<false>(image, samples); }
    void do_adjoint(ConstArrayView samples, ArrayView image) const override { sum<true>(samples, image); }

    template <bool adjoint>
    void sum(ConstArrayView in, ArrayView out) const {
        backend_.require_here("input of sums with off-resonance", in, precision());
        backend_.require_here("output of sums with off-resonance", out, precision());
        const Index batch = in.shape().extent(in.shape().rank() - 1);
        const Index sources = in.size() / batch;
        const Index targets = out.size() / batch;
        const CudaQueue& queue = backend_.queue();
        pair_sums::for_each_few_images(batch, [&](Index first, auto count) {
            const int slices = slice_count(queue, sources, targets, count(), queue.memory().piece_bytes());
            DeviceBuffer<DeviceComplex<double>> partial(backend_.queue(), slices * targets * count());
            const dim3 blocks(static_cast<unsigned>(pair_sums::block_count(targets)), static_cast<unsigned>(slices));
            pair_sums::pair_sums_kernel<Phases, count(), adjoint><<<blocks, pair_sums::threads, 0, queue.stream()>>>(
                phases_, as_device(in.data<T>()) + first * sources, sources, partial.data(), targets, sources, targets,
                targets * count());
            check_launch();
            const Index results = targets * count();
            pair_sums::add_slices_kernel<<<blocks_for(results, 256), 256, 0, queue.stream()>>>(
                partial.data(), results, slices, as_device(out.data<T>()) + first * targets);
            check_launch();
        });
    }

    CudaBackend& backend_;
    DeviceBuffer<Place> voxels_;
    DeviceBuffer<Place> samples_;
    Phases phases_;
};

/// Calls function(n, index of the voxel along each axis), x fastest.
template <class Function>
void for_each_voxel(const VoxelGrid& grid, Function&& function) {
    const PerAxis<Index> extent = grid.shape.matrix_size();
    Index n = 0;
    for (Index z = 0; z < extent[2]; ++z) {
        for (Index y = 0; y < extent[1]; ++y) {
            for (Index x = 0; x < extent[0]; ++x) {
                function(n++, PerAxis<Index>{x, y, z});
            }
        }
    }
}

std::int32_t fixed_point(double value, int bits) {
    return static_cast<std::int32_t>(std::llrint(std::ldexp(value, bits)));
}

template <class PlaceType>
std::unique_ptr<FourierSums> make_single(CudaBackend& backend, const Trajectory& trajectory, const VoxelGrid& grid,
                                         std::span<const float> sample_times_s, const OffResonanceMaps& maps) {
    const double largest_time = largest_modulus(sample_times_s);
    const double largest_frequency = largest_modulus(maps.off_resonance_hz);
    constexpr double most_turns = 1 << 20;
    if (!(largest_time * largest_frequency < most_turns)) {
        throw InputError(backend.name() +
                         ": frequencies of the field map times sample times reach a million turns; check their units "
                         "(Hz, s), or use `precision` double");
    }
    const FixedPointProduct product(largest_frequency, largest_time);
    std::vector<PlaceType> voxels(grid.shape.element_count());
    for_each_voxel(grid, [&](Index n, const PerAxis<Index>& index) {
        for (int axis = 0; axis < 3; ++axis) {
            voxels[n].position.at[axis] = static_cast<std::uint32_t>(index[axis] - grid.origin[axis]);
        }
        voxels[n].factor = fixed_point(maps.frequency_hz(n), product.frequency_bits);
        if constexpr (std::is_same_v<PlaceType, DecayingPlace>) {
            voxels[n].decay = static_cast<float>(log2_e * maps.decay_per_s(n));
        }
    });
    std::vector<PlaceType> samples(trajectory.sample_count());
    for (Index m = 0; m < trajectory.sample_count(); ++m) {
        for (int axis = 0; axis < 3; ++axis) {
            samples[m].position.at[axis] = turn_code(trajectory.k[axis][m] * grid.spacing[axis]);
        }
        samples[m].factor = fixed_point(sample_times_s[m], product.time_bits);
        if constexpr (std::is_same_v<PlaceType, DecayingPlace>) {
            samples[m].decay = sample_times_s[m];
        }
    }
    using Phases = SinglePhases<PlaceType>;
    return std::make_unique<CudaOffResonanceSums<Phases>>(backend, grid, voxels, samples,
                                                          Phases{nullptr, nullptr, product.shift()});
}

std::unique_ptr<FourierSums> make_double(CudaBackend& backend, const Trajectory& trajectory, const VoxelGrid& grid,
                                         std::span<const float> sample_times_s, const OffResonanceMaps& maps) {
    std::vector<DoublePlace> voxels(grid.shape.element_count());
    for_each_voxel(grid, [&](Index n, const PerAxis<Index>& index) {
        voxels[n] = {{grid.position(0, index[0]), grid.position(1, index[1]), grid.position(2, index[2])},
                     maps.frequency_hz(n),
                     maps.decay_per_s(n)};
    });
    std::vector<DoublePlace> samples(trajectory.sample_count());
    for (Index m = 0; m < trajectory.sample_count(); ++m) {
        samples[m] = {
            {trajectory.k[0][m], trajectory.k[1][m], trajectory.k[2][m]}, sample_times_s[m], sample_times_s[m]};
    }
    return std::make_unique<CudaOffResonanceSums<DoublePhases>>(backend, grid, voxels, samples,
                                                                DoublePhases{nullptr, nullptr});
}

}  // namespace

std::unique_ptr<FourierSums> make_cuda_off_resonance_sums(CudaBackend& backend, const Trajectory& trajectory,
                                                          const VoxelGrid& grid, std::span<const float> sample_times_s,
                                                          const OffResonanceMaps& maps, Precision precision) {
    require_equal_lengths("sums with off-resonance: trajectory", trajectory.k);
    require_sample_times(sample_times_s, trajectory.sample_count());
    maps.require_valid(grid.shape.element_count());
    if (precision == Precision::double_) {
        return make_double(backend, trajectory, grid, sample_times_s, maps);
    }
    return maps.relaxation_rate_per_s.empty()
               ? make_single<Place>(backend, trajectory, grid, sample_times_s, maps)
               : make_single<DecayingPlace>(backend, trajectory, grid, sample_times_s, maps);
}

PlanBytes CudaPlanSizes::off_resonance_sums(const VoxelGrid& grid, Index sample_count, Index image_count,
                                            Precision precision, std::size_t piece_bytes) const {
    const Index voxel_count = grid.shape.element_count();
    const std::size_t place = precision == Precision::single ? sizeof(DecayingPlace) : sizeof(DoublePlace);
    return {(voxel_count + sample_count) * place, 0,
            std::max(running_bytes(*queue_, sample_count, voxel_count, image_count, piece_bytes),
                     running_bytes(*queue_, voxel_count, sample_count, image_count, piece_bytes))};
}

}  // namespace recon
