// The default image when the run is to stop on the way, and what there is of it is to be kept.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "core/base/log_binding.hpp"
#include "tests/app/reconstruction/scan_prior/scan_prior_cases.hpp"

namespace recon {
namespace {

using test::error_of;
using test::simulate;
using test::with;

const NamedArray* extra_of(const FrameResult& result, const std::string& name) {
    const auto found = std::find_if(result.extras.begin(), result.extras.end(),
                                    [&](const NamedArray& array) { return array.name == name; });
    return found != result.extras.end() ? &*found : nullptr;
}

/// @param when  words of the line of the log at which the run is to stop  @param after  that, so much later
FrameResult stopped(Scan scan, const ReconstructOptions& options, const std::string& when,
                    std::chrono::milliseconds after = {}) {
    RunControl control;
    control.partial = PartialImage::keep;
    std::jthread stopper;
    Log log(LogLevel::debug);
    log.set_wording([&](const std::string& line) {
        if (line.find(when) != std::string::npos) {
            if (after.count() == 0) {
                control.cancel.request();
            } else {
                stopper = std::jthread([&control, after] {
                    std::this_thread::sleep_for(after);
                    control.cancel.request();
                });
            }
        }
        return line;
    });
    const LogBinding bound(&log);
    return std::move(reconstruct(scan, test::cpu_team(1), options, control).front());
}

TEST(ScanPriorInterrupted, TheImageIsKeptAndNothingIsSaidOfItsError) {
    const Simulation simulation = simulate({.matrix = {32, 32, 1}, .coils = 2, .snr = 10});
    ReconstructOptions options = with(ScanPrior::scan);
    options.regularisation.noise_sd_draws = 5;
    const FrameResult result = stopped(simulation.scan, options, "scan prior: turn 1");
    EXPECT_EQ(result.cg.stopped_by, StopReason::cancelled);
    EXPECT_LT(error_of(result.image, simulation), 0.5);  // that of the first turn
    EXPECT_EQ(result.scan->predicted_error, 0);
    EXPECT_EQ(extra_of(result, "uncertainty/sd"), nullptr);
    EXPECT_EQ(extra_of(result, "uncertainty/noise_sd"), nullptr);
    EXPECT_FALSE(scan_prior_record(*result.scan).contains("predicted_error"));
}

/// Of the draws that were finished: as large as that of any other number of them.
TEST(ScanPriorInterrupted, TheMapOfTheNoiseIsThatOfTheDrawsThatAreThere) {
    const Simulation simulation = simulate({.matrix = {16, 16, 1}, .coils = 2, .snr = 10});
    ReconstructOptions options = with(ScanPrior::scan);
    const auto energy_of = [](const NamedArray& map) {
        double energy = 0;
        for (const float sd : std::get<std::vector<float>>(map.values)) {
            energy += sd * sd;
        }
        return energy;
    };
    options.regularisation.noise_sd_draws = 100;
    const FrameResult whole = test::reconstructed(simulation.scan, options);
    options.regularisation.noise_sd_draws = 100000;
    const FrameResult part =
        stopped(simulation.scan, options, "scan prior: local pass 1", std::chrono::milliseconds(1500));
    ASSERT_NE(extra_of(part, "uncertainty/noise_sd"), nullptr);
    const double ratio =
        energy_of(*extra_of(part, "uncertainty/noise_sd")) / energy_of(*extra_of(whole, "uncertainty/noise_sd"));
    EXPECT_NEAR(ratio, 1, 0.2);  // 256 voxels and 100 draws tell it to 1 %, few draws less well
    EXPECT_EQ(part.image, whole.image);
    EXPECT_EQ(part.cg.stopped_by, StopReason::predicted_error);
}

}  // namespace
}  // namespace recon
