// The image with priors is that of the normal equations, written out as a matrix in double precision.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "app/reconstruction/reconstruction.hpp"
#include "core/base/error.hpp"
#include "core/fourier/voxel_grid.hpp"
#include "core/operators/penalties/edge_weights.hpp"
#include "core/operators/penalties/voxel_pairs.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/cpu_team.hpp"
#include "tests/support/random.hpp"
#include "tests/support/sample_scan.hpp"

namespace recon {
namespace {

struct Case {
    const char* name;
    PerAxis<Index> matrix;
    std::vector<PriorTermOptions> terms;
    bool masked = false;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

/// One coil that sees all alike; geometry with voxels of different lengths.
Scan scan_of(PerAxis<Index> matrix, Index frames = 1) {
    Scan scan = test::sample_scan({.matrix = matrix, .coils = 1, .readouts = 5, .samples = 11, .frames = frames});
    scan.coil_maps.clear();
    scan.noise.clear();
    scan.off_resonance_hz.clear();
    return scan;
}

/// An image of the scan's grid. @param values  [x y z]
Image image_of(const Scan& scan, const std::vector<float>& values) {
    Image image;
    image.geometry = scan.geometry;
    image.voxels.assign(values.begin(), values.end());
    return image;
}

std::vector<float> reference_values(PerAxis<Index> matrix) {
    const std::vector<cdouble> random = test::random_values(matrix[0] * matrix[1] * matrix[2], 5);
    std::vector<float> values;
    for (const cdouble& value : random) {
        values.push_back(static_cast<float>(2 + std::abs(value)));
    }
    return values;
}

std::vector<float> mask_values(PerAxis<Index> matrix) {
    std::vector<float> values(matrix[0] * matrix[1] * matrix[2], 1);
    for (std::size_t i = 0; i < values.size(); i += 4) {
        values[i] = i % 8 == 0 ? 0 : -1;  // neither is inside
    }
    return values;
}

ReconstructOptions options_of(const Scan& scan, const Case& c) {
    ReconstructOptions options;
    options.precision = Precision::double_;
    options.sums = SumsMethod::exact;
    options.cg = {.iterations = 400, .stop = 1e-13};
    options.measure_accuracy = false;
    options.regularisation.terms = c.terms;
    auto images = std::make_shared<PriorImages>();
    if (options.regularisation.needs_reference()) {
        images->reference = image_of(scan, reference_values(c.matrix));
    }
    if (c.masked) {
        images->mask = image_of(scan, mask_values(c.matrix));
    }
    options.regularisation.images = images;
    return options;
}

/// argmin by a dense factorisation, from the formulas of docs/conventions.md and docs/priors.md alone.
/// @param edge_scale  s of the anatomical weights
std::vector<cdouble> dense_image(const Scan& scan, const Case& c, double edge_scale) {
    const Frame& frame = scan.frames.front();
    const VoxelGrid grid = VoxelGrid::image(c.matrix);
    const Index voxels = grid.shape.element_count(), samples = frame.sample_count();
    Eigen::MatrixXcd e(samples, voxels);
    Eigen::VectorXcd d(samples);
    for (Index m = 0; m < samples; ++m) {
        d(m) = cdouble(frame.kspace[m]);
        for (Index n = 0; n < voxels; ++n) {
            const PerAxis<Index> at{n % c.matrix[0], n / c.matrix[0] % c.matrix[1], n / (c.matrix[0] * c.matrix[1])};
            double turns = 0;
            for (int axis = 0; axis < 3; ++axis) {
                turns += frame.trajectory->k[axis][m] * grid.position(axis, at[axis]);
            }
            e(m, n) = std::polar(1.0, -2 * pi * turns);
        }
    }
    Eigen::MatrixXcd system = e.adjoint() * e;
    const std::vector<float> mask = c.masked ? mask_values(c.matrix) : std::vector<float>(voxels, 1);
    const std::vector<float> reference = reference_values(c.matrix);
    const std::vector<int> axes = axes_with_neighbours(c.matrix);
    const PerAxis<double> voxel_mm = scan.geometry.voxel_size_mm();
    double smallest_mm = INFINITY;
    for (const int axis : axes) {
        smallest_mm = std::min(smallest_mm, voxel_mm[axis]);
    }
    for (const PriorTermOptions& term : c.terms) {
        const double lambda = term.lambda * static_cast<double>(samples);  // Q(0) = number of samples
        if (term.prior == "identity") {
            system += lambda * Eigen::MatrixXcd::Identity(voxels, voxels);
            continue;
        }
        for_each_pair(c.matrix, [&](Index i, Index j, int slot) {
            const double step = term.prior == "anatomical" ? (reference[i] - reference[j]) / edge_scale : 0;
            const double factor = smallest_mm / voxel_mm[axes[slot]];
            const double weight =
                lambda * (mask[i] > 0 ? 1 : 0) * (mask[j] > 0 ? 1 : 0) * factor * factor / (1 + step * step);
            system(i, i) += weight;
            system(j, j) += weight;
            system(i, j) -= weight;
            system(j, i) -= weight;
        });
    }
    std::vector<Index> inside;
    for (Index n = 0; n < voxels; ++n) {
        if (mask[n] > 0) {
            inside.push_back(n);
        }
    }
    const Eigen::VectorXcd right = (e.adjoint() * d)(inside);
    const Eigen::VectorXcd solution = Eigen::MatrixXcd(system(inside, inside)).ldlt().solve(right);
    std::vector<cdouble> image(voxels, 0);
    for (std::size_t i = 0; i < inside.size(); ++i) {
        image[inside[i]] = solution(static_cast<Index>(i));
    }
    return image;
}

class PriorsOnEveryBackend : public ::testing::TestWithParam<std::tuple<test::BackendFactory, Case>> {
protected:
    const Case& wanted() const { return std::get<1>(GetParam()); }
    std::unique_ptr<Backend> backend_ = std::get<0>(GetParam()).make();
};

TEST_P(PriorsOnEveryBackend, GiveTheImageOfTheNormalEquations) {
    Scan scan = scan_of(wanted().matrix);
    const ReconstructOptions options = options_of(scan, wanted());
    RunControl control;
    const FrameResult found = reconstruct(scan, *backend_, options, control).front();
    const std::vector<cdouble> expected =
        dense_image(scan_of(wanted().matrix), wanted(), found.prior ? found.prior->edge_scale : 0);
    const std::vector<cdouble> image(found.image.begin(), found.image.end());
    // Results are stored in single precision; weights as well, and the image moves as they do, by less than the
    // condition of the system, some tens here.
    EXPECT_LT(test::relative_difference(image, expected), 1e-5);
    if (wanted().masked) {
        const std::vector<float> mask = mask_values(wanted().matrix);
        for (std::size_t n = 0; n < mask.size(); ++n) {
            EXPECT_TRUE(mask[n] > 0 || found.image[n] == cfloat(0)) << n;
        }
    }
}

TEST_P(PriorsOnEveryBackend, AreTheSameOnAnyNumberOfRanks) {
    const Scan scan = scan_of(wanted().matrix);
    const auto on = [&](int ranks) {
        Scan copy = scan;
        RunControl control;
        return reconstruct(copy, test::cpu_team(ranks), options_of(scan, wanted()), control).front();
    };
    const FrameResult one = on(1), three = on(3);
    EXPECT_LT(test::relative_difference({three.image.begin(), three.image.end()}, {one.image.begin(), one.image.end()}),
              1e-6);
    ASSERT_EQ(three.prior.has_value(), one.prior.has_value());
    if (one.prior) {
        EXPECT_NEAR(three.prior->leakage->leakage, one.prior->leakage->leakage, 1e-5);
        EXPECT_EQ(three.extras.size(), one.extras.size());
    }
}

const PriorTermOptions identity{"identity", 0.02};
const PriorTermOptions roughness{"roughness", 0.05};
const PriorTermOptions anatomical{"anatomical", 0.1};

INSTANTIATE_TEST_SUITE_P(
    , PriorsOnEveryBackend,
    ::testing::Combine(test::every_backend(),
                       ::testing::Values(Case{"Identity", {6, 5, 3}, {identity}},
                                         Case{"Roughness2d", {7, 6, 1}, {identity, roughness}},
                                         Case{"Roughness3d", {4, 5, 3}, {identity, roughness}},
                                         Case{"Anatomical", {6, 5, 3}, {identity, anatomical}},
                                         Case{"AnatomicalLine", {1, 9, 1}, {anatomical, identity}},
                                         Case{"AllThree", {5, 1, 4}, {identity, roughness, anatomical}},
                                         Case{"Masked", {6, 5, 3}, {identity, roughness, anatomical}, true},
                                         Case{"MaskAlone", {5, 5, 1}, {}, true})),
    [](const auto& info) { return std::get<0>(info.param).name + "_" + std::get<1>(info.param).name; });

TEST(AnatomicalPrior, GivesTheFileItsWeightsAndTheRecordItsReport) {
    constexpr PerAxis<Index> matrix{6, 5, 3};
    Scan scan = scan_of(matrix, 2);
    const Case c{"", matrix, {anatomical}};
    ReconstructOptions options = options_of(scan, c);
    options.cg.iterations = 5;
    const auto backend = make_cpu_backend(0);
    RunControl control;
    const auto results = reconstruct(scan, *backend, options, control);
    ASSERT_EQ(results.size(), 2U);
    EXPECT_FALSE(results[1].prior) << "the reference lies where it lay in the first frame";
    ASSERT_TRUE(results[0].prior);
    EXPECT_TRUE(results[0].prior->alignment);
    EXPECT_TRUE(results[0].prior->leakage);
    ASSERT_EQ(results[0].extras.size(), 3U);
    EXPECT_EQ(results[0].extras[0].name, "prior/edge_weights");
    EXPECT_EQ(results[0].extras[0].extents, (std::vector<Index>{3, 3, 5, 6}));
    const std::vector<float> reference = reference_values(matrix);
    EXPECT_EQ(std::get<std::vector<float>>(results[0].extras[0].values),
              edge_weights(reference, matrix, results[0].prior->edge_scale));

    options.regularisation.report = false;
    Scan again = scan_of(matrix);
    const FrameResult silent = reconstruct(again, *backend, options, control).front();
    EXPECT_FALSE(silent.prior->alignment);
    EXPECT_FALSE(silent.prior->leakage);
    EXPECT_EQ(silent.extras.size(), 2U);
    EXPECT_EQ(silent.image, results[0].image);
}

}  // namespace
}  // namespace recon
