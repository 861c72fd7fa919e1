// Mirrors core/backend/cpu/cpu_exact_sums.cpp.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "core/base/error.hpp"
#include "gpu/backend/cuda_backend.cuh"
#include "gpu/exact/cuda_exact_sums_double.cuh"
#include "gpu/exact/cuda_exact_sums_pieces.cuh"

namespace recon {
namespace {

using namespace exact_sums;
using Method = ExactSumsMethod;

constexpr int promotion_steps = 8;  ///< 256 samples: tensor cores truncate; error 1e-6, against 2e-6 for 512

template <class T>
T round_up(T n, T to) {
    return (n + to - 1) / to * to;
}

bool on_tensor_cores(Method method) { return method != Method::special_functions; }

class CudaExactSums final : public FourierSums {
public:
    CudaExactSums(CudaBackend& backend, const Trajectory& trajectory, const VoxelGrid& grid, Precision precision,
                  Method method)
        : FourierSums(grid, trajectory.sample_count(), precision), backend_(backend), method_(method) {
        pieces();  // says what cannot be
        for (int a = 0; a < 3; ++a) {
            const Index extent = grid.shape.matrix_size()[a];
            centre_.offset[a] =
                (static_cast<double>(extent - 1) / 2 - static_cast<double>(grid.origin[a])) * grid.spacing[a];
            k_[a] = DeviceBuffer<double>(queue(), std::span<const double>(trajectory.k[a]));
            positions_.k[a] = k_[a].data();
        }
        positions_.count = trajectory.sample_count();
    }

    std::string description() const override {
        if (precision() == Precision::double_) {
            return "exact sums: separable factors, fp64 matrix instructions";
        }
        const ExactSumsPieces::Choice choice = pieces().choose_adjoint(1);
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
    CudaQueue& queue() const { return backend_.queue(); }
    ExactSumsPieces pieces() const {
        return {queue(), grid(), sample_count(), precision(), method_, queue().memory().piece_bytes()};
    }

    void do_forward(ConstArrayView image, ArrayView samples) const override {
        check_operands(image, samples);
        for_each_piece(image, samples, [&](ConstArrayView images, ArrayView of_samples, int batch) {
            if (precision() == Precision::double_) {
                forward_double(as_device(images.data<double>()), as_device(of_samples.data<double>()), batch);
            } else {
                const ExactSumsPieces::Choice choice = pieces().choose_forward(batch);
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
                const ExactSumsPieces::Choice choice = pieces().choose_adjoint(batch);
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

    template <class Function>
    void for_each_piece(ConstArrayView in, ArrayView out, Function&& function) const {
        const Index batch = in.shape().extent(in.shape().rank() - 1);
        const Index piece = pieces().images_at_once(batch);
        for (Index first = 0; first < batch; first += piece) {
            const Index count = std::min(piece, batch - first);
            function(in.slices(first, count), out.slices(first, count), static_cast<int>(count));
        }
    }

    SpecialSums special_sums() const {
        SpecialSums work{positions_, {}, {}, {}};
        for (int a = 0; a < 3; ++a) {
            work.extent[a] = static_cast<int>(grid().shape.extent(a));
            work.origin[a] = static_cast<int>(grid().origin[a]);
            work.spacing[a] = grid().spacing[a];
        }
        return work;
    }

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

    template <class Function>
    void for_each_chunk(const Chunk& largest, Function&& function) const {
        for (Index first = 0; first < sample_count(); first += largest.count) {
            function(Chunk{first, static_cast<int>(std::min<Index>(largest.count, sample_count() - first))});
        }
    }

    void adjoint_tensor(const Complex* samples, Complex* image, int batch,
                        const ExactSumsPieces::Choice& choice) const {
        const cudaStream_t stream = queue().stream();
        const Tiling t = pieces().tiling(batch);
        const Chunk largest = pieces().adjoint_chunk(t);
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
        const ForwardTiling t = pieces().forward_tiling(batch);
        const Chunk largest = pieces().forward_chunk(t, slices);
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

    void adjoint_double(const DeviceComplex<double>* samples, DeviceComplex<double>* image, int batch) const {
        const cudaStream_t stream = queue().stream();
        const Tiling t = pieces().tiling(batch);
        const Chunk largest = pieces().double_adjoint_chunk(t);
        const Index padded = round_up<Index>(largest.count, 64);
        const int slices = pieces().double_adjoint_slices(t, padded);
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
        const Tiling t = pieces().tiling(batch);
        const Chunk largest = pieces().double_forward_chunk(t);
        const Index padded = round_up<Index>(largest.count, 64);
        const int slices = pieces().double_forward_slices(t, padded);
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
    Fold centre_{};
    DeviceBuffer<double> k_[3];
    exact_sums::Positions positions_{};
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
