// Mirrors core/cpu/cpu_exact_sums.cpp.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "core/error.hpp"
#include "gpu/cuda_backend.cuh"
#include "gpu/cuda_exact_sums_double.cuh"
#include "gpu/cuda_exact_sums_kernels.cuh"
#include "gpu/exact_sums_cost.hpp"
#include "gpu/exact_sums_method.hpp"

namespace recon {
namespace {

using namespace exact_sums;
using Method = ExactSumsMethod;

constexpr std::size_t factor_bytes = std::size_t{256} << 20;  ///< of one run of samples
constexpr int promotion_steps = 8;  ///< 256 samples: tensor cores truncate; error 1e-6, against 2e-6 for 512

template <class T>
T round_up(T n, T to) {
    return (n + to - 1) / to * to;
}

bool on_tensor_cores(Method method) { return method != Method::special_functions; }

struct Choice {
    Method method;
    Plan plan;
};

class CudaExactSums final : public FourierSums {
public:
    CudaExactSums(CudaBackend& backend, const Trajectory& trajectory, const VoxelGrid& grid, Precision precision,
                  Method method)
        : FourierSums(grid, trajectory.sample_count(), precision), backend_(backend), method_(method) {
        for (int a = 0; a < 3; ++a) {
            const Index extent = grid.shape.matrix_size()[a];
            if (extent > most_extent) {
                throw InputError(backend.name() + ": exact sums on a grid " + grid.shape.text() + ", at most " +
                                 std::to_string(most_extent) + " voxels along an axis; use the NUFFT");
            }
            axis_[a] = {static_cast<int>(extent), grid.spacing[a]};
            centre_.offset[a] =
                (static_cast<double>(extent - 1) / 2 - static_cast<double>(grid.origin[a])) * grid.spacing[a];
            k_[a] = DeviceBuffer<double>(queue(), std::span<const double>(trajectory.k[a]));
            positions_.k[a] = k_[a].data();
            is_far_ = is_far_ || std::abs(grid.origin[a]) > most_extent;
        }
        positions_.count = trajectory.sample_count();
        if (method == Method::warp_group_matrix && !has_warp_groups()) {
            throw UsageError(backend.name() + ": warp-group matrix instructions need compute capability 9.0");
        }
    }

    std::string description() const override {
        if (precision() == Precision::double_) {
            return "exact sums: separable factors, fp64 matrix instructions";
        }
        const Choice choice = choose_adjoint(1);
        const char* name = choice.method == Method::warp_group_matrix
                               ? "separable factors, split half precision, warp-group matrix instructions"
                           : choice.method == Method::warp_matrix
                               ? "separable factors, split half precision, matrix instructions"
                               : "special functions, one sine and cosine a pair";
        int kilohertz = 0;
        check(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, backend_.queue().ordinal()));
        char text[200];
        std::snprintf(text, sizeof text, "exact sums: %s; %.3g ms an adjoint predicted", name,
                      choice.plan.clocks / kilohertz);
        return text;
    }

private:
    static constexpr Index most_extent = 4096;

    CudaQueue& queue() const { return backend_.queue(); }
    bool has_warp_groups() const { return queue().properties().major == 9 && queue().properties().minor == 0; }

    void do_forward(ConstArrayView image, ArrayView samples) const override {
        check_operands(image, samples);
        for_each_piece(image, samples, [&](ConstArrayView images, ArrayView of_samples, int batch) {
            if (precision() == Precision::double_) {
                forward_double(as_device(images.data<double>()), as_device(of_samples.data<double>()), batch);
            } else {
                const Choice choice = choose_forward(batch);
                const auto* in = as_device(images.data<float>());
                auto* out = as_device(of_samples.data<float>());
                on_tensor_cores(choice.method)
                    ? forward_tensor(in, out, batch, choice.plan.slices)
                    : special(in, out, batch, choice.plan.slices, special_forward, sample_count());
            }
        });
    }

    void do_adjoint(ConstArrayView samples, ArrayView image) const override {
        check_operands(image, samples);
        for_each_piece(samples, image, [&](ConstArrayView of_samples, ArrayView images, int batch) {
            if (precision() == Precision::double_) {
                adjoint_double(as_device(of_samples.data<double>()), as_device(images.data<double>()), batch);
            } else {
                const Choice choice = choose_adjoint(batch);
                const auto* in = as_device(of_samples.data<float>());
                auto* out = as_device(images.data<float>());
                on_tensor_cores(choice.method)
                    ? adjoint_tensor(in, out, batch, choice)
                    : special(in, out, batch, choice.plan.slices, special_adjoint, grid().shape.element_count());
            }
        });
    }

    void check_operands(ConstArrayView image, ConstArrayView samples) const {
        backend_.require_here("image of exact sums", image, precision());
        backend_.require_here("samples of exact sums", samples, precision());
    }

    /// Batches as large as half of the free memory allows: their real sums are the largest thing to hold.
    template <class Function>
    void for_each_piece(ConstArrayView in, ArrayView out, Function&& function) const {
        const Index batch = in.shape().extent(in.shape().rank() - 1);
        const Tiling one = tiling(1);
        const std::size_t each = static_cast<std::size_t>(one.sums_size()) * complex_bytes(precision()) / 2;
        const auto fitting = static_cast<Index>(queue().memory_free_bytes() / 2 / each);
        const Index blocks_limit = Index{65535} / axis_[2].cosine_count();  // batch and z share a grid axis
        const Index piece = std::clamp<Index>(std::min(fitting, blocks_limit), 1, batch);
        for (Index first = 0; first < batch; first += piece) {
            const Index count = std::min(piece, batch - first);
            function(in.slices(first, count), out.slices(first, count), static_cast<int>(count));
        }
    }

    Tiling tiling(int batch) const {
        const bool single = precision() == Precision::single;
        Tiling tiling;
        tiling.parts = 2 * batch;
        std::copy_n(axis_, 3, tiling.axis);
        tiling.u_padded = round_up(tiling.u_count(), Tiling::u_tile);
        tiling.y_padded = round_up(axis_[1].extent, single ? 32 : 8);
        tiling.x_padded = round_up(axis_[0].extent, 64);
        tiling.column_tile = single && tiling.x_padded % 128 == 0 ? 128 : 64;
        return tiling;
    }

    ForwardTiling forward_tiling(int batch) const {
        ForwardTiling best;
        for (int z_tile = 16; z_tile > 0; z_tile /= 2) {
            ForwardTiling tiling;
            tiling.parts = 2 * batch;
            std::copy_n(axis_, 3, tiling.axis);
            tiling.x_groups = (axis_[0].extent + Tiling::group - 1) / Tiling::group;
            tiling.z_tile = z_tile;
            tiling.y_tiles = (axis_[1].extent + tiling.y_tile() - 1) / tiling.y_tile();
            tiling.z_tiles = (axis_[2].extent + z_tile - 1) / z_tile;
            if (best.parts == 0 || tiling.tiles_per_part() < best.tiles_per_part()) {
                best = tiling;
            }
        }
        return best;
    }

    SpecialSums special_sums() const {
        SpecialSums work{positions_, {}, {}, {}};
        for (int a = 0; a < 3; ++a) {
            work.extent[a] = axis_[a].extent;
            work.origin[a] = static_cast<int>(grid().origin[a]);
            work.spacing[a] = axis_[a].spacing;
        }
        return work;
    }

    Choice cheaper(Method tensor, const Plan& plan, Index results, Index sources, int batch) const {
        constexpr Index source_tile = 128;
        const int multiprocessors = queue().multiprocessor_count();
        const Index blocks = special_blocks(results);
        // A block of 128 threads does a quarter of what keeps a multiprocessor busy: four times as many fill the
        // device.
        const double step = 128 * 512 * special_clocks_a_pair(batch);
        Plan special = plan_slices(blocks, (sources + source_tile - 1) / source_tile,
                                   static_cast<double>(results * batch) * 2 * sizeof(Complex) * clocks_a_byte,
                                   {4 * multiprocessors, 4 * step});
        special.clocks += static_cast<double>(2 + batch / 4) * launch_clocks;
        if (method_ == Method::special_functions ||
            (method_ == Method::automatic && !is_far_ && special.clocks < plan.clocks)) {
            return {Method::special_functions, special};
        }
        return {tensor, plan};
    }

    Choice choose_adjoint(int batch) const {
        const Tiling t = tiling(batch);
        const bool groups = has_warp_groups() && method_ != Method::warp_matrix;
        const Index blocks = Index{t.u_padded / Tiling::u_tile} * (t.y_padded / (groups ? 32 : 16)) * t.column_tiles();
        Plan plan = plan_slices(blocks, (sample_count() + 31) / 32,
                                static_cast<double>(t.sums_size()) * 2 * sizeof(float) * clocks_a_byte,
                                {queue().multiprocessor_count(), adjoint_step_clocks * t.column_tile / 128});
        plan.clocks += 11 * launch_clocks + factor_clocks(t.u_padded + t.y_padded + t.x_padded);
        return cheaper(groups ? Method::warp_group_matrix : Method::warp_matrix, plan, grid().shape.element_count(),
                       sample_count(), batch);
    }

    Choice choose_forward(int batch) const {
        const ForwardTiling t = forward_tiling(batch);
        const Index tiles = (sample_count() + 127) / 128;
        // Blocks and slices of columns: `steps` are the tiles of one part.
        const double tile_clocks = (t.x_groups + 1) / 2 * forward_step_clocks;
        Plan plan = plan_slices(tiles * t.parts, t.tiles_per_part(),
                                static_cast<double>(sample_count() * t.parts) * 4 * sizeof(float) * clocks_a_byte,
                                {queue().multiprocessor_count(), tile_clocks});
        plan.clocks += 10 * launch_clocks + factor_clocks(t.x_groups * Tiling::group + t.y_padded() + t.z_padded());
        return cheaper(Method::warp_matrix, plan, sample_count(), grid().shape.element_count(), batch);
    }

    /// Writing the factors of all samples and reading them.
    double factor_clocks(int factors_a_sample) const {
        return static_cast<double>(sample_count()) * factors_a_sample * 2 * sizeof(float) * clocks_a_byte;
    }

    /// 32 samples of one block; both measured on an H200, where they take the same time for 256 and for 128 rows.
    static constexpr double adjoint_step_clocks = 2500;
    static constexpr double forward_step_clocks = 2700;

    using SpecialFunction = void (*)(const SpecialSums&, const Complex*, int, Complex*, int, Complex*, cudaStream_t);
    void special(const Complex* in, Complex* out, int batch, int slices, SpecialFunction function,
                 Index result_count) const {
        DeviceBuffer<Complex> partial;
        if (slices > 1) {
            partial = DeviceBuffer<Complex>(queue(), result_count * batch * slices);
        }
        function(special_sums(), in, batch, out, slices, partial.data(), queue().stream());
    }

    DeviceBuffer<float> peaks(const Complex* values, Index count, int batch) const {
        DeviceBuffer<float> peaks(queue(), batch);
        check(cudaMemsetAsync(peaks.data(), 0, static_cast<std::size_t>(batch) * sizeof(float), queue().stream()));
        find_peaks(values, count, batch, peaks.data(), queue().stream());
        return peaks;
    }

    /// Samples whose factors, of so many bytes each, are held at a time.
    Chunk largest_chunk(std::size_t bytes_a_sample) const {
        const auto fitting = static_cast<Index>(factor_bytes / bytes_a_sample);
        const Index length = std::clamp<Index>(fitting / 512 * 512, 2048, Index{1} << 20);
        return {0, static_cast<int>(std::min(length, sample_count()))};
    }

    template <class Function>
    void for_each_chunk(const Chunk& largest, Function&& function) const {
        for (Index first = 0; first < sample_count(); first += largest.count) {
            function(Chunk{first, static_cast<int>(std::min<Index>(largest.count, sample_count() - first))});
        }
    }

    void adjoint_tensor(const Complex* samples, Complex* image, int batch, const Choice& choice) const {
        const cudaStream_t stream = queue().stream();
        const Tiling t = tiling(batch);
        const Chunk largest = largest_chunk(sizeof(float) * (t.u_padded + t.y_padded + t.x_padded + t.parts));
        const Index padded = Index{largest.groups()} * Tiling::group;
        const int slices = std::min(choice.plan.slices, largest.groups() / 2);
        const DeviceBuffer<float> peak = peaks(samples, sample_count(), batch);
        DeviceBuffer<float> parts(queue(), Index{t.parts} * largest.count);
        DeviceBuffer<float> w(queue(), padded * t.u_padded);
        DeviceBuffer<float> v(queue(), padded * t.y_padded);
        DeviceBuffer<__half> b(queue(), Index{largest.groups()} * packed_group(t.column_tile) * t.column_tiles());
        DeviceBuffer<float> sums(queue(), slices * t.sums_size());
        for_each_chunk(largest, [&](const Chunk& chunk) {
            fold_samples(positions_, centre_, samples, batch, peak.data(), chunk, parts.data(), stream);
            make_row_factors(positions_, t, parts.data(), chunk, w.data(), stream);
            make_y_factors(positions_, t, chunk, v.data(), stream);
            make_column_factors(positions_, t, chunk, b.data(), stream);
            const TensorSums work{t,      w.data(),        v.data(),       b.data(), sums.data(), chunk.groups(),
                                  slices, promotion_steps, chunk.first > 0};
            choice.method == Method::warp_group_matrix ? hopper_adjoint(work, stream) : tensor_adjoint(work, stream);
        });
        unfold_sums(t, sums.data(), slices, peak.data(), image, stream);
    }

    void forward_tensor(const Complex* image, Complex* samples, int batch, int slices) const {
        const cudaStream_t stream = queue().stream();
        const ForwardTiling t = forward_tiling(batch);
        const Chunk largest = largest_chunk(
            sizeof(float) * (t.x_groups * Tiling::group + t.y_padded() + t.z_padded() + 2 * slices * t.parts));
        const Index padded = round_up<Index>(largest.count, 128);
        const DeviceBuffer<float> peak = peaks(image, grid().shape.element_count(), batch);
        DeviceBuffer<__half> b(queue(), t.packed_size());
        DeviceBuffer<__half> a(queue(), padded / 128 * t.x_groups * packed_group(t.tile_columns));
        DeviceBuffer<float> y_factors(queue(), padded * t.y_padded());
        DeviceBuffer<float> z_factors(queue(), padded * t.z_padded());
        DeviceBuffer<float> partial(queue(), padded * t.parts * slices * 2);
        fold_image(t, image, peak.data(), b.data(), stream);
        for_each_chunk(largest, [&](const Chunk& chunk) {
            const Index chunk_padded = round_up<Index>(chunk.count, 128);
            make_forward_factors(positions_, t, chunk, chunk_padded, a.data(), y_factors.data(), z_factors.data(),
                                 stream);
            const ForwardSums work{
                t, a.data(), b.data(), y_factors.data(), z_factors.data(), partial.data(), chunk_padded, slices};
            tensor_forward(work, queue().shared_memory_per_block(), stream);
            unfold_samples(positions_, centre_, work, chunk, peak.data(), samples, stream);
        });
    }

    /// The factors of one run of samples, in double.
    struct DoubleFactors {
        DeviceBuffer<double> x;
        DeviceBuffer<double> y;
        DeviceBuffer<double> z;
    };
    DoubleFactors double_factors(const Tiling& t, Index padded) const {
        return {DeviceBuffer<double>(queue(), padded * t.x_padded), DeviceBuffer<double>(queue(), padded * t.y_padded),
                DeviceBuffer<double>(queue(), padded * t.axis[2].extent)};
    }

    Plan double_plan(Index blocks, Index steps) const {
        return plan_slices(blocks, steps, 1000, {4 * queue().multiprocessor_count(), 4 * 1024});
    }

    void adjoint_double(const DeviceComplex<double>* samples, DeviceComplex<double>* image, int batch) const {
        const cudaStream_t stream = queue().stream();
        const Tiling t = tiling(batch);
        const Chunk largest = largest_chunk(sizeof(double) * (t.u_padded + t.y_padded + t.x_padded + t.axis[2].extent));
        const Index padded = round_up<Index>(largest.count, 64);
        const int slices = double_plan(Index{t.u_padded} * t.y_padded / 64 * (t.x_padded / 64), padded / 16).slices;
        DoubleFactors factors = double_factors(t, padded);
        DeviceBuffer<double> w(queue(), padded * t.u_padded);
        DeviceBuffer<double> sums(queue(), slices * t.sums_size());
        for_each_chunk(largest, [&](const Chunk& chunk) {
            make_double_factors(positions_, t, chunk, padded, factors.x.data(), factors.y.data(), factors.z.data(),
                                stream);
            make_double_rows(positions_, centre_, t, samples, chunk, factors.z.data(), padded, w.data(), stream);
            double_adjoint({t, w.data(), factors.x.data(), factors.y.data(), factors.z.data(), sums.data(), nullptr,
                            padded, slices, chunk.first > 0},
                           stream);
        });
        unfold_double_sums(t, sums.data(), slices, image, stream);
    }

    void forward_double(const DeviceComplex<double>* image, DeviceComplex<double>* samples, int batch) const {
        const cudaStream_t stream = queue().stream();
        const Tiling t = tiling(batch);
        const Chunk largest =
            largest_chunk(sizeof(double) * (t.y_padded + t.x_padded + t.axis[2].extent + 8 * t.parts));
        const Index padded = round_up<Index>(largest.count, 64);
        const Index tiles = (Index{t.axis[2].extent} * t.y_padded + 63) / 64;
        const int slices = double_plan(padded / 64 * t.parts, tiles * (t.x_padded / 16)).slices;
        DoubleFactors factors = double_factors(t, padded);
        DeviceBuffer<double> coefficients(queue(), t.sums_size());
        DeviceBuffer<double> partial(queue(), padded * t.parts * slices * 2);
        fold_double_image(t, image, coefficients.data(), stream);
        for_each_chunk(largest, [&](const Chunk& chunk) {
            make_double_factors(positions_, t, chunk, padded, factors.x.data(), factors.y.data(), factors.z.data(),
                                stream);
            const DoubleSums work{t,
                                  nullptr,
                                  factors.x.data(),
                                  factors.y.data(),
                                  factors.z.data(),
                                  coefficients.data(),
                                  partial.data(),
                                  padded,
                                  slices,
                                  false};
            double_forward(work, stream);
            unfold_double_samples(positions_, centre_, work, chunk, samples, stream);
        });
    }

    CudaBackend& backend_;
    Method method_;
    HalfAxis axis_[3];
    Fold centre_{};
    DeviceBuffer<double> k_[3];
    exact_sums::Positions positions_{};
    bool is_far_ = false;  ///< an origin so far from the grid that 32 bits of a turn do not carry the phase there
};

}  // namespace

std::unique_ptr<FourierSums> make_cuda_exact_sums(CudaBackend& backend, const Trajectory& trajectory,
                                                  const VoxelGrid& grid, Precision precision) {
    return std::make_unique<CudaExactSums>(backend, trajectory, grid, precision, Method::automatic);
}

std::unique_ptr<FourierSums> make_cuda_exact_sums(Backend& cuda, const Trajectory& trajectory, const VoxelGrid& grid,
                                                  Precision precision, ExactSumsMethod method) {
    auto* backend = dynamic_cast<CudaBackend*>(&cuda);
    if (!backend) {
        throw UsageError("exact sums by a method of the GPU were asked of " + cuda.name());
    }
    return std::make_unique<CudaExactSums>(*backend, trajectory, grid, precision, method);
}

}  // namespace recon
