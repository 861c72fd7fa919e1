#include "core/mri/priors/edge_leakage.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "core/operators/penalties/edge_weights.hpp"

namespace recon {
namespace {

constexpr PerAxis<Index> line{9, 1, 1};
constexpr PerAxis<double> plain{1, 1, 1};
constexpr double rounding = 1e-6;  // of a few additions of numbers stored in single precision

/// 1 from voxel `at` on
std::vector<cfloat> step(Index at, cfloat height = 1) {
    std::vector<cfloat> values(9, 0);
    std::fill(values.begin() + at, values.end(), height);
    return values;
}

/// Of a reference with one edge that the prior does not see across at all, before voxel `at`.
std::vector<float> weights_with_edge(Index at) {
    std::vector<float> weights(9, 1);
    weights[at - 1] = 0;
    weights[8] = 0;
    return weights;
}

TEST(EdgeLeakage, AnEdgeThatBothImagesHaveIsNotLeakage) {
    const EdgeLeakage found = edge_leakage(step(4), step(4, cfloat(0, 0.2)), weights_with_edge(4), line, plain);
    EXPECT_NEAR(found.edge_share, 1, rounding);
    EXPECT_NEAR(found.edge_share_without, 1, rounding);
    EXPECT_NEAR(found.edge_share_chance, 1.0 / 8, rounding);  // one edge, eight pairs
    EXPECT_NEAR(found.agreement, 1, rounding);                // up to a complex scale
    EXPECT_NEAR(found.leakage, 0, rounding);
}

TEST(EdgeLeakage, AnEdgeThatTheReferenceAloneHasIsLeakage) {
    const EdgeLeakage found = edge_leakage(step(4), step(6), weights_with_edge(4), line, plain);
    EXPECT_NEAR(found.edge_share, 1, rounding);
    EXPECT_NEAR(found.edge_share_without, 0, rounding);
    EXPECT_NEAR(found.leakage, 1, rounding);
}

TEST(EdgeLeakage, AnEdgeElsewhereIsNotLeakage) {
    const EdgeLeakage found = edge_leakage(step(6), step(6), weights_with_edge(4), line, plain);
    EXPECT_NEAR(found.edge_share, 0, rounding);
    EXPECT_NEAR(found.leakage, 0, rounding);
}

TEST(EdgeLeakage, CountsInPartWhatIsThereInPart) {
    // Edges of height 1 before voxels 4 and 6, both in the reference; the first alone without it: agreement 1/2.
    std::vector<cfloat> with = step(4);
    std::vector<float> weights = weights_with_edge(4);
    weights[5] = 0;
    for (Index i = 6; i < 9; ++i) {
        with[i] = 2;
    }
    const EdgeLeakage found = edge_leakage(with, step(4), weights, line, plain);
    EXPECT_NEAR(found.agreement, 0.5, rounding);
    EXPECT_NEAR(found.leakage, 0.5, rounding);
}

TEST(EdgeLeakage, ImagesWithoutEdgesGiveZeros) {
    const std::vector<cfloat> flat(9, 1);
    const EdgeLeakage found = edge_leakage(flat, flat, weights_with_edge(4), line, plain);
    EXPECT_EQ(found.edge_share, 0);
    EXPECT_EQ(found.leakage, 0);
    EXPECT_THROW(edge_leakage(flat, step(4), std::vector<float>(5), line, plain), ShapeError);
}

}  // namespace
}  // namespace recon
