#include "core/mri/coils/hermitian_matrix.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "core/base/cancel.hpp"
#include "tests/support/at_cpu_level.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

using Matrix = Eigen::MatrixXcd;

class HermitianMatrixAtLevel : public test::AtCpuLevel {
protected:
    static Matrix random_matrix(Index rows, Index columns) {
        return Eigen::Map<const Matrix>(test::random_values(rows * columns, 3).data(), rows, columns);
    }
    /// Of the lower triangle alone: the upper one is not to be looked at.
    static std::vector<cdouble> lower_triangle(const Matrix& matrix) {
        const Matrix lower = matrix.triangularView<Eigen::Lower>();
        return {lower.data(), lower.data() + lower.size()};
    }
    static double difference_of_lower(const std::vector<cdouble>& found, const Matrix& expected) {
        const Eigen::Map<const Matrix> matrix(found.data(), expected.rows(), expected.cols());
        return Matrix((matrix - expected).triangularView<Eigen::Lower>()).norm() / expected.norm();
    }
};

TEST_P(HermitianMatrixAtLevel, GramMatricesAddUp) {
    for (const Index columns : {1, 31, 32, 75}) {
        const Matrix first = random_matrix(40, columns), second = 2 * random_matrix(17, columns);
        std::vector<cdouble> sum(columns * columns);
        add_gram_matrix(first.data(), first.rows(), columns, sum.data());
        add_gram_matrix(second.data(), second.rows(), columns, sum.data());
        EXPECT_LT(difference_of_lower(sum, first.adjoint() * first + second.adjoint() * second), 1e-14) << columns;
    }
}

TEST_P(HermitianMatrixAtLevel, ProjectsOnTheLargestEigenvectors) {
    for (const Index columns : {1, 2, 33, 100}) {
        const Matrix a = random_matrix(columns + 20, columns);
        const Matrix gram = a.adjoint() * a;
        const Eigen::SelfAdjointEigenSolver<Matrix> expected(gram);
        const HermitianSpectrum spectrum = spectrum_of_hermitian(lower_triangle(gram));
        ASSERT_EQ(static_cast<Index>(spectrum.values.size()), columns);
        for (Index i = 0; i < columns; ++i) {
            EXPECT_NEAR(spectrum.values[i], expected.eigenvalues()[i], 1e-12 * gram.norm());
        }
        for (const Index count : {Index{1}, (columns + 1) / 2, columns}) {
            const Matrix largest = expected.eigenvectors().rightCols(count);
            EXPECT_LT(difference_of_lower(projection_on_largest(spectrum, count), largest * largest.adjoint()), 1e-10)
                << count << " of " << columns;
        }
    }
}

TEST_P(HermitianMatrixAtLevel, Stops) {
    CancelSource source;
    const CancelToken token(source);
    const CancelBinding bound(token);
    source.request();
    const Matrix a = random_matrix(40, 40);
    std::vector<cdouble> sum(a.size());
    EXPECT_THROW(add_gram_matrix(a.data(), 40, 40, sum.data()), Cancelled);
}

INSTANTIATE_TEST_SUITE_P(, HermitianMatrixAtLevel, test::every_cpu_level(),
                         [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace recon
