// The anatomical prior's figure: the error of the image of a noisy nucleus, each prior with the lambda that suits it
// best.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "core/backend/cpu/cpu_backend.hpp"
#include "tests/support/sodium_sweep.hpp"

namespace recon {
namespace {

class SodiumPriors : public ::testing::Test {
protected:
    /// The best of a sweep that is wide enough to have its best inside.
    test::SodiumResult best(const test::SodiumScan& sodium, const char* prior) {
        std::vector<test::SodiumResult> results;
        for (const double lambda : test::sweep_lambdas(1e-2, 30, 2)) {
            results.push_back(test::reconstruct_sodium(sodium, *backend_, prior, lambda));
        }
        const auto found = std::min_element(results.begin(), results.end(),
                                            [](const auto& a, const auto& b) { return a.nrmse < b.nrmse; });
        EXPECT_NE(found, results.begin());
        EXPECT_NE(found, results.end() - 1);
        return std::move(*found);
    }

    std::unique_ptr<Backend> backend_ = make_cpu_backend(0);
};

TEST_F(SodiumPriors, TheAnatomicalOneIsAFifthBetterThanIdentityAndRoughnessAtTheirBest) {
    for (const test::SodiumStudy& study :
         {test::SodiumStudy{}, test::SodiumStudy{.matrix = {72, 63, 1}, .trajectory = "spiral", .seed = 2}}) {
        const test::SodiumScan sodium = test::simulate_sodium(study);
        const double identity = best(sodium, "identity").nrmse;
        const double roughness = best(sodium, "roughness").nrmse;
        const double anatomical = best(sodium, "anatomical").nrmse;
        EXPECT_LT(anatomical, 0.8 * std::min(identity, roughness))
            << study.trajectory << " seed " << study.seed << ": identity " << identity << ", roughness " << roughness
            << ", anatomical " << anatomical;
        RecordProperty("nrmse_" + study.trajectory + std::to_string(study.seed),
                       std::to_string(identity) + " " + std::to_string(roughness) + " " + std::to_string(anatomical));
    }
}

TEST_F(SodiumPriors, AWrongReferenceIsReportedAndTheRightOneIsNot) {
    const test::SodiumScan right = test::simulate_sodium({});
    const auto verdict = [&](const test::SodiumScan& sodium) {
        return test::reconstruct_sodium(sodium, *backend_, "anatomical", 1, true).result.prior.value();
    };
    const PriorReport good = verdict(right);
    EXPECT_EQ(good.alignment->verdict, Alignment::agrees) << good.alignment->text();

    const auto [nx, ny, nz] = right.reference.geometry.matrix_size;
    test::SodiumScan wrong = right;
    for (Index i = 0; i < nx * ny; ++i) {  // mirrored front to back
        wrong.reference.voxels[i] = right.reference.voxels[i % nx + nx * ((ny - i / nx) % ny)];
    }
    const PriorReport mirrored = verdict(wrong);
    EXPECT_EQ(mirrored.alignment->verdict, Alignment::misplaced) << mirrored.alignment->text();
    EXPECT_TRUE(mirrored.alignment->best.mirrored[1]) << mirrored.alignment->text();
    EXPECT_GT(mirrored.leakage->leakage, good.leakage->leakage);

    wrong = right;
    wrong.reference.geometry.orientation->centre_mm = {0, 4 * 220.0 / 64, 0};  // 4 voxels of the scan too far along y
    const PriorReport shifted = verdict(wrong);
    EXPECT_EQ(shifted.alignment->verdict, Alignment::misplaced);
    EXPECT_EQ(shifted.alignment->best.shift, (PerAxis<Index>{0, -4, 0})) << shifted.alignment->text();
    EXPECT_GT(shifted.leakage->leakage, good.leakage->leakage);
}

}  // namespace
}  // namespace recon
