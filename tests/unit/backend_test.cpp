#include "core/backend.hpp"

#include <gtest/gtest.h>

#include "core/cpu/cpu_backend.hpp"
#include "core/error.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

/// Sizes around the lengths at which work is divided.
class VectorPrimitives : public ::testing::TestWithParam<std::tuple<Index, Precision>> {
protected:
    Index size() const { return std::get<0>(GetParam()); }
    Precision precision() const { return std::get<1>(GetParam()); }
    double rounding() const { return precision() == Precision::single ? 3e-7 : 1e-15; }  // a few eps
    Shape shape() const { return {{"n", size()}}; }

    std::unique_ptr<Backend> backend_ = make_cpu_backend(2);
    Array x_ = test::random_array(*backend_, shape(), precision(), 1);
    Array y_ = test::random_array(*backend_, shape(), precision(), 2);
    Array m_ = test::random_array(*backend_, shape(), precision(), 3);
    std::vector<cdouble> x_host_ = download<double>(x_);
    std::vector<cdouble> y_host_ = download<double>(y_);
    std::vector<cdouble> m_host_ = download<double>(m_);

    template <class Formula>
    void expect(ConstArrayView result, Formula&& formula) {
        std::vector<cdouble> expected(size());
        for (Index i = 0; i < size(); ++i) {
            expected[i] = formula(i);
        }
        EXPECT_LT(test::relative_difference(download<double>(result), expected), rounding());
    }
};

TEST_P(VectorPrimitives, FollowTheirFormulas) {
    const cdouble alpha(0.5, -2);
    const cdouble beta(-1.5, 0.25);
    Array z = y_.clone();
    backend_->axpby(alpha, x_, beta, z);
    expect(z, [&](Index i) { return alpha * x_host_[i] + beta * y_host_[i]; });
    backend_->copy(y_, z);
    backend_->scale(alpha, z);
    expect(z, [&](Index i) { return alpha * y_host_[i]; });
    backend_->multiply(Conjugate::no, m_, x_, Accumulate::no, z);
    expect(z, [&](Index i) { return m_host_[i] * x_host_[i]; });
    backend_->copy(y_, z);
    backend_->multiply(Conjugate::yes, m_, x_, Accumulate::yes, z);
    expect(z, [&](Index i) { return y_host_[i] + std::conj(m_host_[i]) * x_host_[i]; });
    backend_->copy(x_, z);
    backend_->multiply(Conjugate::yes, m_, z, Accumulate::no, z);
    expect(z, [&](Index i) { return std::conj(m_host_[i]) * x_host_[i]; });
    backend_->fill(beta, z);
    expect(z, [&](Index) { return beta; });
}

TEST_P(VectorPrimitives, DotConjugatesTheFirstAndAddsInDouble) {
    cdouble expected = 0;
    for (Index i = 0; i < size(); ++i) {
        expected += std::conj(x_host_[i]) * y_host_[i];
    }
    const double scale = norm(x_) * norm(y_);
    EXPECT_LT(std::abs(backend_->dot(x_, y_) - expected) / scale, 1e-14);  // the stored numbers are exact in double
}

TEST_P(VectorPrimitives, DotDoesNotDependOnTheNumberOfThreads) {
    const cdouble two = backend_->dot(x_, y_);
    const auto one_thread = make_cpu_backend(1);
    EXPECT_EQ(one_thread->dot(x_, y_), two);
}

TEST_P(VectorPrimitives, OperandsOfDifferentShapesAreRefused) {
    Array other(*backend_, {{"n", size() + 1}}, precision());
    EXPECT_THROW(backend_->axpby(1, x_, 1, other), ShapeError);
    EXPECT_THROW(backend_->copy(x_, other), ShapeError);
    EXPECT_THROW(backend_->dot(x_, other), ShapeError);
    EXPECT_THROW(backend_->multiply(Conjugate::no, m_, x_, Accumulate::no, other), ShapeError);
}

INSTANTIATE_TEST_SUITE_P(Sizes, VectorPrimitives,
                         ::testing::Combine(::testing::Values(1, 7, 16384, 16385, 50001),
                                            ::testing::Values(Precision::single, Precision::double_)));

TEST(CpuMemory, MoreThanThereIsIsAnErrorThatSaysSo) {
    const auto backend = make_cpu_backend(1);
    try {
        const Array huge(*backend, {{"n", Index{1} << 50}}, Precision::single);
        FAIL() << "eight petabytes were handed out";
    } catch (const DeviceError& error) {
        EXPECT_NE(std::string(error.what()).find("asked for"), std::string::npos) << error.what();
        EXPECT_EQ(error.exit_code(), ExitCode::device);
    }
}

TEST(ArrayTest, SlicesShareMemoryAndCheckTheirRange) {
    const auto backend = make_cpu_backend(1);
    Array array = test::random_array(*backend, {{"x", 3}, {"y", 5}, {"coil", 4}}, Precision::single, 1);
    const std::vector<cfloat> all = download<float>(array);
    const std::vector<cfloat> coil = download<float>(array.slice(2));
    EXPECT_TRUE(std::equal(coil.begin(), coil.end(), all.begin() + 30));
    EXPECT_EQ(array.view().slices(1, 3).shape(), (Shape{{"x", 3}, {"y", 5}, {"coil", 3}}));
    EXPECT_THROW(array.slice(4), ShapeError);
    EXPECT_THROW(array.view().slices(2, 3), ShapeError);
    EXPECT_THROW(array.view().data<double>(), ShapeError);
}

TEST(ShapeTest, RefusesWhatCannotBe) {
    EXPECT_THROW((Shape{{"x", 0}}), ShapeError);
    EXPECT_THROW((Shape{{"x", Index{1} << 40}, {"y", Index{1} << 40}}), ShapeError);
    EXPECT_EQ(Shape::image({20, 21, 1}).text(), "[x 20, y 21, z 1]");
}

}  // namespace
}  // namespace recon
