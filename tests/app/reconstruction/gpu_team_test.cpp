// Any number of GPUs gives the image of one. Needs two GPUs or more, and says so where there are fewer.
#include <gtest/gtest.h>

#include "app/reconstruction/reconstruction.hpp"
#include "core/base/error.hpp"
#include "core/devices/device_choice.hpp"
#include "gpu/device/device_count.hpp"
#include "tests/support/random.hpp"
#include "tests/support/sample_scan.hpp"

namespace recon {
namespace {

std::string device_of(int gpu_count) {
    std::string device = "cuda:0";
    for (int ordinal = 1; ordinal < gpu_count; ++ordinal) {
        device += "," + std::to_string(ordinal);
    }
    return device;
}

class GpuTeam : public ::testing::TestWithParam<Index> {
protected:
    void SetUp() override {
        try {
            if (cuda_device_count() < 2) {
                GTEST_SKIP() << "needs 2 GPUs, found 1";
            }
            for (int gpus = 1; gpus <= cuda_device_count(); ++gpus) {
                teams_.push_back(make_team(device_of(gpus)));
            }
        } catch (const BackendUnavailable& unavailable) {
            GTEST_SKIP() << unavailable.what();
        }
    }
    FrameResult reconstruct_on(const Team& team, const ReconstructOptions& options) {
        RunControl control;
        return reconstruct(scan_, team, options, control).front();
    }
    std::vector<Team> teams_;  ///< of one GPU, of two, ...
    Scan scan_ = test::sample_scan({.matrix = {19, 16, 13}, .coils = GetParam(), .readouts = 90, .samples = 61});
};

TEST_P(GpuTeam, GivesTheImageOfOneGpu) {
    scan_.noise.clear();  // prewhitening would be done anew every time
    ReconstructOptions options;
    options.precision = Precision::double_;
    options.cg = {.iterations = 6, .stop = 0};
    options.baseline = true;
    options.weighting = SampleWeighting::density;
    for (const bool estimated : {false, true}) {
        if (estimated) {
            scan_.coil_maps.clear();
            scan_.frames.front().density_weights.clear();
        }
        for (const SumsMethod sums : {SumsMethod::exact, SumsMethod::nufft}) {
            options.sums = sums;
            const FrameResult one = reconstruct_on(teams_.front(), options);
            for (std::size_t i = 1; i < teams_.size(); ++i) {
                const FrameResult many = reconstruct_on(teams_[i], options);
                const auto difference = [](const std::vector<cfloat>& a, const std::vector<cfloat>& b) {
                    return test::relative_difference({a.begin(), a.end()}, {b.begin(), b.end()});
                };
                // images are stored in single precision, whose last digit may round either way
                EXPECT_LT(difference(many.image, one.image), 1e-7);
                EXPECT_LT(difference(many.baseline, one.baseline), 1e-7);
                EXPECT_NEAR(many.data_residual, one.data_residual, 1e-9);
                EXPECT_EQ(many.image, reconstruct_on(teams_[i], options).image);  // the same bytes on every run
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Coils, GpuTeam, ::testing::Values(1, 3, 8));

}  // namespace
}  // namespace recon
