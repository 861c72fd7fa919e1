// The error bars against what they stand for: samples of the error against the inverse of the matrix, the effective
// resolution against the image of a point.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "app/reconstruction/problem/coil_energy.hpp"
#include "app/reconstruction/reconstruction.hpp"
#include "app/reconstruction/scan_prior/evidence/grid_frequencies.hpp"
#include "app/reconstruction/scan_prior/evidence/scan_statistics.hpp"
#include "app/reconstruction/scan_prior/scan_prior.hpp"
#include "app/reconstruction/scan_prior/scan_resolution.hpp"
#include "app/reconstruction/scan_prior/scan_system.hpp"
#include "app/reconstruction/scan_prior/terms/enveloped_term.hpp"
#include "app/reconstruction/scan_prior/terms/local_term.hpp"
#include "core/operators/preconditioners/circulant_preconditioner.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/cpu_team.hpp"
#include "tests/support/prepared_problem.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

Simulation simulate_brain(PerAxis<Index> matrix_size, Index coils, double snr,
                          const std::string& trajectory = "golden-radial", double undersampling = 1) {
    SimulationOptions options;
    options.trajectory = trajectory;
    options.request.matrix_size = matrix_size;
    options.request.undersampling = undersampling;
    options.coil_count = coils;
    options.snr = snr;
    return simulate_scan(options);
}

/// The matrix of a map of images, column by column.
template <class Map>
Eigen::MatrixXcd matrix_of(Backend& backend, const Shape& shape, Map&& map) {
    const Index size = shape.element_count();
    Eigen::MatrixXcd matrix(size, size);
    Array x(backend, shape, Precision::double_), y(backend, shape, Precision::double_);
    for (Index column = 0; column < size; ++column) {
        std::vector<cdouble> unit(static_cast<std::size_t>(size));
        unit[static_cast<std::size_t>(column)] = 1;
        upload(unit, x);
        map(x, y);
        const std::vector<cdouble> values = download<double>(y);
        matrix.col(column) = Eigen::Map<const Eigen::VectorXcd>(values.data(), size);
    }
    return matrix;
}

/// Of the spectrum that k-space tells.
ReconstructOptions spectrum_in_double() {
    ReconstructOptions options;
    options.precision = Precision::double_;
    options.regularisation.scan = ScanPrior::spectrum;
    return options;
}

ScanTerm term_of_spectrum(const FrameProblem& problem, double sigma) {
    const ScanStatistics statistics = scan_statistics(problem, coil_energy(problem));
    const auto coils = static_cast<double>(statistics.coil_count);
    const PowerSpectrum spectrum = fit_power_spectrum(statistics.shells, {sigma * sigma, coils, statistics.coil_gain});
    return spectrum_term(problem, k_of_grid(problem, statistics.shells), spectrum, {sigma * sigma, 0},
                         statistics.coil_gain / coils, static_cast<double>(problem.image_shape().element_count()),
                         std::numeric_limits<double>::infinity());
}

/// A = E^H E + W^H W, and draws z of A^-1 (E^H sigma n + W^H sigma w), of both priors: E z z^H = sigma^2 A^-1.
TEST(PosteriorSamples, HaveTheCovarianceOfTheDenseMatrix) {
    constexpr Index n = 12;
    constexpr int draws = 400;
    constexpr double sigma = 3;
    test::PreparedProblem prepared(simulate_brain({n, n, 1}, 2, 10).scan, spectrum_in_double());
    const FrameProblem& problem = prepared.problem();
    Backend& backend = prepared.backend();
    const std::vector<float> of_data =
        circulant_spectrum(backend, *problem.plans().q(), problem.normal_coils(), {n, n, 1}, problem.ranks());
    std::vector<double> values(2 * n * n);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = 5 + 0.5 * std::abs(test::random_values(1, static_cast<unsigned>(i)).front());
    }
    LocalVariance variance{Array(backend, problem.image_shape().with_axis("axis", 2), Precision::double_), 2};
    upload_real(values, variance.relative);
    const ScanTerm of_spectrum = term_of_spectrum(problem, sigma);
    const SharpenedGradient gradient(problem, of_spectrum);
    Array envelope(backend, problem.image_shape(), Precision::double_);
    upload_real(std::vector<double>(values.begin(), values.begin() + n * n), envelope);
    for (const ScanTerm& term : {of_spectrum, enveloped(problem, of_spectrum, nullptr, envelope, nullptr),
                                 local_term(problem, gradient, nullptr, variance, sigma * sigma, nullptr).scan}) {
        const ScanSystem system(problem, prepared.priors(), term, test::on_circulant_grid(problem, of_data), sigma, {});
        const Eigen::MatrixXcd normal = matrix_of(backend, problem.image_shape(),
                                                  [&](const Array& x, Array& y) { problem.normal().forward(x, y); });
        const Eigen::MatrixXcd prior = matrix_of(backend, problem.image_shape(), [&](const Array& x, Array& y) {
            Array codomain(backend, term.term.w->codomain(), Precision::double_);
            term.term.w->forward(x, codomain);
            term.term.w->adjoint(codomain, y);
            backend.scale(term.term.lambda * problem.q_centre(), y);
        });
        const Eigen::MatrixXcd expected = sigma * sigma * (normal + prior).inverse();
        Eigen::MatrixXcd found = Eigen::MatrixXcd::Zero(n * n, n * n);
        for (int draw = 0; draw < draws; ++draw) {
            Array right_side = adjoint_of_white_noise(problem, draw);
            backend.scale(sigma, right_side);
            system.add_draw_of_priors(draw, right_side);
            Array z(backend, problem.image_shape(), Precision::double_);
            backend.fill(0, z);
            system.sample(right_side, z, {1e-4 * n * n * sigma * sigma, 1e-4, false});
            const std::vector<cdouble> voxels = download<double>(z);
            const Eigen::Map<const Eigen::VectorXcd> error(voxels.data(), n * n);
            found += error * error.adjoint() / draws;
        }
        const Eigen::VectorXd ratio = found.diagonal().real().cwiseQuotient(expected.diagonal().real());
        EXPECT_NEAR(ratio.mean(), 1, 0.02);
        EXPECT_LT(std::sqrt((ratio.array() - 1).square().mean()), 1.3 / std::sqrt(draws));
        // Of a sample covariance each element scatters by sqrt(C_ii C_jj / draws).
        const double scatter = expected.diagonal().real().sum() / std::sqrt(draws);
        EXPECT_NEAR((found - expected).norm() / scatter, 1, 0.15);
    }
}

/// sigma of each frequency, or of all.
TEST(PosteriorSamples, DrawPriorsOfOneDeviationAsOfMany) {
    constexpr Index n = 12;
    test::PreparedProblem prepared(simulate_brain({n, n, 1}, 1, 10).scan, spectrum_in_double());
    const FrameProblem& problem = prepared.problem();
    ScanTerm term = term_of_spectrum(problem, 3);
    ASSERT_TRUE(term.deviations.empty());
    const Array of_data = test::on_circulant_grid(problem, std::vector<float>(n * n, 1));
    const auto draw_of = [&](const ScanTerm& of) {
        Array image(prepared.backend(), problem.image_shape(), Precision::double_);
        prepared.backend().fill(0, image);
        ScanSystem(problem, prepared.priors(), of, of_data, 3, {}).add_draw_of_priors(0, image);
        return image;
    };
    const Array of_one = draw_of(term);
    const auto differs_by = [&](double last) {
        term.deviations.assign(static_cast<std::size_t>(term.grid.octant_count()), 3);
        term.deviations.back() = last;
        Array of_many = draw_of(term);
        prepared.backend().axpby(-1, of_one, 1, of_many);
        return norm(of_many) / norm(of_one);
    };
    EXPECT_LT(differs_by(3), 1e-14);
    EXPECT_GT(differs_by(3.5), 1e-4);
}

TEST(PosteriorSamples, ADrawOfThePriorIsTheSolutionOfWhatItTakesOffTheData) {
    constexpr Index n = 12;
    test::PreparedProblem prepared(simulate_brain({n, n, 1}, 2, 10).scan, spectrum_in_double());
    const FrameProblem& problem = prepared.problem();
    const ScanTerm term = term_of_spectrum(problem, 3);
    const ScanSystem system(problem, prepared.priors(), term,
                            test::on_circulant_grid(problem, std::vector<float>(n * n, 1)), 3, {});
    Backend& backend = prepared.backend();
    Array right_side(backend, problem.image_shape(), Precision::double_), solution = right_side.clone();
    backend.fill(0, right_side);
    system.add_draw_of_priors(0, right_side);
    system.set_to_prior_draw(0, solution);
    Array codomain(backend, term.term.w->codomain(), Precision::double_), product = solution.clone();
    term.term.w->forward(solution, codomain);
    term.term.w->adjoint(codomain, product);
    backend.axpby(-1, right_side, term.term.lambda * problem.q_centre(), product);
    EXPECT_LT(norm(product), 1e-12 * norm(right_side));
    Array half = solution.clone(), rest = solution.clone();
    backend.scale(0.5, half);
    system.take_off(half, rest);
    EXPECT_LT(norm(rest), 1e-12 * norm(solution));
}

/// (sum psf / psf(0))^(1/d) of each column psf of A^-1 E^H E, sorted.
std::vector<double> widths_of(const Eigen::MatrixXcd& response, Index axis_count) {
    std::vector<double> widths;
    for (Index voxel = 0; voxel < response.cols(); ++voxel) {
        const double share = std::abs(response.col(voxel).sum() / response(voxel, voxel));
        widths.push_back(std::pow(share, 1 / static_cast<double>(axis_count)));
    }
    std::sort(widths.begin(), widths.end());
    return widths;
}

/// Flat tissue that edges cross, v over three decades from voxel to voxel; all data, and gaps in k-space.
TEST(EffectiveResolution, OfALocalPriorIsTheWidthOfColumnsOfTheDenseMatrix) {
    struct Case {
        PerAxis<Index> matrix_size;
        std::string trajectory;
        double undersampling;
    };
    for (const Case& c : {Case{{19, 20, 1}, "radial", 1}, Case{{19, 20, 1}, "spiral", 3}, Case{{7, 8, 6}, "cones", 1},
                          Case{{200, 1, 1}, "cartesian", 1}}) {
        SCOPED_TRACE(c.trajectory);
        const auto [nx, ny, nz] = c.matrix_size;
        const Index axis_count =
            std::count_if(c.matrix_size.begin(), c.matrix_size.end(), [](Index n) { return n > 1; });
        ReconstructOptions options;
        options.precision = Precision::double_;
        options.regularisation.scan = ScanPrior::scan;
        test::PreparedProblem prepared(simulate_brain(c.matrix_size, 1, 10, c.trajectory, c.undersampling).scan,
                                       options);
        const FrameProblem& problem = prepared.problem();
        Backend& backend = prepared.backend();
        const std::vector<float> of_data =
            circulant_spectrum(backend, *problem.plans().q(), problem.normal_coils(), c.matrix_size, problem.ranks());
        std::vector<double> values;
        for (Index i = 0; i < axis_count * nx * ny * nz; ++i) {
            const bool is_edge = i % nx % 6 == 3;
            const double scatter = test::random_values(1, static_cast<unsigned>(i)).front().real();
            values.push_back((is_edge ? 30 : 1) * std::exp(scatter));
        }
        LocalVariance variance{Array(backend, problem.image_shape().with_axis("axis", axis_count), Precision::double_),
                               1};
        upload_real(values, variance.relative);
        const SharpenedGradient gradient(problem, term_of_spectrum(problem, 1));
        const LocalTerm term = local_term(problem, gradient, nullptr, variance, 0.5 * problem.q_centre(), nullptr);
        const Eigen::MatrixXcd normal = matrix_of(backend, problem.image_shape(),
                                                  [&](const Array& x, Array& y) { problem.normal().forward(x, y); });
        const Eigen::MatrixXcd prior = matrix_of(backend, problem.image_shape(), [&](const Array& x, Array& y) {
            term.scan.term.w->normal(x, y);
            backend.scale(term.scan.term.lambda * problem.q_centre(), y);
        });
        const Eigen::MatrixXcd response = (normal + prior).partialPivLu().solve(normal);
        const std::vector<double> widths = widths_of(response, axis_count);
        Array object(backend, problem.image_shape(), Precision::double_);
        backend.fill(1, object);
        const double freedom = response.trace().real() / static_cast<double>(response.cols());
        const EffectiveResolution found =
            local_resolution(problem, of_data, gradient, *term.differences, object, freedom, axis_count);
        EXPECT_GT(widths[widths.size() / 2], 1.15 * widths[widths.size() / 20]);
        EXPECT_NEAR(found.in_tissue / widths[widths.size() / 2], 1, 0.05);
        EXPECT_NEAR(found.at_edges / widths[widths.size() / 20], 1, 0.06);
    }
}

/// (sum psf / psf(0))^(1/2), of an image that is linear in the data.
TEST(EffectiveResolution, IsTheWidthOfTheImageOfAPoint) {
    constexpr Index n = 40;
    struct Case {
        std::string trajectory;
        double snr, undersampling;
    };
    for (const auto& [sampling, snr, undersampling] :
         {Case{"golden-radial", 3, 1}, Case{"golden-radial", 30, 1}, Case{"spiral", 10, 3}}) {
        const Simulation simulation = simulate_brain({n, n, 1}, 1, snr, sampling, undersampling);
        ReconstructOptions options;
        options.precision = Precision::double_;
        options.measure_accuracy = false;
        options.regularisation.scan = ScanPrior::spectrum;
        options.regularisation.lambda.noise_sigma = simulation.noise_standard_deviation;
        options.cg.iterations = 60;
        options.iterations_asked = 60;
        const auto image_of = [&](Scan scan) {
            RunControl control;
            return std::move(reconstruct(scan, test::cpu_team(1), options, control).front());
        };
        const FrameResult without = image_of(simulation.scan);
        Scan with_point = simulation.scan;
        const Index x = n / 2 + 3, y = n / 2 - 5;
        const Trajectory& trajectory = *with_point.frames.front().trajectory;
        float largest = 0;
        for (const cfloat value : without.image) {
            largest = std::max(largest, std::abs(value));
        }
        for (std::size_t m = 0; m < trajectory.k[0].size(); ++m) {
            const double turns = (trajectory.k[0][m] * (x - n / 2) + trajectory.k[1][m] * (y - n / 2)) / n;
            // Of the phase that leaves the energy of a real object's k-space what it is.
            with_point.frames.front().kspace[m] += cfloat(cdouble(0, 0.1 * largest) * std::polar(1.0, -2 * pi * turns));
        }
        const FrameResult with = image_of(with_point);
        cdouble sum = 0;
        for (std::size_t i = 0; i < with.image.size(); ++i) {
            sum += cdouble(with.image[i] - without.image[i]);
        }
        const auto at = static_cast<std::size_t>(y * n + x);
        const double width = std::sqrt(std::abs(sum / cdouble(with.image[at] - without.image[at])));
        const double voxel = without.scan->voxel_mm > 0 ? without.scan->voxel_mm : 1;
        EXPECT_NEAR(without.scan->resolution_mm / voxel / width, 1, 0.1) << sampling << " " << snr;
    }
}

}  // namespace
}  // namespace recon
