#include "core/mri/check/spikes.hpp"

#include <gtest/gtest.h>

#include "core/mri/check/dropped_samples.hpp"
#include "data/simulation/simulate_scan.hpp"

namespace recon {
namespace {

Scan scan_with(const std::string& trajectory, const std::string& phantom, double snr) {
    SimulationOptions options;
    options.trajectory = trajectory;
    options.phantom = phantom;
    options.request.matrix_size = trajectory == "cones" ? PerAxis<Index>{16, 16, 16} : PerAxis<Index>{48, 48, 1};
    options.coil_count = 3;
    options.snr = snr;
    return simulate_scan(options).scan;
}

std::vector<Index> spikes_in(const Scan& scan) {
    return find_spikes({scan.frames[0].kspace, scan.coil_count}, *scan.frames[0].trajectory, scan.geometry.matrix_size,
                       scan.samples_per_readout);
}

class Spikes : public testing::TestWithParam<std::tuple<const char*, const char*, double>> {
protected:
    Scan scan() const { return scan_with(std::get<0>(GetParam()), std::get<1>(GetParam()), std::get<2>(GetParam())); }
};

TEST_P(Spikes, AreNotFoundWhereThereAreNone) { EXPECT_TRUE(spikes_in(scan()).empty()); }

TEST_P(Spikes, OfTwentyTimesTheMaximumAndAsLargeAsItFarOutAreFound) {
    Scan scan = this->scan();
    Frame& frame = scan.frames[0];
    float largest = 0;
    for (const cfloat value : frame.kspace) {
        largest = std::max(largest, std::abs(value));
    }
    const Index last = frame.sample_count() - 1, middle = frame.sample_count() / 2 + 3;
    const auto radius = [&](Index m) {
        return std::hypot(frame.trajectory->k[0][m], frame.trajectory->k[1][m], frame.trajectory->k[2][m]);
    };
    std::vector<Index> expected;
    for (const auto& [m, factor] : {std::pair{middle, 20.0F}, std::pair{last, 1.0F}}) {
        if (radius(m) > 5) {  // cycles per FOV; nearer to the echo nothing can be told
            frame.kspace[m] = cfloat(0, factor * largest);
            expected.push_back(m);
        }
    }
    ASSERT_FALSE(expected.empty());
    EXPECT_EQ(spikes_in(scan), expected);
}

INSTANTIATE_TEST_SUITE_P(, Spikes,
                         testing::Combine(testing::Values("radial", "spiral", "cartesian", "cones"),
                                          testing::Values("brain", "shepp-logan", "tissue"),
                                          testing::Values(10.0, 100.0)));

TEST(DroppedSamples, AreGoneFromEverythingThatHasThem) {
    Scan scan = scan_with("radial", "brain", 20);
    scan.frames.push_back(scan.frames[0]);
    const Frame whole = scan.frames[0];
    const Index count = whole.sample_count();
    scan.frames[0].read_kspace = [kspace = whole.kspace] { return kspace; };
    scan.frames[0].release();
    drop_samples(scan, {{7, 20}, {}});
    scan.frames[0].load();
    const Frame& frame = scan.frames[0];
    EXPECT_EQ(frame.sample_count(), count - 2);
    EXPECT_EQ(frame.trajectory->k[1][7], whole.trajectory->k[1][8]);
    ASSERT_EQ(frame.kspace.size(), static_cast<std::size_t>(3 * (count - 2)));
    EXPECT_EQ(frame.kspace[7], whole.kspace[8]);
    EXPECT_EQ(frame.kspace[count - 2 + 20], whole.kspace[count + 22]);
    EXPECT_EQ(frame.sample_times_s.size(), static_cast<std::size_t>(count - 2));
    EXPECT_EQ(scan.samples_per_readout, 0);
    EXPECT_EQ(scan.frames[1].trajectory, whole.trajectory);
    EXPECT_EQ(scan.frames[1].kspace, whole.kspace);
}

}  // namespace
}  // namespace recon
