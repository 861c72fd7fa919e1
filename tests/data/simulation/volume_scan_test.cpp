#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/fourier/direct_sums.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

using test::relative_difference;

Image random_volume(PerAxis<Index> matrix_size) {
    Image image;
    image.geometry.matrix_size = matrix_size;
    for (const cdouble& value : test::random_values(matrix_size[0] * matrix_size[1] * matrix_size[2], 8)) {
        image.voxels.emplace_back(value);
    }
    return image;
}

SimulationOptions noiseless(PerAxis<Index> matrix_size, const std::string& trajectory) {
    SimulationOptions options;
    options.request.matrix_size = matrix_size;
    options.request.readout_oversampling = 1;
    options.trajectory = trajectory;
    options.snr = std::numeric_limits<double>::infinity();
    return options;
}

std::vector<cdouble> coil_of(const std::vector<cfloat>& values, Index count, Index coil) {
    return {values.begin() + coil * count, values.begin() + (coil + 1) * count};
}

constexpr double single_rounding = 1e-6;  // k-space and maps are stored in single precision

TEST(BandLimited, KeepsAnImageOfTheSameSizeAndTheMean) {
    const Image image = random_volume({7, 6, 4});
    const std::vector<cdouble> original(image.voxels.begin(), image.voxels.end());
    EXPECT_LT(relative_difference(band_limited(image.voxels, {7, 6, 4}, {7, 6, 4}), original), 1e-14);
    cdouble fine_mean = 0;
    cdouble coarse_mean = 0;
    for (const cdouble& value : original) {
        fine_mean += value / 168.0;
    }
    for (const cdouble& value : band_limited(image.voxels, {7, 6, 4}, {5, 4, 3})) {
        coarse_mean += value / 60.0;
    }
    EXPECT_LT(std::abs(fine_mean - coarse_mean), 1e-14);
}

class VolumeScan : public ::testing::TestWithParam<std::pair<PerAxis<Index>, PerAxis<Index>>> {};

/// One uniform coil, every integer k: the inverse DFT is the truth, by its definition.
TEST_P(VolumeScan, FullCartesianScanReturnsTheTruth) {
    const auto& [fine, coarse] = GetParam();
    SimulationOptions options = noiseless(coarse, "cartesian");
    options.coil_count = 1;
    const auto backend = make_cpu_backend(2);
    const Simulation simulation = simulate_scan_of(random_volume(fine), *backend, options);
    const Frame& frame = simulation.scan.frames.front();
    std::vector<cdouble> image = direct_adjoint(*frame.trajectory, VoxelGrid::image(coarse),
                                                std::vector<cdouble>(frame.kspace.begin(), frame.kspace.end()));
    for (cdouble& value : image) {
        value /= static_cast<double>(image.size());
    }
    EXPECT_LT(relative_difference(image, {simulation.truth.begin(), simulation.truth.end()}), single_rounding);
}

/// Where fine and coarse voxels coincide, the maps in the file are those that weighted the image.
TEST_P(VolumeScan, SamplesAreTheSumsOverTheFineVoxels) {
    const auto& [fine, coarse] = GetParam();
    SimulationOptions options = noiseless(fine, "cartesian");
    options.coil_count = 3;
    const auto backend = make_cpu_backend(2);
    const Image volume = random_volume(fine);
    const Simulation simulation = simulate_scan_of(volume, *backend, options);
    const Frame& frame = simulation.scan.frames.front();
    const auto voxel_count = static_cast<Index>(volume.voxels.size());
    for (Index coil = 0; coil < 3; ++coil) {
        std::vector<cdouble> weighted = coil_of(simulation.scan.coil_maps, voxel_count, coil);
        for (Index i = 0; i < voxel_count; ++i) {
            weighted[i] *= cdouble(volume.voxels[i]);
        }
        EXPECT_LT(relative_difference(coil_of(frame.kspace, frame.sample_count(), coil),
                                      direct_forward(*frame.trajectory, VoxelGrid::image(fine), weighted)),
                  single_rounding);
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes, VolumeScan,
                         ::testing::Values(std::pair{PerAxis<Index>{17, 1, 1}, PerAxis<Index>{8, 1, 1}},
                                           std::pair{PerAxis<Index>{12, 11, 1}, PerAxis<Index>{5, 6, 1}},
                                           std::pair{PerAxis<Index>{9, 8, 7}, PerAxis<Index>{5, 8, 4}}));

TEST(VolumeScan, RefusesImagesThatCannotBeScanned) {
    const auto backend = make_cpu_backend(2);
    const SimulationOptions options = noiseless({8, 8, 1}, "radial");
    const auto refused = [&](const Image& image, const char* part) {
        test::expect_error<Error>([&] { simulate_scan_of(image, *backend, options); }, {part});
    };
    refused(random_volume({7, 8, 1}), "`matrix`");
    refused(random_volume({8, 8, 2}), "`matrix`");
    Image image = random_volume({8, 8, 1});
    image.voxels[3] = std::nanf("");
    refused(image, "not finite");
    image.voxels.assign(64, 0);
    refused(image, "zero");
    image.frames.resize(2);
    image.voxels.assign(128, 1);
    refused(image, "2 images");
}

}  // namespace
}  // namespace recon
