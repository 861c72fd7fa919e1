#include "solver/conjugate_gradient.hpp"

#include <cmath>
#include <cstring>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/operators/toeplitz_normal.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

/// exp(-1.5 |x|) times a phase along each axis: the transform of a positive function. Condition number 15 in 3-D.
std::vector<cdouble> positive_kernel(const VoxelGrid& grid) {
    std::vector<cdouble> q;
    const PerAxis<Index> n = grid.shape.matrix_size();
    for (Index z = 0; z < n[2]; ++z) {
        for (Index y = 0; y < n[1]; ++y) {
            for (Index x = 0; x < n[0]; ++x) {
                const PerAxis<Index> index{x, y, z};
                cdouble value = 1;
                for (int axis = 0; axis < 3; ++axis) {
                    const double difference = static_cast<double>(index[axis] - grid.origin[axis]);
                    value *= std::exp(-1.5 * std::abs(difference)) * std::polar(1.0, 0.3 * difference);
                }
                q.push_back(value);
            }
        }
    }
    return q;
}

std::vector<cdouble> solve(Backend& backend, Precision precision, int iterations, CgReport& report) {
    const PerAxis<Index> n{17, 12, 9};
    const Shape shape = Shape::image(n);
    const VoxelGrid differences = VoxelGrid::differences(n);
    Array q(backend, differences.shape, Precision::double_);
    upload(positive_kernel(differences), q);
    const ToeplitzNormal a(backend, shape, q, precision);
    const Array b = test::random_array(backend, shape, precision, 4);
    Array x(backend, shape, precision);
    backend.fill(0, x);
    CgOptions options;
    options.iterations = iterations;
    options.stop = 0;
    report = solve_cg(a, b, x, options);
    return download<double>(x);
}

using GpuConjugateGradient = test::OnGpu<>;

TEST_F(GpuConjugateGradient, FollowsTheCpuAndRepeatsItself) {
    const auto cpu = make_cpu_backend(0);
    CgReport on_gpu;
    CgReport on_cpu;
    const std::vector<cdouble> x = solve(gpu(), Precision::double_, 30, on_gpu);
    EXPECT_LT(test::relative_difference(x, solve(*cpu, Precision::double_, 30, on_cpu)), 1e-9);
    EXPECT_LT(on_gpu.true_residual, 1e-5);  // ((sqrt(15) - 1) / (sqrt(15) + 1))^30 = 1e-7
    EXPECT_LT(on_cpu.true_residual, 1e-5);

    const std::vector<cdouble> single = solve(gpu(), Precision::single, 30, on_gpu);
    EXPECT_LT(test::relative_difference(single, x), 1e-5);  // condition number times a few roundings
    const std::vector<cdouble> again = solve(gpu(), Precision::single, 30, on_gpu);
    EXPECT_EQ(0, std::memcmp(single.data(), again.data(), single.size() * sizeof(cdouble)));
}

}  // namespace
}  // namespace recon
