#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "core/operators/encoding.hpp"
#include "core/operators/operator_algebra.hpp"
#include "core/operators/preconditioners/circulant_preconditioner.hpp"
#include "core/operators/preconditioners/stencil_projection.hpp"
#include "core/operators/q_kernel.hpp"
#include "solver/conjugate_gradient.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/dense_operator.hpp"
#include "tests/support/operator_properties.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

using test::DenseOperator;

struct Size {
    PerAxis<Index> n;
    Index coils;
};

/// The normal operator of random samples and random coil maps, small enough to be asked for every element.
class Problem {
public:
    Problem(Backend& backend, const Size& size)
        : trajectory(random_trajectory(150, size.n, 4)),
          q(compute_q(backend, trajectory, size.n, {}, {SumsMethod::exact, 1e-12, Precision::double_})),
          coils(make_coils(backend, size)),
          encoding(backend, {.sums = backend.make_exact_sums(trajectory, VoxelGrid::image(size.n), Precision::double_),
                             .coils = coils,
                             .sample_factors = nullptr,
                             .toeplitz = backend.make_toeplitz(Shape::image(size.n), q, Precision::double_)}) {}

    Trajectory trajectory;
    Array q;
    std::shared_ptr<const CoilSensitivity> coils;
    Encoding encoding;

private:
    static std::shared_ptr<const CoilSensitivity> make_coils(Backend& backend, const Size& size) {
        if (size.coils == 1) {
            return std::make_shared<const CoilSensitivity>();
        }
        return std::make_shared<const CoilSensitivity>(
            test::random_array(backend, Shape::image(size.n).with_axis("coil", size.coils), Precision::double_, 8));
    }
};

/// e_k^H A e_k / N for the waves of a grid.
std::vector<double> rayleigh_quotients(const LinearOperator& a) {
    const PerAxis<Index> n = a.domain().matrix_size();
    const PerAxis<Index> grid = circulant_grid(n);
    const double count = static_cast<double>(a.domain().element_count());
    std::vector<double> quotients;
    Array wave(a.backend(), a.domain(), Precision::double_);
    Array product(a.backend(), a.domain(), Precision::double_);
    for (Index kz = 0; kz < grid[2]; ++kz) {
        for (Index ky = 0; ky < grid[1]; ++ky) {
            for (Index kx = 0; kx < grid[0]; ++kx) {
                std::vector<cdouble> values;
                for (Index z = 0; z < n[2]; ++z) {
                    for (Index y = 0; y < n[1]; ++y) {
                        for (Index x = 0; x < n[0]; ++x) {
                            const double turns = static_cast<double>(kx * x) / static_cast<double>(grid[0]) +
                                                 static_cast<double>(ky * y) / static_cast<double>(grid[1]) +
                                                 static_cast<double>(kz * z) / static_cast<double>(grid[2]);
                            values.push_back(std::polar(1.0, 2 * pi * turns));
                        }
                    }
                }
                upload(values, wave);
                a.forward(wave, product);
                quotients.push_back(a.backend().dot(wave, product).real() / count);
            }
        }
    }
    return quotients;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0, scale = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        largest = std::max(largest, std::abs(a[i] - b[i]));
        scale = std::max(scale, std::abs(b[i]));
    }
    return largest / scale;
}

class Preconditioners : public ::testing::TestWithParam<std::tuple<test::BackendFactory, int>> {
protected:
    static Size size() {
        return std::vector<Size>{{{9, 1, 1}, 1}, {{7, 6, 1}, 1}, {{6, 7, 1}, 3}, {{1, 8, 1}, 2}, {{5, 4, 3}, 2}}.at(
            std::get<1>(GetParam()));
    }
    std::unique_ptr<Backend> backend_ = std::get<0>(GetParam()).make();
};

TEST_P(Preconditioners, SpectrumHoldsTheRayleighQuotientsOfTheNormalOperator) {
    const Problem problem(*backend_, size());
    const std::vector<float> found = circulant_spectrum(*backend_, problem.q, *problem.coils, size().n);
    const std::vector<double> spectrum(found.begin(), found.end());
    // of the largest eigenvalue: coil maps are transformed, and it leaves the device, in single precision
    EXPECT_LT(largest_difference(spectrum, rayleigh_quotients(Normal(problem.encoding))), 5e-7);
}

/// Two FFTs in double: some 1e-13 of the largest eigenvalue.
constexpr double spectrum_tolerance = 1e-11;

/// x[n + 1] - x[n] along each axis and x itself, weighted by numbers that differ from voxel to voxel.
class Stencil final : public LinearOperator {
public:
    Stencil(Backend& backend, const Shape& shape)
        : LinearOperator("stencil", backend, shape, shape, Precision::double_),
          weights_(random_values(4 * shape.element_count(), 6)) {}

private:
    void do_forward(ConstArrayView x, ArrayView y) const override {
        const std::vector<cdouble> in = download<double>(x);
        std::vector<cdouble> out(in.size(), 0.0);
        const PerAxis<Index> n = domain().matrix_size();
        const PerAxis<Index> stride{1, n[0], n[0] * n[1]};
        for (Index i = 0; i < static_cast<Index>(in.size()); ++i) {
            out[i] += std::norm(weights_[4 * i]) * in[i];
            for (int axis = 0; axis < 3; ++axis) {
                if ((i / stride[axis]) % n[axis] + 1 < n[axis]) {
                    const cdouble step = std::norm(weights_[4 * i + axis + 1]) * (in[i + stride[axis]] - in[i]);
                    out[i] -= step;
                    out[i + stride[axis]] += step;
                }
            }
        }
        upload(out, y);
    }
    void do_adjoint(ConstArrayView y, ArrayView x) const override { do_forward(y, x); }

    std::vector<cdouble> weights_;
};

TEST_P(Preconditioners, CombsFindDiagonalAndSpectrumOfAStencil) {
    const Stencil stencil(*backend_, Shape::image(size().n));
    const StencilProjection projection = project_stencil(stencil);
    EXPECT_LT(largest_difference(projection.spectrum, rayleigh_quotients(stencil)), spectrum_tolerance);
    std::vector<double> diagonal;
    Array unit(*backend_, stencil.domain(), Precision::double_);
    Array column(*backend_, stencil.domain(), Precision::double_);
    for (Index i = 0; i < unit.size(); ++i) {
        std::vector<cdouble> values(unit.size(), 0.0);
        values[i] = 1;
        upload(values, unit);
        stencil.forward(unit, column);
        diagonal.push_back(download<double>(column)[i].real());
    }
    EXPECT_LT(largest_difference(projection.diagonal, diagonal), spectrum_tolerance);
}

TEST_P(Preconditioners, AreSelfAdjointAndPositive) {
    const Problem problem(*backend_, size());
    const std::vector<float> of_data = circulant_spectrum(*backend_, problem.q, *problem.coils, size().n);
    std::vector<double> spectrum(of_data.begin(), of_data.end());
    for (double& value : spectrum) {
        value += 1;
    }
    const Shape shape = Shape::image(size().n);
    const CirculantPreconditioner circulant(*backend_, shape, spectrum, Precision::double_);
    EXPECT_LT(test::adjoint_error(circulant), 1e-12);
    for (const unsigned seed : {1U, 2U, 3U}) {
        const Array x = test::random_array(*backend_, shape, Precision::double_, seed);
        Array y(*backend_, shape, Precision::double_);
        circulant.forward(x, y);
        EXPECT_GT(backend_->dot(x, y).real(), 0);
    }
}

TEST_P(Preconditioners, CirculantSystemsAreSolvedInOneIteration) {
    const Shape shape = Shape::image(size().n);
    if (circulant_grid(size().n) != size().n) {
        GTEST_SKIP() << "the grid is larger than the image: the preconditioner is no exact inverse";
    }
    std::vector<double> spectrum;
    for (Index i = 0; i < shape.element_count(); ++i) {
        spectrum.push_back(1 + static_cast<double>(i * i % 17));
    }
    const CirculantPreconditioner inverse(*backend_, shape, spectrum, Precision::double_);
    std::vector<double> reciprocal;
    for (const double value : spectrum) {
        reciprocal.push_back(1 / value);
    }
    const CirculantPreconditioner system(*backend_, shape, reciprocal, Precision::double_);  // the system itself
    const Array b = test::random_array(*backend_, shape, Precision::double_, 5);
    Array x(*backend_, shape, Precision::double_);
    backend_->fill(0, x);
    const CgReport report = solve_cg(system, b, x, {.iterations = 5, .stop = 1e-10}, nullptr, &inverse);
    EXPECT_EQ(report.iterations, 1);
    EXPECT_LT(report.true_residual, 1e-10);
}

INSTANTIATE_TEST_SUITE_P(, Preconditioners, ::testing::Combine(test::every_backend(), ::testing::Range(0, 5)),
                         [](const auto& info) {
                             return std::get<0>(info.param).name + "_" + std::to_string(std::get<1>(info.param));
                         });

class PreconditionedCg : public test::EveryBackend {
protected:
    static constexpr int size = 30;
    static Eigen::MatrixXcd positive_matrix(unsigned seed, double diagonal) {
        const std::vector<cdouble> values = test::random_values(size * size, seed);
        const Eigen::MatrixXcd a = Eigen::Map<const Eigen::MatrixXcd>(values.data(), size, size);
        return a.adjoint() * a + diagonal * Eigen::MatrixXcd::Identity(size, size);
    }
    static Eigen::VectorXcd as_vector(const std::vector<cdouble>& values) {
        return Eigen::Map<const Eigen::VectorXcd>(values.data(), size);
    }
};

TEST_P(PreconditionedCg, SolvesWithAnyPositivePreconditioner) {
    const Eigen::MatrixXcd matrix = positive_matrix(5, 3);
    const DenseOperator a(*backend_, matrix);
    const DenseOperator p(*backend_, positive_matrix(6, 30));
    const Array b = test::random_array(*backend_, {{"row", size}}, Precision::double_, 7);
    for (const int guard_vectors : {0, 1, 4}) {
        Array x(*backend_, {{"row", size}}, Precision::double_);
        backend_->fill(0, x);
        const CgReport report =
            solve_cg(a, b, x, {.iterations = 3 * size, .stop = 1e-12, .guard_vectors = guard_vectors}, nullptr, &p);
        EXPECT_EQ(report.stopped_by, StopReason::residual) << guard_vectors;
        const Eigen::VectorXcd direct = matrix.ldlt().solve(as_vector(download<double>(b)));
        EXPECT_LT((as_vector(download<double>(x)) - direct).norm() / direct.norm(), 1e-10) << guard_vectors;
    }
}

/// Preconditioned CG makes the iterates of plain CG on L^H A L y = L^H b, x = L y, where P = L L^H: with guard vectors
/// as without, as in exact arithmetic they remove nothing.
TEST_P(PreconditionedCg, IteratesAreThoseOfTheTransformedSystem) {
    const Eigen::MatrixXcd matrix = positive_matrix(5, 3);
    const Eigen::MatrixXcd p_matrix = positive_matrix(6, 30);
    const Eigen::MatrixXcd l = p_matrix.llt().matrixL();
    const DenseOperator a(*backend_, matrix);
    const DenseOperator p(*backend_, p_matrix);
    const DenseOperator transformed(*backend_, l.adjoint() * matrix * l);
    const Array b = test::random_array(*backend_, {{"row", size}}, Precision::double_, 7);
    Array transformed_b(*backend_, {{"row", size}}, Precision::double_);
    const Eigen::VectorXcd lb = l.adjoint() * as_vector(download<double>(b));
    upload(std::span<const cdouble>(lb.data(), size), transformed_b);
    for (const int guard_vectors : {0, 4}) {
        for (const int iterations : {1, 2, 5, 8}) {
            const CgOptions options{.iterations = iterations, .guard_vectors = guard_vectors};
            Array x(*backend_, {{"row", size}}, Precision::double_);
            Array y(*backend_, {{"row", size}}, Precision::double_);
            backend_->fill(0, x);
            backend_->fill(0, y);
            solve_cg(a, b, x, options, nullptr, &p);
            solve_cg(transformed, transformed_b, y, options);
            const Eigen::VectorXcd expected = l * as_vector(download<double>(y));
            // condition numbers near 1e3 and 8 iterations leave 1e-16 far below this
            EXPECT_LT((as_vector(download<double>(x)) - expected).norm() / expected.norm(), 1e-9)
                << guard_vectors << " guard vectors, " << iterations << " iterations";
        }
    }
}

TEST_P(PreconditionedCg, EnergyIsTheOneOfTheSolutionAndStopsTheIteration) {
    const Eigen::MatrixXcd matrix = positive_matrix(5, 3);
    const DenseOperator a(*backend_, matrix);
    const Array b = test::random_array(*backend_, {{"row", size}}, Precision::double_, 7);
    const Eigen::VectorXcd rhs = as_vector(download<double>(b));
    const double limit = rhs.dot(matrix.ldlt().solve(rhs)).real();
    Array x(*backend_, {{"row", size}}, Precision::double_);
    backend_->fill(0, x);
    const CgReport full = solve_cg(a, b, x, {.iterations = 3 * size, .stop = 1e-13});
    EXPECT_NEAR(full.energy, limit, 1e-9 * limit);
    double before = 0;
    for (const double energy_stop : {1e-1, 1e-3, 1e-5}) {
        backend_->fill(0, x);
        const CgReport report = solve_cg(a, b, x, {.iterations = 3 * size, .energy_stop = energy_stop * limit});
        EXPECT_EQ(report.stopped_by, StopReason::energy);
        EXPECT_LT(report.iterations, full.iterations);
        EXPECT_GT(report.energy, before);  // each iteration raises it
        EXPECT_LT(report.energy, limit * (1 + 1e-12));
        before = report.energy;
    }
}

INSTANTIATE_TEST_SUITE_P(, PreconditionedCg, test::every_backend(), test::backend_name);

}  // namespace
}  // namespace recon
