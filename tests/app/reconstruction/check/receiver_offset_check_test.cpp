// An offset of the receiver is named by the check, and subtracted where that is asked for.
#include <gtest/gtest.h>

#include "app/reconstruction/check/run_check.hpp"
#include "core/backend/cpu/cpu_backend.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

TEST(OffsetCheck, AnOffsetOfTheReceiverIsNamedAndSubtractedWhereThatIsAskedFor) {
    SimulationOptions options;
    options.trajectory = "spiral";
    options.request.matrix_size = {48, 48, 1};
    options.coil_count = 4;
    const Scan clean = simulate_scan(options).scan;
    for (const bool is_removed : {false, true}) {
        Scan scan = clean;
        for (cfloat& value : scan.frames[0].kspace) {
            value += cfloat(4, 2);
        }
        RunControl control;
        const auto backend = make_cpu_backend();
        ::recon::Run run(*backend, only_rank(), control);
        CoilOptions coils;
        CheckOptions check;
        check.offsets = is_removed ? Mending::asked : Mending::none;
        const RunCheck result = check_before_run(scan, coils, {}, check, run);
        const std::vector<CheckFinding>& findings = result.scan.findings;
        const bool is_named = std::ranges::any_of(
            findings, [](const CheckFinding& finding) { return finding.kind == "receiver_offset"; });
        EXPECT_NE(is_named, is_removed);
        EXPECT_EQ(result.applied.size(), is_removed ? 1U : 0U);
        const double difference =
            test::relative_difference({scan.frames[0].kspace.begin(), scan.frames[0].kspace.end()},
                                      {clean.frames[0].kspace.begin(), clean.frames[0].kspace.end()});
        EXPECT_EQ(difference < 0.01, is_removed) << difference;
    }
}

}  // namespace
}  // namespace recon
