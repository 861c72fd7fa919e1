#pragma once

#include "core/backend/backend.hpp"
#include "core/fourier/direct_sums.hpp"

namespace recon::test {

/// The definition itself behind the interface of the fast sums: the oracle for operators that contain sums.
class DirectFourierSums final : public FourierSums {
public:
    DirectFourierSums(const Trajectory& trajectory, const VoxelGrid& grid, Precision precision)
        : FourierSums(grid, trajectory.sample_count(), precision), trajectory_(trajectory) {}

private:
    void do_forward(ConstArrayView image, ArrayView samples) const override {
        for (Index i = 0; i < image.shape().extent(3); ++i) {
            upload(direct_forward(trajectory_, grid(), download<double>(image.slice(i))), samples.slice(i));
        }
    }
    void do_adjoint(ConstArrayView samples, ArrayView image) const override {
        for (Index i = 0; i < image.shape().extent(3); ++i) {
            upload(direct_adjoint(trajectory_, grid(), download<double>(samples.slice(i))), image.slice(i));
        }
    }

    Trajectory trajectory_;
};

/// Q straight from its definition, on VoxelGrid::differences, in double.
inline Array direct_q(Backend& backend, const Trajectory& trajectory, PerAxis<Index> matrix_size,
                      const std::vector<double>& weights) {
    const VoxelGrid differences = VoxelGrid::differences(matrix_size);
    std::vector<cdouble> samples(trajectory.sample_count(), 1.0);
    for (std::size_t m = 0; m < weights.size(); ++m) {
        samples[m] = weights[m];
    }
    Array q(backend, differences.shape, Precision::double_);
    upload(direct_adjoint(trajectory, differences, samples), q);
    return q;
}

}  // namespace recon::test
