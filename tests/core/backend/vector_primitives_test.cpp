#include <cmath>

#include "tests/support/backends.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

/// Sizes around the lengths at which work is divided.
class VectorPrimitives : public ::testing::TestWithParam<std::tuple<test::BackendFactory, Index, Precision>> {
protected:
    Index size() const { return std::get<1>(GetParam()); }
    Precision precision() const { return std::get<2>(GetParam()); }
    double rounding() const { return precision() == Precision::single ? 3e-7 : 1e-15; }  // a few eps
    Shape shape() const { return {{"n", size()}}; }

    std::unique_ptr<Backend> backend_ = std::get<0>(GetParam()).make();
    Array x_ = test::random_array(*backend_, shape(), precision(), 1);
    Array y_ = test::random_array(*backend_, shape(), precision(), 2);
    Array m_ = test::random_array(*backend_, shape(), precision(), 3);
    std::vector<cdouble> x_host_ = download<double>(x_);
    std::vector<cdouble> y_host_ = download<double>(y_);
    std::vector<cdouble> m_host_ = download<double>(m_);

    template <class Formula>
    void expect(ConstArrayView result, Formula&& formula) {
        std::vector<cdouble> expected(result.size());
        for (Index i = 0; i < result.size(); ++i) {
            expected[i] = formula(i);
        }
        const std::vector<cdouble> values = download<double>(result);
        double difference = 0;
        double total = 0;
        for (Index i = 0; i < result.size(); ++i) {
            difference += std::norm(values[i] - expected[i]);
            total += std::norm(expected[i]);
        }
        EXPECT_LE(difference, rounding() * rounding() * total);  // zero where zero is expected
    }
};

TEST_P(VectorPrimitives, WhiteNoiseIsTheSameInPartsAndOnEveryBackend) {
    backend_->fill_white(3, 0, x_);
    const WhiteNoise noise(3);
    expect(x_, [&](Index i) {
        const auto [re, im] = noise.number<double>(i);
        return cdouble(re, im);
    });
    if (size() > 1) {
        Array part(*backend_, {{"n", size() - 1}}, precision());
        backend_->fill_white(3, 1, part);
        const std::vector<cdouble> whole = download<double>(x_), rest = download<double>(part);
        EXPECT_TRUE(std::equal(rest.begin(), rest.end(), whole.begin() + 1));
    }
}

TEST_P(VectorPrimitives, FollowTheirFormulas) {
    const cdouble alpha(0.5, -2);
    const cdouble beta(-1.5, 0.25);
    Array z = y_.clone();
    backend_->axpby(alpha, x_, beta, z);
    expect(z, [&](Index i) { return alpha * x_host_[i] + beta * y_host_[i]; });
    backend_->copy(y_, z);
    backend_->axpby(alpha, x_, 1, z);
    expect(z, [&](Index i) { return alpha * x_host_[i] + y_host_[i]; });
    backend_->copy(y_, z);
    backend_->scale(alpha, z);
    expect(z, [&](Index i) { return alpha * y_host_[i]; });
    backend_->fill(beta, z);
    expect(z, [&](Index) { return beta; });
}

TEST_P(VectorPrimitives, ProductsConjugateAndAccumulate) {
    Array z = y_.clone();
    backend_->multiply(Conjugate::no, m_, x_, Accumulate::no, z);
    expect(z, [&](Index i) { return m_host_[i] * x_host_[i]; });
    backend_->multiply(Conjugate::yes, m_, x_, Accumulate::no, z);
    expect(z, [&](Index i) { return std::conj(m_host_[i]) * x_host_[i]; });
    backend_->copy(y_, z);
    backend_->multiply(Conjugate::yes, m_, x_, Accumulate::yes, z);
    expect(z, [&](Index i) { return y_host_[i] + std::conj(m_host_[i]) * x_host_[i]; });
    backend_->copy(y_, z);
    backend_->multiply(Conjugate::no, m_, x_, Accumulate::yes, z);
    expect(z, [&](Index i) { return y_host_[i] + m_host_[i] * x_host_[i]; });
    backend_->copy(x_, z);
    backend_->multiply(Conjugate::yes, m_, z, Accumulate::no, z);
    expect(z, [&](Index i) { return std::conj(m_host_[i]) * x_host_[i]; });
}

TEST_P(VectorPrimitives, DivisionsAndRootsAreZeroWhereTheyHaveNoValue) {
    Array z = x_.clone();
    backend_->divide(z, m_, z);
    expect(z, [&](Index i) { return m_host_[i].real() > 0 ? x_host_[i] / m_host_[i].real() : cdouble(0); });
    backend_->copy(x_, z);
    backend_->square_root(z);
    expect(z, [&](Index i) { return std::sqrt(std::max(0.0, x_host_[i].real())); });
    backend_->fill(0, z);
    backend_->divide(x_, z, z);
    EXPECT_EQ(norm(z), 0);
}

TEST_P(VectorPrimitives, MirrorsFillTheOtherHalfWithConjugates) {
    for (const Index given : {size() / 2 + 1, size() - size() / 2, size()}) {
        const ConstArrayView half = x_.view().slices(0, given);
        Array z(*backend_, shape(), precision());
        backend_->mirror_conjugate(half, z);
        const auto part = [&](Index n) { return n >= size() - given ? x_host_[n - (size() - given)] : cdouble(0); };
        expect(z, [&](Index n) {
            const Index opposite = size() - 1 - n;
            const bool both_given = std::min(n, opposite) >= size() - given;
            return (part(n) + std::conj(part(opposite))) / (both_given ? 2.0 : 1.0);
        });
    }
}

TEST_P(VectorPrimitives, DotConjugatesTheFirstAndAddsInDouble) {
    cdouble expected = 0;
    for (Index i = 0; i < size(); ++i) {
        expected += std::conj(x_host_[i]) * y_host_[i];
    }
    const double scale = norm(x_) * norm(y_);
    const cdouble first = backend_->dot(x_, y_);
    EXPECT_LT(std::abs(first - expected) / scale, 1e-14);  // the stored numbers are exact in double
    for (int run = 0; run < 20; ++run) {
        EXPECT_EQ(backend_->dot(x_, y_), first);
    }
}

TEST_P(VectorPrimitives, DotsAndCombinationsOfManyVectorsAreThoseOfEach) {
    for (const Index count : {1, 2, 3, 4, 7}) {
        const Array vectors = test::random_array(*backend_, shape().with_axis("vector", count), precision(), 4);
        Array products(*backend_, {{"vector", count}}, Precision::double_);
        backend_->dots(vectors, y_, products);
        const std::vector<cdouble> products_host = download<double>(products);
        for (Index v = 0; v < count; ++v) {
            EXPECT_EQ(products_host[v], backend_->dot(vectors.slice(v), y_));
        }
        const Array coefficients = test::random_array(*backend_, {{"vector", count}}, Precision::double_, 5);
        const std::vector<cdouble> c = download<double>(coefficients);
        const std::vector<cdouble> v = download<double>(vectors);
        Array z = y_.clone();
        backend_->add_combination(coefficients, vectors, z);
        expect(z, [&](Index i) {
            cdouble sum = y_host_[i];
            for (Index vector = 0; vector < count; ++vector) {
                sum += c[vector] * v[vector * size() + i];
            }
            return sum;
        });
    }
}

TEST_P(VectorPrimitives, OperandsThatDoNotFitAreRefused) {
    Array other(*backend_, {{"n", size() + 1}}, precision());
    EXPECT_THROW(backend_->axpby(1, x_, 1, other), ShapeError);
    EXPECT_THROW(backend_->copy(x_, other), ShapeError);
    EXPECT_THROW(backend_->dot(x_, other), ShapeError);
    EXPECT_THROW(backend_->divide(x_, m_, other), ShapeError);
    EXPECT_THROW(backend_->multiply(Conjugate::no, m_, x_, Accumulate::no, other), ShapeError);
    EXPECT_THROW(backend_->mirror_conjugate(other, x_), ShapeError);
    Array single_scalar(*backend_, {{"n", 1}}, Precision::single);
    Array two_scalars(*backend_, {{"n", 2}}, Precision::double_);
    EXPECT_THROW(backend_->dots(x_, y_, single_scalar), ShapeError);
    EXPECT_THROW(backend_->dots(x_, y_, two_scalars), ShapeError);
    EXPECT_THROW(backend_->add_combination(two_scalars, x_, y_), ShapeError);
}

INSTANTIATE_TEST_SUITE_P(, VectorPrimitives,
                         ::testing::Combine(test::every_backend(), ::testing::Values(1, 7, 256, 2049, 16385, 50001),
                                            ::testing::Values(Precision::single, Precision::double_)),
                         [](const auto& info) {
                             return std::get<0>(info.param).name + std::to_string(std::get<1>(info.param)) +
                                    std::string(name_of(std::get<2>(info.param)));
                         });

}  // namespace
}  // namespace recon
