#include "app/reconstruction/options/regularisation_options.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/support/error_matchers.hpp"

namespace recon {
namespace {

using test::expect_error;

TEST(RegularisationOptions, AreNoneWithoutALambda) {
    EXPECT_TRUE(parse_regularisation({}, {}).terms.empty());
    EXPECT_TRUE(parse_regularisation({}, {"0"}).terms.empty());
}

TEST(RegularisationOptions, ALambdaAloneIsThatOfTheIdentity) {
    const RegularisationOptions options = parse_regularisation({}, {"1e-3"});
    ASSERT_EQ(options.terms.size(), 1U);
    EXPECT_EQ(options.terms[0].prior, "identity");
    EXPECT_EQ(options.terms[0].lambda, 1e-3);
}

TEST(RegularisationOptions, SeveralPriorsHaveALambdaEach) {
    const RegularisationOptions options =
        parse_regularisation({"identity", "roughness", "anatomical"}, {"1", "0", "2"});
    ASSERT_EQ(options.terms.size(), 2U);
    EXPECT_EQ(options.terms[1].prior, "anatomical");
    EXPECT_EQ(options.terms[1].lambda, 2);
    EXPECT_TRUE(options.needs_reference());
    EXPECT_EQ(options.coupling_term(), nullptr);
}

TEST(RegularisationOptions, TellSquaresFromOthers) {
    const RegularisationOptions options = parse_regularisation({"tv", "wavelet", "llr"}, {"1", "2", "3"});
    ASSERT_EQ(options.terms.size(), 3U);
    EXPECT_EQ(options.terms[0].prior, "tv");
    EXPECT_EQ(options.terms[1].prior, "wavelet");
    EXPECT_EQ(options.terms[2].prior, "llr");
    EXPECT_FALSE(options.is_quadratic());
    EXPECT_EQ(options.coupling_term(), &options.terms[2]);
    EXPECT_FALSE(parse_regularisation({"identity", "tv"}, {"1", "2"}).is_quadratic());
    EXPECT_TRUE(parse_regularisation({"identity", "tv"}, {"1", "0"}).is_quadratic());
    EXPECT_TRUE(parse_regularisation({"identity", "roughness"}, {"1", "2"}).is_quadratic());
}

TEST(RegularisationOptions, RefuseWhatMeansNothing) {
    const auto parse = [](std::vector<std::string> priors, std::vector<std::string> lambdas) {
        return [=] { parse_regularisation(priors, lambdas); };
    };
    expect_error<UsageError>(parse({}, {"-1"}), {"`lambda` -1", "not negative"});
    expect_error<UsageError>(parse({}, {"inf"}), {"`lambda` inf"});
    expect_error<UsageError>(parse({}, {"1e-3x"}), {"`lambda` 1e-3x"});
    expect_error<UsageError>(parse({"sharp"}, {"1"}), {"unknown prior 'sharp'", "identity"});
    expect_error<UsageError>(parse({"spetrum"}, {}), {"unknown prior 'spetrum'; did you mean 'spectrum'?"});
    expect_error<UsageError>(parse({"identity"}, {}), {"`prior` identity: `lambda` is missing"});
    expect_error<UsageError>(parse({}, {"1", "2"}), {"found 2 numbers, expected 1, for identity"});
}

}  // namespace
}  // namespace recon
