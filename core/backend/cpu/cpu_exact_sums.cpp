#include "core/backend/cpu/cpu_backend.hpp"
#include "core/backend/cpu/exact/exact_adjoint.hpp"
#include "core/backend/cpu/exact/exact_forward.hpp"
#include "core/backend/cpu/simd/simd_product.hpp"
#include "core/base/cpu_memory.hpp"

namespace recon {
namespace {

/// Exact Fourier sums by separable factors and matrix products (docs/exact-sums.md).
class CpuExactSums final : public FourierSums {
public:
    CpuExactSums(const Trajectory& trajectory, const VoxelGrid& grid, Precision precision)
        : FourierSums(grid, trajectory.sample_count(), precision),
          trajectory_(trajectory),
          trajectory_claim_(cpu_memory(), trajectory.sample_count() * sizeof(PerAxis<double>)),
          factored_(with_precision(
              precision, [&](auto tag) { return FactoredGrid::cheapest(grid, simd::lane_count<decltype(tag)>); })) {}

private:
    void do_forward(ConstArrayView image, ArrayView samples) const override {
        with_precision(precision(), [&](auto tag) {
            using T = decltype(tag);
            exact_forward(factored_, trajectory_, image.shape().extent(3), grid().shape.element_count(),
                          image.data<T>(), samples.data<T>());
        });
    }

    void do_adjoint(ConstArrayView samples, ArrayView image) const override {
        with_precision(precision(), [&](auto tag) {
            using T = decltype(tag);
            exact_adjoint(factored_, trajectory_, image.shape().extent(3), samples.data<T>(),
                          grid().shape.element_count(), image.data<T>());
        });
    }

    Trajectory trajectory_;
    MemoryClaim trajectory_claim_;
    FactoredGrid factored_;
};

}  // namespace

std::unique_ptr<FourierSums> make_cpu_exact_sums(const Trajectory& trajectory, const VoxelGrid& grid,
                                                 Precision precision) {
    return std::make_unique<CpuExactSums>(trajectory, grid, precision);
}

}  // namespace recon
