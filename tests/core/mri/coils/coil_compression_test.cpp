#include "core/mri/coils/coil_compression.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "core/base/error.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

constexpr Index coil_count = 6;
constexpr Index sample_count = 500;

/// K-space of six coils that hold three signals of falling energy and hardly anything else, [sample coil].
std::vector<cfloat> kspace() {
    const std::vector<cdouble> signal_values = test::random_values(sample_count * 3, 1);
    const std::vector<cdouble> mixing_values = test::random_values(3 * coil_count, 2);
    const std::vector<cdouble> rest_values = test::random_values(sample_count * coil_count, 3);
    Eigen::MatrixXcd signals = Eigen::Map<const Eigen::MatrixXcd>(signal_values.data(), sample_count, 3);
    signals.col(1) *= 0.3;
    signals.col(2) *= 0.1;
    const Eigen::MatrixXcf values =
        (signals * Eigen::Map<const Eigen::MatrixXcd>(mixing_values.data(), 3, coil_count) +
         1e-5 * Eigen::Map<const Eigen::MatrixXcd>(rest_values.data(), sample_count, coil_count))
            .cast<cfloat>();
    return {values.data(), values.data() + values.size()};
}

double energy(const std::vector<cfloat>& values) {
    double sum = 0;
    for (const cfloat value : values) {
        sum += std::norm(cdouble(value));
    }
    return sum;
}

CoilEnergy energy_of(const std::vector<std::vector<cfloat>>& frames) {
    CoilEnergy energy(coil_count);
    for (const std::vector<cfloat>& frame : frames) {
        energy.add(frame);
    }
    return energy;
}

TEST(CoilCompressionTest, KeepsAsManyCoilsAsAskedForAndSaysWhatTheyHold) {
    const std::vector<cfloat> all = kspace();
    for (const Index kept : {1, 2, 3, 6}) {
        const CoilCompression compression(energy_of({all}), {.coil_count = kept});
        std::vector<cfloat> fewer = all;
        compression.apply(fewer);
        ASSERT_EQ(static_cast<Index>(fewer.size()), kept * sample_count);
        EXPECT_NEAR(energy(fewer) / energy(all), compression.kept_energy(), 1e-5);
        // the first coils hold the most: there is no better choice than the singular vectors
        compression.undo(fewer);
        EXPECT_NEAR(energy(fewer) / energy(all), compression.kept_energy(), 1e-5);
    }
}

TEST(CoilCompressionTest, KeepsAsFewAsHoldTheEnergy) {
    const std::vector<cfloat> all = kspace();
    const CoilCompression compression(energy_of({all}), {.energy = 1 - 1e-6});
    EXPECT_EQ(compression.coil_count(), 3);
    std::vector<cfloat> restored = all;
    compression.apply(restored);
    compression.undo(restored);
    // what is left out are the 1e-5 of the rest, relative to signals of order 1
    EXPECT_LT(test::relative_difference({restored.begin(), restored.end()}, {all.begin(), all.end()}), 5e-5);
    EXPECT_EQ(CoilCompression(energy_of({all}), {.energy = 0.5}).coil_count(), 1);
    EXPECT_EQ(CoilCompression(energy_of({all}), {.energy = 1}).coil_count(), coil_count);
}

TEST(CoilCompressionTest, TakesAllFramesTogether) {
    const std::vector<cfloat> all = kspace();
    std::vector<cfloat> first = all;
    std::vector<cfloat> second = all;
    std::fill(first.begin() + sample_count, first.end(), cfloat(0));    // only the first coil
    std::fill(second.begin(), second.end() - sample_count, cfloat(0));  // only the last
    EXPECT_NEAR(CoilCompression(energy_of({first, second}), {.coil_count = 2}).kept_energy(), 1, 1e-6);
}

TEST(CoilCompressionTest, RefusesMoreCoilsThanThereAreAndSilence) {
    const std::vector<cfloat> all = kspace();
    test::expect_error<UsageError>([&] { CoilCompression(energy_of({all}), {.coil_count = 7}); }, {"`coils` 7", "6"});
    const std::vector<cfloat> silence(all.size());
    test::expect_error<InputError>([&] { CoilCompression(energy_of({silence}), {.coil_count = 2}); }, {"zero"});
}

}  // namespace
}  // namespace recon
