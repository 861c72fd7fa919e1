#include "core/backend/cpu/cpu_backend.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <Eigen/Core>
#include <algorithm>
#include <cstring>
#include <numeric>

#include "core/backend/cpu/cpu_image_primitives.hpp"
#include "core/backend/cpu/cpu_plan_sizes.hpp"
#include "core/backend/cpu/exact/exact_cost.hpp"
#include "core/backend/cpu/fft/toeplitz_cost.hpp"
#include "core/backend/cpu/simd/complex_dot.hpp"
#include "core/backend/cpu/simd/lanes.hpp"
#include "core/backend/cpu/vector_pieces.hpp"
#include "core/base/available_memory.hpp"
#include "core/base/cpu_memory.hpp"
#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/base/number_text.hpp"
#include "core/base/threads/cpu_count.hpp"
#include "core/base/threads/startable_threads.hpp"
#include "core/fourier/nufft_design.hpp"

namespace recon {
namespace {

template <class T>
using Vector = Eigen::Matrix<std::complex<T>, Eigen::Dynamic, 1>;
template <class T>
using ConstSegment = Eigen::Map<const Vector<T>>;
template <class T>
using Segment = Eigen::Map<Vector<T>>;

template <class From, class To>
void convert(const From* from, To* to, Index size) {
    if constexpr (std::is_same_v<From, To>) {
        for_each_piece(size, [&](Index i, Index n) { std::memcpy(to + i, from + i, n * sizeof(To)); });
    } else {
        for_each_piece(size, [&](Index i, Index n) {
            std::transform(from + i, from + i + n, to + i, [](const From& value) { return To(value); });
        });
    }
}

void convert(const void* from, Precision from_precision, void* to, Precision to_precision, Index size) {
    with_precision(from_precision, [&](auto from_tag) {
        with_precision(to_precision, [&](auto to_tag) {
            convert(static_cast<const std::complex<decltype(from_tag)>*>(from),
                    static_cast<std::complex<decltype(to_tag)>*>(to), size);
        });
    });
}

class CpuBackend final : public Backend {
public:
    explicit CpuBackend(int thread_count) {
        const int wanted = thread_count > 0 ? thread_count : usable_cpu_count();
        const int startable = std::max(1, startable_threads(wanted + 1) - 1);  // and one to watch the others
        if (startable < wanted) {
            log_warning("the system refuses to start {} threads: {} are used", wanted, startable);
        }
        omp_set_num_threads(std::min(wanted, startable));
    }

    std::string name() const override { return "cpu"; }
    std::string description() const override {
        return fmt::format("CPU, {}, {}, {:.1f} GB of memory available", counted(omp_get_max_threads(), "thread"),
                           vector_unit, static_cast<double>(available_memory().bytes) / 1e9);
    }

    std::size_t memory_free_bytes() const override {
        return std::min(free_cpu_memory_bytes(omp_get_max_threads()), memory().left());
    }
    MemoryBudget& memory() const override { return cpu_memory(); }
    bool memory_is_host() const override { return true; }
    const PlanSizes& plan_sizes() const override { return plan_sizes_; }

    void* allocate(std::size_t bytes) override { return allocate_cpu_memory(bytes); }
    void deallocate(void* data, std::size_t bytes) noexcept override { release_cpu_memory(data, bytes); }

    void upload(const void* host, Precision host_precision, ArrayView array) override {
        convert(host, host_precision, array.address(), array.precision(), array.size());
    }
    void download(ConstArrayView array, void* host, Precision host_precision) override {
        convert(array.address(), array.precision(), host, host_precision, array.size());
    }
    void synchronize() override {}
    const ImagePrimitives& image_primitives() const override { return image_primitives_; }

    double predicted_exact_seconds(const VoxelGrid& grid, Index sample_count, Index transform_count,
                                   Precision precision) const override {
        return predicted_cpu_exact_seconds(grid, sample_count, transform_count, precision);
    }
    double predicted_nufft_seconds(const NufftDesign& design, Index sample_count, Index transform_count,
                                   Precision precision) const override {
        return predicted_cpu_nufft_seconds(design, sample_count, transform_count, precision);
    }
    double predicted_toeplitz_seconds(const Shape& image_shape, Index coil_count, Precision precision) const override {
        return predicted_cpu_toeplitz_seconds(image_shape, coil_count, precision);
    }
    const CpuCosts& nufft_design_costs() const override { return cpu_costs(); }

    std::unique_ptr<FourierSums> make_exact_sums(const Trajectory& trajectory, const VoxelGrid& grid,
                                                 Precision precision) override {
        return make_cpu_exact_sums(trajectory, grid, precision);
    }
    std::unique_ptr<GriddingPlan> make_gridding(const Trajectory& trajectory, const GriddingGeometry& geometry,
                                                Precision precision) override {
        return make_cpu_gridding(trajectory, geometry, precision);
    }
    std::unique_ptr<PaddedFftPlan> make_padded_fft(const PaddedFftGeometry& geometry, Precision precision) override {
        return make_cpu_padded_fft(geometry, precision);
    }
    std::unique_ptr<ToeplitzPlan> make_toeplitz(const Shape& image_shape, ConstArrayView q, Precision precision,
                                                std::optional<Array> modulation) override {
        return make_cpu_toeplitz(image_shape, q, precision, std::move(modulation));
    }
    std::unique_ptr<ToeplitzPlan> make_circulant(const Shape& image_shape, ConstArrayView factors,
                                                 Precision precision) override {
        return make_cpu_circulant(image_shape, factors, precision);
    }
    std::unique_ptr<PositionSums> make_position_sums(const Trajectory& trajectory, const Positions& positions,
                                                     Precision precision) override {
        return make_cpu_position_sums(trajectory, positions, precision);
    }
    std::unique_ptr<FourierSums> make_off_resonance_sums(const Trajectory& trajectory, const VoxelGrid& grid,
                                                         std::span<const float> sample_times_s,
                                                         const OffResonanceMaps& maps, Precision precision) override {
        return make_cpu_off_resonance_sums(trajectory, grid, sample_times_s, maps, precision);
    }

private:
    void do_fill(cdouble value, ArrayView y) override {
        with_precision(y.precision(), [&](auto tag) {
            using T = decltype(tag);
            for_each_piece(y.size(), [&](Index i, Index n) {
                std::fill_n(y.data<T>() + i, n, static_cast<std::complex<T>>(value));
            });
        });
    }

    void do_fill_white(const WhiteNoise& noise, Index first, ArrayView y) override {
        with_precision(y.precision(), [&](auto tag) {
            using T = decltype(tag);
            for_each_piece(y.size(), [&](Index offset, Index length) {
                for (Index i = offset; i < offset + length; ++i) {
                    const auto [re, im] = noise.number<T>(first + i);
                    y.data<T>()[i] = {re, im};
                }
            });
        });
    }

    void do_copy(ConstArrayView x, ArrayView y) override {
        convert(x.address(), x.precision(), y.address(), y.precision(), y.size());
    }

    void do_scale(cdouble alpha, ArrayView y) override {
        with_precision(y.precision(), [&](auto tag) {
            using T = decltype(tag);
            for_each_piece(y.size(), [&](Index i, Index n) {
                Segment<T>(y.data<T>() + i, n) *= static_cast<std::complex<T>>(alpha);
            });
        });
    }

    void do_axpby(cdouble alpha, ConstArrayView x, cdouble beta, ArrayView y) override {
        with_precision(y.precision(), [&](auto tag) {
            using T = decltype(tag);
            const auto a = static_cast<std::complex<T>>(alpha);
            const auto b = static_cast<std::complex<T>>(beta);
            for_each_piece(y.size(), [&](Index i, Index n) {
                Segment<T> out(y.data<T>() + i, n);
                out = a * ConstSegment<T>(x.data<T>() + i, n) + b * out;
            });
        });
    }

    void do_multiply(Conjugate conjugate, ConstArrayView m, ConstArrayView x, Accumulate accumulate,
                     ArrayView y) override {
        with_precision(y.precision(), [&](auto tag) {
            using T = decltype(tag);
            for_each_piece(y.size(), [&](Index i, Index n) {
                const ConstSegment<T> factor(m.data<T>() + i, n);
                const ConstSegment<T> in(x.data<T>() + i, n);
                Segment<T> out(y.data<T>() + i, n);
                const auto store = [&](const auto& product) {
                    if (accumulate == Accumulate::yes) {
                        out += product;
                    } else {
                        out = product;
                    }
                };
                if (conjugate == Conjugate::yes) {
                    store(factor.conjugate().cwiseProduct(in));
                } else {
                    store(factor.cwiseProduct(in));
                }
            });
        });
    }

    void do_divide(ConstArrayView x, ConstArrayView d, ArrayView y) override {
        with_precision(y.precision(), [&](auto tag) {
            using T = decltype(tag);
            for_each_piece(y.size(), [&](Index i, Index n) {
                std::transform(x.data<T>() + i, x.data<T>() + i + n, d.data<T>() + i, y.data<T>() + i,
                               [](std::complex<T> a, std::complex<T> b) {
                                   return b.real() > 0 ? a / b.real() : std::complex<T>(0);
                               });
            });
        });
    }

    void do_square_root(ArrayView y) override {
        with_precision(y.precision(), [&](auto tag) {
            using T = decltype(tag);
            for_each_piece(y.size(), [&](Index i, Index n) {
                std::transform(y.data<T>() + i, y.data<T>() + i + n, y.data<T>() + i, [](std::complex<T> a) {
                    return std::complex<T>(a.real() > 0 ? std::sqrt(a.real()) : T{0});
                });
            });
        });
    }

    void do_mirror_conjugate(ConstArrayView x, ArrayView y) override {
        with_precision(y.precision(), [&](auto tag) {
            using T = decltype(tag);
            const std::complex<T>* half = x.data<T>();
            std::complex<T>* all = y.data<T>();
            const Index last = y.size() - 1;
            const Index first_given = y.size() - x.size();
            for_each_piece((y.size() + 1) / 2, [&](Index i, Index n) {
                for (Index at = i; at < i + n; ++at) {
                    std::complex<T> value = half[last - at - first_given];
                    if (at >= first_given) {
                        value = T(0.5) * (value + std::conj(half[at - first_given]));
                    }
                    all[last - at] = value;
                    all[at] = std::conj(value);
                }
            });
        });
    }

    void do_dots(Index count, ConstArrayView x, ConstArrayView y, ArrayView result) override {
        std::vector<cdouble> partial(count * piece_count(y.size()));
        with_precision(y.precision(), [&](auto tag) {
            using T = decltype(tag);
            for_each_piece(
                y.size(),
                [&](Index i, Index n) {
                    for (Index vector = 0; vector < count; ++vector) {
                        partial[vector * piece_count(y.size()) + i / piece_length] =
                            complex_dot(x.data<T>() + vector * y.size() + i, y.data<T>() + i, n);
                    }
                },
                count);
        });
        for (Index vector = 0; vector < count; ++vector) {
            const auto first = partial.begin() + vector * piece_count(y.size());
            result.data<double>()[vector] = std::accumulate(first, first + piece_count(y.size()), cdouble(0));
        }
    }

    void do_add_combination(Index count, ConstArrayView coefficients, ConstArrayView x, ArrayView y) override {
        with_precision(y.precision(), [&](auto tag) {
            using T = decltype(tag);
            for_each_piece(
                y.size(),
                [&](Index i, Index n) {
                    Segment<T> out(y.data<T>() + i, n);
                    for (Index vector = 0; vector < count; ++vector) {
                        out += static_cast<std::complex<T>>(coefficients.data<double>()[vector]) *
                               ConstSegment<T>(x.data<T>() + vector * y.size() + i, n);
                    }
                },
                count);
        });
    }

    CpuPlanSizes plan_sizes_;
    CpuImagePrimitives image_primitives_;
};

}  // namespace

namespace RECON_CPU_LEVEL {
std::unique_ptr<Backend> make_cpu_backend(int thread_count) { return std::make_unique<CpuBackend>(thread_count); }
}  // namespace RECON_CPU_LEVEL

}  // namespace recon
