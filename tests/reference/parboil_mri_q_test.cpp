#include <gtest/gtest.h>

#include <filesystem>

#include "app/studies/parboil/parboil_check.hpp"
#include "app/studies/parboil/parboil_sums.hpp"
#include "core/fourier/direct_sums.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/shared_data.hpp"

namespace recon {
namespace {

/// Parboil mri-q, small set: its Q at 32768 explicit positions.
class ParboilMriQ : public ::testing::Test {
protected:
    void SetUp() override {
        const std::filesystem::path folder = shared_data_folder() / "parboil-mri-q";
        if (!std::filesystem::exists(folder / "32_32_32_dataset.bin")) {
            GTEST_SKIP() << "no Parboil mri-q data set in " << folder << "; set RECON_SHARED_DATA";
        }
        input_ = read_parboil_input((folder / "32_32_32_dataset.bin").string());
        expected_ = read_parboil_output((folder / "32_32_32_dataset.out").string());
    }

    /// The published values were computed in single precision; 1.06e-6 is what an exact Q is away from them.
    void expect_published(const std::vector<cfloat>& q) const {
        const ParboilCheck check = check_as_parboil(q, expected_);
        EXPECT_EQ(check.wrong_count, 0);
        EXPECT_LT(check.relative_difference, 2e-6);
    }

    ParboilInput input_;
    std::vector<cfloat> expected_;
};

TEST_F(ParboilMriQ, DirectSumsReproduceThePublishedQ) {
    Trajectory trajectory;
    Positions positions;
    for (int axis = 0; axis < 3; ++axis) {
        trajectory.k[axis].assign(input_.k[axis].begin(), input_.k[axis].end());
        positions.r[axis].assign(input_.r[axis].begin(), input_.r[axis].end());
    }
    std::vector<cdouble> weights;
    for (const cfloat phi : input_.phi) {
        weights.emplace_back(std::norm(cdouble(phi)));
    }
    const std::vector<cdouble> q = direct_adjoint(trajectory, positions, weights);
    expect_published(std::vector<cfloat>(q.begin(), q.end()));
}

TEST_F(ParboilMriQ, EveryBackendReproducesThePublishedQ) {
    for (const test::BackendFactory& factory : test::available_backends()) {
        const auto backend = factory.make();
        for (const Precision precision : {Precision::single, Precision::double_}) {
            expect_published(compute_parboil_sum(input_, ParboilSum::q, *backend, {.precision = precision}).values);
        }
    }
}

}  // namespace
}  // namespace recon
