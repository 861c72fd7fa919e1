#include "core/mri/off_resonance/linear_field.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <random>

#include "core/base/shape.hpp"
#include "core/fourier/voxel_grid.hpp"
#include "tests/support/sample_scan.hpp"

namespace recon {
namespace {

constexpr LinearField some_field{37, {420, -310, 150}};

/// sum_n rho_n exp(-i 2 pi (k.r + f t)), term by term.
std::vector<cdouble> signal_of(const Scan& scan, const Frame& frame, const std::vector<cdouble>& image) {
    const VoxelGrid grid = VoxelGrid::image(scan.geometry.matrix_size);
    const auto [nx, ny, nz] = scan.geometry.matrix_size;
    std::vector<cdouble> signal;
    for (Index m = 0; m < frame.sample_count(); ++m) {
        cdouble sum = 0;
        for (Index n = 0; n < nx * ny * nz; ++n) {
            const PerAxis<Index> index{n % nx, n / nx % ny, n / (nx * ny)};
            double turns = double{scan.off_resonance_hz[n]} * double{frame.sample_times_s[m]};
            for (int axis = 0; axis < 3; ++axis) {
                turns += frame.trajectory->k[axis][m] * grid.position(axis, index[axis]);
            }
            sum += image[n] * std::polar(1.0, -2 * pi * turns);
        }
        signal.push_back(sum);
    }
    return signal;
}

std::vector<cdouble> some_image(const Scan& scan) {
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    std::vector<cdouble> image(scan.off_resonance_hz.size());
    for (cdouble& value : image) {
        value = {normal(random), normal(random)};
    }
    return image;
}

std::vector<cfloat> as_floats(const std::vector<cdouble>& values) { return {values.begin(), values.end()}; }

TEST(LinearField, IsFoundAndTakenAway) {
    for (const PerAxis<Index> size : {PerAxis<Index>{12, 9, 7}, {16, 15, 1}, {21, 1, 1}}) {
        const Index voxels = Shape::image(size).element_count();
        std::vector<float> map = without(some_field, std::vector<float>(voxels, 0), size);
        for (float& value : map) {
            value = -value;
        }
        map[1] = 0;  // not measured
        const LinearField found = fit_linear_field(map, size);
        EXPECT_NEAR(found.centre_hz, some_field.centre_hz, 1e-3);
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_NEAR(found.slope_hz[axis], size[axis] > 1 ? some_field.slope_hz[axis] : 0, 1e-3) << axis;
        }
        const std::vector<float> rest = without(found, map, size);
        for (Index n = 0; n < voxels; ++n) {
            if (n != 1) {
                ASSERT_NEAR(rest[n], 0, 1e-3);
            }
        }
    }
}

/// What is measured and what the model says of it turn alike.
TEST(LinearField, InTheTrajectoryLeavesTheModelAsItWas) {
    Scan scan = test::sample_scan({.coils = 1});
    const std::vector<cdouble> image = some_image(scan);
    scan.frames[0].kspace = as_floats(signal_of(scan, scan.frames[0], image));
    const Trajectory before = *scan.frames[0].trajectory;
    move_to_trajectory(some_field, scan.off_resonance_hz, std::nullopt, scan);
    EXPECT_NE(scan.frames[0].trajectory->k, before.k);
    const std::vector<cdouble> moved = signal_of(scan, scan.frames[0], image);
    double misfit = 0, energy = 0;
    for (std::size_t m = 0; m < moved.size(); ++m) {
        misfit += std::norm(moved[m] - cdouble(scan.frames[0].kspace[m]));
        energy += std::norm(moved[m]);
    }
    EXPECT_LT(std::sqrt(misfit / energy), 1e-6) << "single precision of map and data";
}

TEST(LinearField, FramesThatSharedATrajectoryGoOnSharingOne) {
    Scan scan = test::sample_scan({.frames = 3});
    scan.frames[1].sample_times_s = scan.frames[0].sample_times_s;
    scan.frames[2].sample_times_s = std::vector<float>(scan.frames[2].sample_times_s.size(), 2e-3F);
    move_to_trajectory(some_field, scan.off_resonance_hz, std::nullopt, scan);
    EXPECT_EQ(scan.frames[0].trajectory, scan.frames[1].trajectory);
    EXPECT_NE(scan.frames[0].trajectory, scan.frames[2].trajectory);
}

TEST(LinearField, KspaceThatIsReadOnDemandTurnsWhenItIsRead) {
    Scan in_memory = test::sample_scan(), on_demand = test::sample_scan();
    Frame& frame = on_demand.frames[0];
    frame.read_kspace = [values = frame.kspace] { return values; };
    frame.release();
    move_to_trajectory(some_field, in_memory.off_resonance_hz, std::nullopt, in_memory);
    move_to_trajectory(some_field, on_demand.off_resonance_hz, std::nullopt, on_demand);
    frame.load();
    EXPECT_EQ(frame.kspace, in_memory.frames[0].kspace);
}

TEST(LinearField, OfASliceMovesItsFramesAlone) {
    Scan scan = test::sample_scan({.frames = 3});
    scan.calibration = scan.frames;
    for (std::vector<Frame>* const frames : {&scan.frames, &scan.calibration}) {
        (*frames)[1].label.slice = 4;
    }
    const Scan before = scan;
    move_to_trajectory(some_field, scan.off_resonance_hz, 4, scan);
    EXPECT_NE(scan.off_resonance_hz, before.off_resonance_hz);
    for (const std::size_t i : {0, 1, 2}) {
        EXPECT_EQ(scan.frames[i].trajectory == before.frames[i].trajectory, i != 1) << i;
        EXPECT_EQ(scan.frames[i].kspace == before.frames[i].kspace, i != 1) << i;
        EXPECT_EQ(scan.calibration[i].trajectory == before.calibration[i].trajectory, i != 1) << i;
    }
}

/// The calibration follows the same field; one without times stays as it was.
TEST(LinearField, IsThatOfTheCalibrationAsWell) {
    Scan scan = test::sample_scan();
    scan.calibration = {scan.frames[0], scan.frames[0]};
    scan.calibration[1].sample_times_s = std::vector<float>();
    const Frame untouched = scan.calibration[1];
    move_to_trajectory(some_field, scan.off_resonance_hz, std::nullopt, scan);
    EXPECT_EQ(scan.calibration[0].trajectory, scan.frames[0].trajectory);
    EXPECT_EQ(scan.calibration[0].kspace, scan.frames[0].kspace);
    EXPECT_EQ(scan.calibration[1].trajectory, untouched.trajectory);
    EXPECT_EQ(scan.calibration[1].kspace, untouched.kspace);
}

}  // namespace
}  // namespace recon
