#include "data/reading/impulse_response_file.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "core/base/error.hpp"
#include "data/formats/bart/bart_file.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

TEST(ImpulseResponseFile, HasATimeAndWeights) {
    const test::TemporaryFolder folder;
    const std::string path = folder / "girf.txt";
    const auto read = [&](const std::string& text) {
        std::ofstream(path) << text;
        return read_impulse_response(path);
    };
    const auto response = read("0 0.75 0.5 1\n4e-6 0.25 0.5 0\n");
    EXPECT_EQ(response.times_s, (std::vector<double>{0, 4e-6}));
    EXPECT_EQ(response.weights[0], (std::vector<double>{0.75, 0.25}));
    EXPECT_EQ(response.weights[8], (std::vector<double>{1, 0}));
    EXPECT_TRUE(response.weights[1].empty());
    const auto full = read("0 1 .01 0 0 1 0 0 0 1\n1e-6 0 0 0 .02 0 0 0 0 0\n");
    EXPECT_EQ(full.weights[1], (std::vector<double>{0.01, 0}));
    EXPECT_EQ(full.weights[3], (std::vector<double>{0, 0.02}));
    const auto refused = [&](const std::string& text, const std::vector<std::string>& parts) {
        test::expect_error<InputError>([&] { read(text); }, parts);
    };
    refused("0 1 1\n1 1 1\n", {path, "[tap, 4]", "[2, 3]"});
    refused("4e-6 0.5 0.5 0.5\n0 0.5 0.5 0.5\n", {path, "ascend"});
    refused("0 1 1 0.4\n4e-6 0 0 0\n", {path, "of z sum up to 0.4"});
    refused("0 1 1 1\n4 0 0 0\n", {path, "within 1 s"});
    test::expect_error<InputError>([&] { read_impulse_response(folder / "none.txt"); }, {"none.txt"});
}

/// Sixteen dimensions, those that the array does not need of extent 1.
TEST(ImpulseResponseFile, MayBeBarts) {
    const test::TemporaryFolder folder;
    BartExtents extents;
    extents.fill(1);
    extents[0] = 4, extents[1] = 2;
    write_bart(folder / "girf", extents, {0, 0.75F, 0.5F, 1, 4e-6F, 0.25F, 0.5F, 0});
    const GradientImpulseResponse response = read_impulse_response(folder / "girf.cfl");
    EXPECT_EQ(response.weights[0], (std::vector<double>{0.75, 0.25}));
    EXPECT_FLOAT_EQ(static_cast<float>(response.times_s[1]), 4e-6F);
}

}  // namespace
}  // namespace recon
