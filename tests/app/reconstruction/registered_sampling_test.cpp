// A way to compute the sums that registers itself from this file, used by name.
#include <gtest/gtest.h>

#include "app/reconstruction/reconstruction.hpp"
#include "core/backend/cpu/cpu_backend.hpp"
#include "tests/support/sample_scan.hpp"

namespace recon {
namespace {

int made_count = 0;

/// Exact sums by another name, which say that they take an age.
class ToyDesign final : public SamplingDesign {
public:
    using SamplingDesign::SamplingDesign;

    double predicted_seconds(const Backend&, Index) const override { return 1e9; }
    PlanBytes bytes(const Backend& backend, Index sample_count, Index image_count,
                    std::size_t piece_bytes) const override {
        return backend.plan_sizes().exact_sums(site().grid, sample_count, image_count, site().precision, piece_bytes);
    }
    std::unique_ptr<FourierSums> make(Backend& backend, const Trajectory& trajectory) const override {
        ++made_count;
        return backend.make_exact_sums(trajectory, site().grid, site().precision);
    }
};

const Registration registered_toy_sums(
    sampling_kinds(),
    SamplingKind{.name = "toy",
                 .title = "toy sums",
                 .design = [](const Backend&, const SamplingSite& site) -> std::unique_ptr<const SamplingDesign> {
                     return std::make_unique<ToyDesign>(site);
                 }});

FrameResult reconstructed(SumsMethod sums) {
    Scan scan = test::sample_scan({.matrix = {7, 6, 1}, .coils = 2, .readouts = 5, .samples = 11});
    ReconstructOptions options;
    options.sums = sums;
    options.measure_accuracy = false;
    options.regularisation = parse_regularisation({"none"}, {});
    const auto backend = make_cpu_backend(0);
    RunControl control;
    return reconstruct(scan, *backend, options, control).front();
}

TEST(RegisteredSampling, AWayToSumFromItsOwnFileIsUsedByName) {
    const FrameResult toy = reconstructed(SumsMethod::named("toy"));
    EXPECT_EQ(made_count, 4);  // for F^H d and for Q, in the forecast and in the run
    EXPECT_EQ(toy.sums.name(), "toy");
    EXPECT_EQ(toy.image, reconstructed(SumsMethod::exact).image);
}

TEST(RegisteredSampling, IsLeftAloneWhereItIsSlower) {
    made_count = 0;
    EXPECT_NE(reconstructed(SumsMethod::automatic).sums.name(), "toy");
    EXPECT_EQ(made_count, 0);
}

TEST(RegisteredSampling, AnUnknownNameIsToldWithThoseThereAre) {
    EXPECT_EQ(SumsMethod::named("auto"), SumsMethod::automatic);
    EXPECT_EQ(SumsMethod::named("nufft"), SumsMethod::nufft);
    EXPECT_THROW(SumsMethod::named("nuft"), UsageError);
}

}  // namespace
}  // namespace recon
