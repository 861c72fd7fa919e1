// Real scans, read and checked against what their README states.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <filesystem>

#include "core/base/log.hpp"
#include "data/formats/impatient/impatient_file.hpp"
#include "data/reading/array_reader.hpp"
#include "data/reading/band_rule.hpp"
#include "data/reading/scan_reader.hpp"
#include "tests/support/shared_data.hpp"

namespace recon {
namespace {

class SharedScansTest : public ::testing::Test {
protected:
    void SetUp() override {
        if (!std::filesystem::exists(shared_data_folder() / "mrd")) {
            GTEST_SKIP() << "no scans at " << shared_data_folder() << "; set RECON_SHARED_DATA";
        }
    }
    static std::string path(const std::string& name) { return (shared_data_folder() / name).string(); }

    /// The unit that the range alone would give.
    static TrajectoryUnit guess(const std::string& name) {
        const StoredScan stored = open_scan(path(name))->read({});
        EXPECT_TRUE(stored.stated_unit);
        return guess_trajectory_unit(trajectory_extent(stored.scan.frames), stored.scan.geometry, name);
    }
};

TEST_F(SharedScansTest, CardiacRadial) {
    const Scan scan = read_scan(path("mrd/cardiac-radial.h5"));
    EXPECT_EQ(scan.geometry.matrix_size, (PerAxis<Index>{256, 256, 1}));
    EXPECT_EQ(scan.geometry.field_of_view_mm, (PerAxis<double>{256, 256, 8}));
    EXPECT_EQ(scan.coil_count, 12);
    EXPECT_EQ(scan.samples_per_readout, 256);
    ASSERT_EQ(scan.frames.size(), 1);
    const Trajectory& trajectory = *scan.frames[0].trajectory;
    EXPECT_EQ(trajectory.sample_count(), 25 * 256);
    EXPECT_EQ(count_out_of_band(trajectory, scan.geometry.matrix_size), 0);
    double smallest = 1;
    for (std::size_t s = 0; s < trajectory.k[0].size(); ++s) {
        smallest = std::min(smallest, std::hypot(trajectory.k[0][s], trajectory.k[1][s]) / 256);
    }
    EXPECT_NEAR(smallest, 0.00196, 5e-6) << "no sample at the centre; the README gives 5 decimals";
    EXPECT_EQ(guess("mrd/cardiac-radial.h5"), TrajectoryUnit::cycles_per_voxel);
    EXPECT_EQ(read_coil_maps(path("mrd/cardiac-radial.reference.h5"), scan.geometry.matrix_size, 12).values.size(),
              std::size_t{12 * 256 * 256});
}

TEST_F(SharedScansTest, XenonRadial) {
    const Scan scan = read_scan(path("mrd/xenon-radial-gas.h5"));
    EXPECT_EQ(scan.geometry.matrix_size, (PerAxis<Index>{64, 64, 64}));
    EXPECT_EQ(scan.coil_count, 1);
    const Frame& frame = scan.frames.at(0);
    EXPECT_EQ(frame.sample_count(), 64000);
    double greatest = 0;
    for (std::size_t s = 0; s < 64000; ++s) {
        const auto& k = frame.trajectory->k;
        greatest = std::max(greatest, std::hypot(k[0][s], k[1][s], k[2][s]));
    }
    EXPECT_NEAR(greatest, 29.25, 5e-3);
    EXPECT_FLOAT_EQ(frame.sample_times_s[0], 0.45e-3F);
    EXPECT_FLOAT_EQ(frame.sample_times_s[63], 1.08e-3F);
    EXPECT_EQ(guess("mrd/xenon-radial-gas.h5"), TrajectoryUnit::cycles_per_fov);
}

TEST_F(SharedScansTest, SpiralWithFieldMap) {
    ScanReadOptions options;
    const Scan scan = read_scan(path("mrd/spiral-fieldmap.h5"), options);
    EXPECT_EQ(scan.geometry.matrix_size, (PerAxis<Index>{192, 192, 1}));
    EXPECT_EQ(scan.coil_count, 20);
    EXPECT_EQ(scan.samples_per_readout, 310);
    const Frame& frame = scan.frames.at(0);
    EXPECT_EQ(frame.sample_count(), 54 * 310);
    EXPECT_EQ(frame.density_weights.size(), std::size_t{54 * 310});
    EXPECT_NEAR(trajectory_extent(scan.frames)[0], 249.53 * 0.384, 0.01);
    EXPECT_FLOAT_EQ(frame.sample_times_s[0], 4.6e-3F);
    EXPECT_EQ(guess("mrd/spiral-fieldmap.h5"), TrajectoryUnit::cycles_per_metre);

    ASSERT_EQ(scan.off_resonance_hz.size(), std::size_t{192 * 192});
    const auto corner = [](const Scan& s) { return s.off_resonance_hz.front(); };
    EXPECT_GT(std::abs(corner(scan)), 700) << "extrapolated: the gradient goes on outside the disc";
    options.field_map_name = "fieldmap";
    EXPECT_EQ(corner(read_scan(path("mrd/spiral-fieldmap.h5"), options)), 0) << "as measured: 0 outside the disc";
}

TEST_F(SharedScansTest, Impatient) {
    const std::string folder = path("impatient-64x64x1");
    const Scan scan = read_scan(folder);
    EXPECT_EQ(scan.geometry.matrix_size, (PerAxis<Index>{64, 64, 1}));
    EXPECT_EQ(scan.coil_count, 1);
    EXPECT_TRUE(scan.coil_maps.empty());
    EXPECT_TRUE(scan.off_resonance_hz.empty());
    const Frame& frame = scan.frames.at(0);
    ASSERT_EQ(frame.sample_count(), 3770);
    EXPECT_FLOAT_EQ(frame.sample_times_s.front(), 10.65e-3F);
    EXPECT_FLOAT_EQ(frame.sample_times_s.back(), 29.495e-3F);
    EXPECT_EQ(frame.trajectory->k[0].back(), 0) << "spiral-in";
    EXPECT_EQ(guess("impatient-64x64x1"), TrajectoryUnit::cycles_per_fov);

    const std::vector<float> real = read_impatient_file(folder + "/kdata_r.dat").values;
    const std::vector<float> imaginary = read_impatient_file(folder + "/kdata_i.dat").values;
    const std::vector<float> ix = read_impatient_file(folder + "/ix.dat").values;
    const std::vector<float> iy = read_impatient_file(folder + "/iy.dat").values;
    cdouble sum = 0;
    double squared = 0;
    double squared_read = 0;
    for (std::size_t s = 0; s < real.size(); ++s) {
        sum += cdouble(real[s], imaginary[s]);
        squared += std::norm(cdouble(real[s], imaginary[s]));
        squared_read += std::norm(cdouble(frame.kspace[s]));
    }
    // Half a unit of the last digit that the README gives; then the rounding of the demodulated floats.
    EXPECT_NEAR(sum.real(), 2567266.63, 5e-3);
    EXPECT_NEAR(sum.imag(), -546057.60, 5e-3);
    EXPECT_NEAR(std::sqrt(squared), 427631.785, 5e-4);
    EXPECT_NEAR(std::sqrt(squared_read), 427631.785, 427631.785 * 1e-6);

    // F^H d at voxels of the file, at the file's own positions, is F^H of the data read, at the same voxels of our
    // grid.
    const auto& k = frame.trajectory->k;
    for (const std::size_t voxel : {0, 1000, 2047, 4095}) {  // iy varies fastest
        const double x = (static_cast<double>(voxel / 64) - 32) / 64;
        const double y = (static_cast<double>(voxel % 64) - 32) / 64;
        cdouble own = 0;
        cdouble read = 0;
        for (std::size_t s = 0; s < real.size(); ++s) {
            own +=
                cdouble(real[s], imaginary[s]) * std::polar(1.0, 2 * pi * (k[0][s] * ix[voxel] + k[1][s] * iy[voxel]));
            read += cdouble(frame.kspace[s]) * std::polar(1.0, 2 * pi * (k[0][s] * x + k[1][s] * y));
        }
        EXPECT_LT(std::abs(own - read), 1e-6 * 427631.785 * std::sqrt(3770.0)) << "single rounding of each datum";
    }
}

}  // namespace
}  // namespace recon
