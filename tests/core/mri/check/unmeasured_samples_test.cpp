#include "core/mri/check/unmeasured_samples.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/random.hpp"

namespace recon {
namespace {

constexpr Index of_each = 30, samples_in_all = 20 * of_each;

/// Numbers of k-space, with zeros in some samples of all coils.
std::vector<cfloat> numbers_with_zeros(Index coils, const std::vector<Index>& zeros) {
    const std::vector<cdouble> random = test::random_values(coils * samples_in_all, 1);
    std::vector<cfloat> kspace(random.begin(), random.end());
    for (Index coil = 0; coil < coils; ++coil) {
        for (const Index m : zeros) {
            kspace[static_cast<std::size_t>(coil * samples_in_all + m)] = 0;
        }
    }
    return kspace;
}

std::vector<Index> row(Index first, Index count) {
    std::vector<Index> samples(static_cast<std::size_t>(count));
    for (Index i = 0; i < count; ++i) {
        samples[static_cast<std::size_t>(i)] = first + i;
    }
    return samples;
}

TEST(UnmeasuredSamples, InTheMidstAndAtTheEndOfReadoutsAreFound) {
    for (const Index first : {5 * of_each + 10, 7 * of_each - 8}) {
        const std::vector<Index> zeros = row(first, 8);
        for (const Index coils : {1, 4}) {
            for (const Index length : {of_each, Index{0}}) {
                const UnmeasuredSamples found = find_unmeasured({numbers_with_zeros(coils, zeros), coils}, length);
                EXPECT_EQ(found.elsewhere, zeros);
                EXPECT_TRUE(found.readouts.empty());
                EXPECT_EQ(found.before + found.after, 0);
            }
        }
    }
}

TEST(UnmeasuredSamples, AreNotWhatChanceMakesZero) {
    EXPECT_TRUE(find_unmeasured({numbers_with_zeros(1, row(40, 7)), 1}, of_each).is_empty());
    EXPECT_TRUE(find_unmeasured({numbers_with_zeros(3, {40, 41, 90}), 3}, of_each).is_empty());
    const std::vector<Index> lost = row(100, 15);
    std::vector<cfloat> whole = numbers_with_zeros(2, lost);  // numbers, of which some are zero
    for (cfloat& number : whole) {
        number = {std::round(1.5F * number.real()), std::round(1.5F * number.imag())};
    }
    EXPECT_EQ(find_unmeasured({whole, 2}, of_each).elsewhere, lost);
    for (cfloat& number : whole) {
        number = {std::round(0.3F * number.real()), std::round(0.3F * number.imag())};
    }
    EXPECT_TRUE(find_unmeasured({whole, 2}, of_each).elsewhere.empty()) << "most are zero";
}

TEST(UnmeasuredSamples, OfACoilThatIsSilentDoNotCount) {
    std::vector<cfloat> kspace = numbers_with_zeros(4, row(40, 8));
    std::fill_n(kspace.begin(), 3 * samples_in_all, cfloat(0));
    EXPECT_EQ(find_unmeasured({kspace, 4}, of_each).elsewhere, row(40, 8));
    kspace = numbers_with_zeros(4, row(40, 7));
    std::fill_n(kspace.begin(), 3 * samples_in_all, cfloat(0));
    EXPECT_TRUE(find_unmeasured({kspace, 4}, of_each).is_empty());
}

}  // namespace
}  // namespace recon
