#include <gtest/gtest.h>

#include <limits>
#include <ostream>
#include <string>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/operators/encoding.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "solver/conjugate_gradient.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

/// x -> E^H E x
class NormalOperator final : public LinearOperator {
public:
    NormalOperator(Backend& backend, const Encoding& encoding)
        : LinearOperator("normal", backend, encoding.domain(), encoding.domain(), encoding.precision()),
          encoding_(encoding) {}

private:
    void do_forward(ConstArrayView image, ArrayView result) const override { encoding_.normal(image, result); }
    void do_adjoint(ConstArrayView image, ArrayView result) const override { encoding_.normal(image, result); }

    const Encoding& encoding_;
};

struct SimulatedCase {
    std::string trajectory;
    PerAxis<Index> matrix_size;
};

void PrintTo(const SimulatedCase& c, std::ostream* out) {
    *out << c.trajectory << " " << c.matrix_size[0] << "x" << c.matrix_size[1] << "x" << c.matrix_size[2];
}

/// |least-squares image - truth| / |truth| of a noiseless, fully sampled scan.
double least_squares_error(const std::string& trajectory, PerAxis<Index> matrix_size) {
    constexpr Index coil_count = 2;
    SimulationOptions options;
    options.trajectory = trajectory;
    options.request.matrix_size = matrix_size;
    options.request.readout_oversampling = 1.25;
    options.request.dwell_time_s = 10e-6;
    options.edge_voxels = 0.8;
    options.coil_count = coil_count;
    options.snr = std::numeric_limits<double>::infinity();
    const Simulation simulation = simulate_scan(options);
    const Frame& frame = simulation.scan.frames.front();

    const auto backend = make_cpu_backend(2);
    const VoxelGrid grid = VoxelGrid::image(matrix_size);
    Array maps(*backend, grid.shape.with_axis("coil", coil_count), Precision::double_);
    upload(std::span<const cfloat>(simulation.scan.coil_maps), maps);
    const Encoding encoding(*backend, {.sums = backend->make_exact_sums(*frame.trajectory, grid, Precision::double_),
                                       .coils = std::make_shared<CoilSensitivity>(std::move(maps)),
                                       .sample_factors = nullptr,
                                       .toeplitz = nullptr});
    Array kspace(*backend, encoding.codomain(), Precision::double_);
    upload(std::span<const cfloat>(frame.kspace), kspace);
    Array right_side(*backend, grid.shape, Precision::double_);
    encoding.adjoint(kspace, right_side);
    Array image(*backend, grid.shape, Precision::double_);
    backend->fill(0, image);
    solve_cg(NormalOperator(*backend, encoding), right_side, image, {.iterations = 12});
    return test::relative_difference(download<double>(image), {simulation.truth.begin(), simulation.truth.end()});
}

class SimulatedLeastSquares : public ::testing::TestWithParam<SimulatedCase> {};

/// The image is the truth in scale, position and phase, up to what the object has beyond the band and what its rounded
/// edge carries beyond the field of view. A Cartesian scan measures how much that is; the others cover a ball or a
/// cylinder of k-space, weigh its parts differently and stop early, for which they are granted as much again.
TEST_P(SimulatedLeastSquares, ReturnsTheTruth) {
    constexpr double allowance = 2;
    constexpr double cartesian_tolerance = 0.06;
    const double cartesian = least_squares_error("cartesian", GetParam().matrix_size);
    EXPECT_LT(cartesian, cartesian_tolerance);
    EXPECT_LT(least_squares_error(GetParam().trajectory, GetParam().matrix_size), allowance * cartesian);
}

INSTANTIATE_TEST_SUITE_P(Trajectories, SimulatedLeastSquares,
                         ::testing::Values(SimulatedCase{"radial", {24, 23, 1}},
                                           SimulatedCase{"golden-radial", {23, 23, 1}},
                                           SimulatedCase{"spiral", {28, 24, 1}}, SimulatedCase{"radial", {10, 11, 9}},
                                           SimulatedCase{"radial-centre-out", {10, 10, 10}},
                                           SimulatedCase{"cones", {10, 10, 10}},
                                           SimulatedCase{"stack-of-spirals", {12, 12, 9}}));

}  // namespace
}  // namespace recon
