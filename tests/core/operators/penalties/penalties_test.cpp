// Proximal maps against their definition: prox(z) = argmin_v t f(v) + |v - z|^2 / 2.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "core/backend/backend.hpp"
#include "core/operators/penalties/joint_sparsity.hpp"
#include "core/operators/penalties/local_low_rank.hpp"
#include "core/operators/penalties/shift_sequence.hpp"
#include "core/operators/penalties/wavelet_sparsity.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

struct PenaltyCase {
    const char* name;
    Shape shape;
    std::unique_ptr<Penalty> (*make)(Backend&, const Shape&, Precision);
    /// For numbers of unit variance; of those it acts on, it takes away some and leaves others.
    double threshold;
};

void PrintTo(const PenaltyCase& penalty, std::ostream* out) { *out << penalty.name; }

template <Index joint_count>
std::unique_ptr<Penalty> joint(Backend&, const Shape&, Precision) {
    return std::make_unique<JointSparsity>(joint_count);
}
std::unique_ptr<Penalty> wavelets(Backend& backend, const Shape& shape, Precision precision) {
    return std::make_unique<WaveletSparsity>(backend, shape, precision, 1);
}
std::unique_ptr<Penalty> low_rank(Backend&, const Shape& shape, Precision) {
    return std::make_unique<LocalLowRank>(shape, 1);
}

class PenaltiesOnEveryBackend
    : public ::testing::TestWithParam<std::tuple<test::BackendFactory, PenaltyCase, Precision>> {
protected:
    const PenaltyCase& kind() const { return std::get<1>(GetParam()); }
    Precision precision() const { return std::get<2>(GetParam()); }
    /// Tens of eps in single precision; in double the eigenvalues of M^H M for up to 70 frames, thousands of eps.
    double rounding() const { return precision() == Precision::single ? 2e-6 : 1e-12; }
    /// Singular values are square roots of eigenvalues that are right to eps of the largest one: those that are 0, as
    /// in blocks of fewer voxels than frames, come out as up to sqrt(eps) = 1.5e-8 of the largest singular value.
    /// Shrinkage takes them away; their sum shows them.
    double value_rounding() const {
        const bool low_rank = std::string(kind().name).starts_with("LowRank");
        return low_rank ? std::max(rounding(), 1.5e-8) : rounding();
    }
    static double difference_of(ConstArrayView a, ConstArrayView b) {
        const std::vector<cdouble> of_a = download<double>(a);
        const std::vector<cdouble> of_b = download<double>(b);
        double sum = 0;
        for (std::size_t i = 0; i < of_a.size(); ++i) {
            sum += std::norm(of_a[i] - of_b[i]);
        }
        return std::sqrt(sum);
    }
    Array values(unsigned seed) { return test::random_array(*backend_, kind().shape, precision(), seed); }

    std::unique_ptr<Backend> backend_ = std::get<0>(GetParam()).make();
    std::unique_ptr<Penalty> penalty_ = kind().make(*backend_, kind().shape, precision());
};

/// A convex function plus |v - z|^2 / 2 grows from its minimum by |v - minimum|^2 / 2 at least.
TEST_P(PenaltiesOnEveryBackend, TheProximalMapMinimises) {
    const Array z = values(1);
    const auto objective = [&](ConstArrayView v) {
        Array step(*backend_, kind().shape, precision());
        backend_->copy(v, step);
        backend_->axpby(-1, z, 1, step);
        return kind().threshold * penalty_->value(v) + std::pow(norm(step), 2) / 2;
    };
    Array minimum = z.clone();
    penalty_->proximal(kind().threshold, minimum);
    const double least = objective(minimum);
    const double moved = test::relative_difference(download<double>(minimum), download<double>(z));
    EXPECT_GT(moved, 0.05);
    for (unsigned seed = 2; seed < 12; ++seed) {
        for (const double distance : {0.3, 0.05}) {
            Array v = values(seed);
            backend_->axpby(1, minimum, distance, v);
            const double growth = distance * distance * std::pow(norm(values(seed)), 2) / 2;
            EXPECT_GE(objective(v), least + growth - rounding() * least) << seed << " " << distance;
        }
    }
    Array shrunk = minimum.clone();  // towards nothing, the direction that a threshold too small would leave
    backend_->scale(0.99, shrunk);
    EXPECT_GE(objective(shrunk), least - rounding() * least);
}

TEST_P(PenaltiesOnEveryBackend, NoThresholdChangesNothingAndAHugeOneLeavesNoPenalty) {
    const Array z = values(3);
    Array x = z.clone();
    penalty_->proximal(0, x);
    EXPECT_LT(test::relative_difference(download<double>(x), download<double>(z)), 10 * rounding());
    penalty_->proximal(1e6, x);
    EXPECT_LE(penalty_->value(x), rounding() * penalty_->value(z));
}

TEST_P(PenaltiesOnEveryBackend, BackendsAgreeWithTheCpu) {
    const auto cpu = make_cpu_backend(1);
    const auto on_cpu = kind().make(*cpu, kind().shape, precision());
    Array here = values(5);
    Array there = test::random_array(*cpu, kind().shape, precision(), 5);
    EXPECT_NEAR(penalty_->value(here), on_cpu->value(there), value_rounding() * on_cpu->value(there));
    penalty_->proximal(kind().threshold, here);
    on_cpu->proximal(kind().threshold, there);
    EXPECT_LT(difference_of(here, there), rounding() * norm(values(5)));  // what is left may be nothing
}

INSTANTIATE_TEST_SUITE_P(
    , PenaltiesOnEveryBackend,
    ::testing::Combine(
        test::every_backend(),
        ::testing::Values(
            PenaltyCase{"Magnitudes", Shape::image({7, 5, 3}), joint<1>, 0.8},
            PenaltyCase{"OneVoxel", Shape::image({1, 1, 1}), joint<1>, 0.3},
            PenaltyCase{"TwoAxes", Shape::image({70, 91, 1}).with_axis("axis", 2), joint<2>, 1.2},
            PenaltyCase{"ThreeAxes", Shape::image({6, 5, 9}).with_axis("axis", 3), joint<3>, 1.5},
            PenaltyCase{"Wavelets1d", Shape::image({37, 1, 1}), wavelets, 0.8},
            PenaltyCase{"Wavelets2d", Shape::image({25, 34, 1}), wavelets, 0.8},
            PenaltyCase{"Wavelets3d", Shape::image({12, 9, 17}), wavelets, 0.8},
            PenaltyCase{"WaveletsOfASeries", Shape::image({16, 11, 1}).with_axis("frame", 3), wavelets, 0.8},
            PenaltyCase{"LowRank1d", Shape::image({100, 1, 1}).with_axis("frame", 5), low_rank, 0.7},
            PenaltyCase{"LowRank2d", Shape::image({21, 18, 1}).with_axis("frame", 6), low_rank, 0.7},
            PenaltyCase{"LowRank3d", Shape::image({7, 5, 9}).with_axis("frame", 4), low_rank, 0.7},
            PenaltyCase{"LowRankTwoFrames", Shape::image({9, 16, 1}).with_axis("frame", 2), low_rank, 0.7},
            PenaltyCase{"LowRankMoreFramesThanVoxels", Shape::image({5, 3, 1}).with_axis("frame", 23), low_rank, 0.7},
            PenaltyCase{"LowRankManyFrames", Shape::image({12, 9, 1}).with_axis("frame", 70), low_rank, 0.7}),
        ::testing::Values(Precision::single, Precision::double_)),
    [](const auto& info) {
        return std::get<0>(info.param).name + "_" + std::get<1>(info.param).name + "_" +
               std::string(name_of(std::get<2>(info.param)));
    });

using Penalties = test::EveryBackend;

TEST_P(Penalties, JointShrinkageFollowsItsFormula) {
    const Shape shape = Shape::image({11, 3, 1}).with_axis("axis", 2);
    Array z = test::random_array(*backend_, shape, Precision::double_, 1);
    const std::vector<cdouble> before = download<double>(z);
    JointSparsity(2).proximal(0.9, z);
    const std::vector<cdouble> after = download<double>(z);
    double value = 0;
    for (Index n = 0; n < 33; ++n) {
        const double magnitude = std::sqrt(std::norm(before[n]) + std::norm(before[n + 33]));
        value += magnitude;
        for (const Index i : {n, n + 33}) {
            EXPECT_LT(std::abs(after[i] - before[i] * std::max(0.0, 1 - 0.9 / magnitude)), 1e-14);
        }
    }
    upload(std::span<const cdouble>(before), z);
    EXPECT_NEAR(JointSparsity(2).value(z), value, 1e-13 * value);
}

/// One block, so that the series is one matrix.
TEST_P(Penalties, SingularValuesShrinkAsThoseOfEigen) {
    const Index voxels = 15;
    const Index frames = 4;
    Array x = test::random_array(*backend_, Shape::image({5, 3, 1}).with_axis("frame", frames), Precision::double_, 2);
    const std::vector<cdouble> values = download<double>(x);
    const Eigen::Map<const Eigen::MatrixXcd> matrix(values.data(), voxels, frames);
    const Eigen::JacobiSVD<Eigen::MatrixXcd> svd(matrix, Eigen::ComputeThinU | Eigen::ComputeThinV);
    const double weight = std::sqrt(15.0) + std::sqrt(4.0);
    const LocalLowRank penalty(x.shape(), 1);
    EXPECT_NEAR(penalty.value(x), weight * svd.singularValues().sum(), 1e-12 * penalty.value(x));
    const double threshold = (svd.singularValues()[1] + svd.singularValues()[2]) / 2;  // two stay
    const Eigen::VectorXd shrunk = (svd.singularValues().array() - threshold).max(0).matrix();
    const Eigen::MatrixXcd expected = svd.matrixU() * shrunk.asDiagonal() * svd.matrixV().adjoint();
    penalty.proximal(threshold / weight, x);
    EXPECT_LT(test::relative_difference(download<double>(x), {expected.data(), expected.data() + voxels * frames}),
              1e-12);
}

/// A series whose frames are multiples of one image, in noise: what is left is of rank one in every block.
TEST_P(Penalties, ASeriesOfOneImageLosesItsNoise) {
    const Shape shape = Shape::image({16, 16, 1}).with_axis("frame", 6);
    const std::vector<cdouble> image = test::random_values(256, 8);
    std::vector<cdouble> clean(shape.element_count());
    std::vector<cdouble> noisy = test::random_values(shape.element_count(), 9);
    for (Index i = 0; i < shape.element_count(); ++i) {
        clean[i] = 10.0 * image[i % 256] * (1.0 + static_cast<double>(i / 256));
        noisy[i] = clean[i] + noisy[i];  // standard deviation sqrt(2)
    }
    Array x(*backend_, shape, Precision::double_);
    upload(std::span<const cdouble>(noisy), x);
    LocalLowRank(shape, 1).proximal(std::sqrt(2.0), x);
    const double before = test::relative_difference(noisy, clean);
    const double after = test::relative_difference(download<double>(x), clean);
    // In a block of 64 voxels and 6 frames the noise is sqrt(2 * 64 * 6) = 27.7. Of it sqrt(2 * (64 + 6 - 1)) = 11.7
    // stays in what has rank one, whose singular value the threshold makes smaller by sqrt(2) * (8 + sqrt(6)) = 14.8:
    // 0.68 in all.
    EXPECT_LT(after, 0.75 * before);
}

TEST_P(Penalties, WaveletShrinkageLeavesTheMeanAndPolynomialsOfLowDegree) {
    const Shape shape = Shape::image({32, 32, 1});
    Array x(*backend_, shape, Precision::double_);
    backend_->fill({3, -4}, x);
    const WaveletSparsity penalty(*backend_, shape, Precision::double_);
    EXPECT_LT(penalty.value(x), 1e-10);
    penalty.proximal(100, x);
    for (const cdouble& value : download<double>(x)) {
        EXPECT_LT(std::abs(value - cdouble(3, -4)), 1e-12);
    }
}

/// The mean over the places: the second one is that of the image moved there and back.
TEST_P(Penalties, SeveralPlacesOfTheWaveletsAreAveraged) {
    const Index size = 32;
    const Shape shape = Shape::image({size, 1, 1});
    const std::vector<cdouble> image = test::random_values(size, 6);
    const Index shift = spread_shift(1, WaveletTransform(*backend_, shape, Precision::double_).shift_range())[0];
    EXPECT_GT(shift, 0);
    std::vector<cdouble> expected(size);
    for (const Index by : {Index{0}, shift}) {
        std::vector<cdouble> moved(size);
        for (Index n = 0; n < size; ++n) {
            moved[n] = image[(n + by) % size];
        }
        Array x(*backend_, shape, Precision::double_);
        upload(std::span<const cdouble>(moved), x);
        WaveletSparsity(*backend_, shape, Precision::double_, 1).proximal(0.7, x);
        const std::vector<cdouble> shrunk = download<double>(x);
        for (Index n = 0; n < size; ++n) {
            expected[(n + by) % size] += shrunk[n] / 2.0;
        }
    }
    Array x(*backend_, shape, Precision::double_);
    upload(std::span<const cdouble>(image), x);
    WaveletSparsity(*backend_, shape, Precision::double_, 2).proximal(0.7, x);
    EXPECT_LT(test::relative_difference(download<double>(x), expected), 1e-14);
}

TEST_P(Penalties, SeveralPlacesOfTheBlocksAreAveraged) {
    const Shape shape = Shape::image({17, 12, 1}).with_axis("frame", 3);
    const BlockGrid first{{17, 12, 1}, {8, 8, 1}, {0, 0, 0}};
    const BlockGrid second{{17, 12, 1}, {8, 8, 1}, spread_shift(1, {8, 8, 1})};
    const Array x = test::random_array(*backend_, shape, Precision::double_, 7);
    Array sum(*backend_, shape, Precision::double_);
    backend_->fill(0, sum);
    double value = 0;
    for (const BlockGrid& blocks : {first, second}) {
        Array y(*backend_, shape, Precision::double_);
        Array norms(*backend_, {{"block", blocks.count()}}, Precision::double_);
        backend_->image_primitives().shrink_singular_values(0.8, blocks, x, y, norms);
        backend_->axpby(0.5, y, 1, sum);
        for (const cdouble& norm : download<double>(norms)) {
            value += norm.real() / 2;
        }
    }
    const LocalLowRank penalty(shape, 2);
    EXPECT_NEAR(penalty.value(x), value, 1e-12 * value);
    Array z = x.clone();
    penalty.proximal(0.8, z);
    EXPECT_LT(test::relative_difference(download<double>(z), download<double>(sum)), 1e-14);
}

TEST_P(Penalties, WhatDoesNotFitIsRefused) {
    const ImagePrimitives& primitives = backend_->image_primitives();
    Array x = test::random_array(*backend_, Shape::image({9, 4, 1}), Precision::double_, 1);
    Array y = x.clone();
    EXPECT_THROW(primitives.soft_threshold(1, 5, x), ShapeError);
    EXPECT_THROW(primitives.soft_threshold(-1, 1, x), ShapeError);
    EXPECT_THROW(primitives.wavelet_step({.axis = 2, .box = {9, 4, 1}}, x, y), ShapeError);
    EXPECT_THROW(primitives.wavelet_step({.axis = 0, .box = {10, 4, 1}}, x, y), ShapeError);
    EXPECT_THROW(primitives.wavelet_step({.axis = 0, .box = {9, 4, 1}, .shift = 9}, x, y), ShapeError);
    EXPECT_THROW(primitives.wavelet_step({.axis = 0, .box = {9, 4, 1}}, x, x), ShapeError);
    EXPECT_THROW(LocalLowRank(x.shape()), ShapeError);
}

INSTANTIATE_TEST_SUITE_P(, Penalties, test::every_backend(), test::backend_name);

}  // namespace
}  // namespace recon
