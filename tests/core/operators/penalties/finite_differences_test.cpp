#include "core/operators/penalties/finite_differences.hpp"

#include <cmath>

#include "core/backend/backend.hpp"
#include "core/base/error.hpp"
#include "core/operators/penalties/voxel_pairs.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/operator_properties.hpp"

namespace recon {
namespace {

constexpr PerAxis<double> factors{1, 0.5, 0.3};

/// Sizes: axes of one voxel, odd and unequal ones, and more voxels than a thread's piece; weighted by pairs or not.
class FiniteDifferencesOnEveryBackend
    : public ::testing::TestWithParam<std::tuple<test::BackendFactory, PerAxis<Index>, Precision, bool>> {
protected:
    PerAxis<Index> matrix_size() const { return std::get<1>(GetParam()); }
    Precision precision() const { return std::get<2>(GetParam()); }
    bool weighted() const { return std::get<3>(GetParam()); }
    /// Differences and weights take a few roundings; the sums of a dot product are in double.
    double rounding() const { return precision() == Precision::single ? 1e-6 : 1e-14; }

    std::vector<cdouble> weights(const Shape& codomain) const {
        std::vector<cdouble> values = test::random_values(codomain.element_count(), 7);
        for (cdouble& value : values) {
            value = weighted() ? static_cast<float>(std::abs(value)) : 1;
        }
        return values;
    }

    std::unique_ptr<FiniteDifferences> make(Backend& backend) const {
        const Shape image = Shape::image(matrix_size());
        auto plain = std::make_unique<FiniteDifferences>(backend, image, factors, precision());
        if (!weighted()) {
            return plain;
        }
        Array of_pairs(backend, plain->codomain(), precision());
        upload(weights(plain->codomain()), of_pairs);
        return std::make_unique<FiniteDifferences>(backend, image, factors, std::move(of_pairs));
    }

    /// The formula in double, pair by pair.
    std::vector<cdouble> direct(const FiniteDifferences& w, const std::vector<cdouble>& x) const {
        const std::vector<cdouble> of_pairs = weights(w.codomain());
        std::vector<cdouble> y(of_pairs.size(), 0);
        const auto voxel_count = static_cast<Index>(x.size());
        for_each_pair(matrix_size(), [&](Index i, Index j, int slot) {
            y[slot * voxel_count + i] =
                factors[w.axes()[slot]] * of_pairs[slot * voxel_count + i].real() * (x[j] - x[i]);
        });
        return y;
    }

    std::unique_ptr<Backend> backend_ = std::get<0>(GetParam()).make();
    std::unique_ptr<FiniteDifferences> w_ = make(*backend_);
};

TEST_P(FiniteDifferencesOnEveryBackend, PassTheDotTest) {
    // the figure is of the order of the rounding times sqrt(number of differences) where these cancel
    const double size = std::sqrt(static_cast<double>(w_->codomain().element_count()));
    EXPECT_LE(w_->axes().empty() ? 0 : test::adjoint_error(*w_), rounding() * size);
}

TEST_P(FiniteDifferencesOnEveryBackend, AreLinear) {
    EXPECT_LE(w_->axes().empty() ? 0 : test::linearity_error(*w_), 4 * rounding());
}

TEST_P(FiniteDifferencesOnEveryBackend, TheStencilIsAdjointOfForward) {
    EXPECT_LE(w_->axes().empty() ? 0 : test::normal_error(*w_), rounding());
}

TEST_P(FiniteDifferencesOnEveryBackend, FollowTheirFormula) {
    const Array x = test::random_array(*backend_, w_->domain(), precision(), 1);
    Array y(*backend_, w_->codomain(), precision());
    w_->forward(x, y);
    const std::vector<cdouble> found = download<double>(y);
    const std::vector<cdouble> expected = direct(*w_, download<double>(x));
    for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_LE(std::abs(found[i] - expected[i]), 10 * rounding()) << i;  // values of a few units
    }
}

TEST_P(FiniteDifferencesOnEveryBackend, AgreeWithTheCpu) {
    const auto cpu = make_cpu_backend(0);
    const auto there = make(*cpu);
    const auto results = [&](const FiniteDifferences& w) {
        const Array x = test::random_array(w.backend(), w.domain(), precision(), 1);
        const Array y = test::random_array(w.backend(), w.codomain(), precision(), 2);
        Array adjoint(w.backend(), w.domain(), precision());
        Array normal(w.backend(), w.domain(), precision());
        w.adjoint(y, adjoint);
        w.normal(x, normal);
        std::vector<cdouble> values = download<double>(adjoint);
        const std::vector<cdouble> more = download<double>(normal);
        values.insert(values.end(), more.begin(), more.end());
        return values;
    };
    const std::vector<cdouble> here = results(*w_);
    const std::vector<cdouble> expected = results(*there);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_LE(std::abs(here[i] - expected[i]), 50 * rounding()) << i;  // sums of six terms of a few units each
    }
}

TEST_P(FiniteDifferencesOnEveryBackend, OfAFlatImageAreZero) {
    Array x(*backend_, w_->domain(), precision());
    Array z(*backend_, w_->domain(), precision());
    backend_->fill({2, -1}, x);
    w_->normal(x, z);
    EXPECT_EQ(norm(z), 0);  // free boundaries: no pair is left without its partner
}

TEST_P(FiniteDifferencesOnEveryBackend, RefuseWeightsOfAnotherImage) {
    Array wrong(*backend_, w_->codomain().with_axis("more", 2), precision());
    EXPECT_THROW(FiniteDifferences(*backend_, w_->domain(), factors, std::move(wrong)), ShapeError);
    Array x(*backend_, w_->domain(), precision());
    Array z(*backend_, w_->domain(), precision());
    const Array weights(*backend_, w_->domain().with_axis("axis", 7), precision());
    const auto refused = [&] { backend_->image_primitives().difference_normal({factors, weights.view()}, x, z); };
    EXPECT_THROW(refused(), ShapeError);
    EXPECT_THROW(backend_->image_primitives().difference_normal({}, x, x), ShapeError);
}

INSTANTIATE_TEST_SUITE_P(
    , FiniteDifferencesOnEveryBackend,
    ::testing::Combine(test::every_backend(),
                       ::testing::Values(PerAxis<Index>{1, 1, 1}, PerAxis<Index>{7, 1, 1}, PerAxis<Index>{1, 1, 4},
                                         PerAxis<Index>{5, 6, 1}, PerAxis<Index>{1, 4, 3}, PerAxis<Index>{2, 1, 2},
                                         PerAxis<Index>{9, 7, 5}, PerAxis<Index>{130, 131, 3}),
                       ::testing::Values(Precision::single, Precision::double_), ::testing::Bool()),
    [](const auto& info) {
        const PerAxis<Index> n = std::get<1>(info.param);
        return std::get<0>(info.param).name + "_" + std::to_string(n[0]) + "_" + std::to_string(n[1]) + "_" +
               std::to_string(n[2]) + "_" + std::string(name_of(std::get<2>(info.param))) +
               (std::get<3>(info.param) ? "_weighted" : "_plain");
    });

}  // namespace
}  // namespace recon
