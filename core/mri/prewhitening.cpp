#include "core/mri/prewhitening.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/error.hpp"
#include "core/base/quantile.hpp"
#include "core/mri/coils/coil_mixing.hpp"

namespace recon {

using Matrix = Eigen::MatrixXcd;
using CoilSamples = Eigen::Map<const Eigen::MatrixXcf>;  // rows: samples, columns: coils

namespace {

/// Of mean variance 1.
Matrix scaled(std::span<const cdouble> covariance, Index coil_count) {
    const Eigen::Map<const Matrix> matrix(covariance.data(), coil_count, coil_count);
    return matrix * (static_cast<double>(coil_count) / matrix.trace().real());
}

/// None of a matrix that is not clearly positive definite.
std::optional<Eigen::LLT<Matrix>> factored(const Matrix& covariance) {
    Eigen::LLT<Matrix> cholesky(covariance);
    if (!covariance.allFinite() || cholesky.info() != Eigen::Success || cholesky.rcond() < 1e-12) {
        return std::nullopt;
    }
    return cholesky;
}

constexpr const char* singular = "the noise covariance is singular (a silent coil, or one that copies others)";

}  // namespace

std::vector<cdouble> noise_covariance(std::span<const cfloat> noise, Index coil_count) {
    const Index sample_count = static_cast<Index>(noise.size()) / coil_count;
    const Matrix samples = CoilSamples(noise.data(), sample_count, coil_count).cast<cdouble>();
    const Matrix covariance = samples.transpose() * samples.conjugate() / static_cast<double>(sample_count);
    return {covariance.data(), covariance.data() + covariance.size()};
}

std::vector<cdouble> covariance_without(const std::vector<Index>& left_out, const std::vector<cdouble>& covariance) {
    const auto coil_count = static_cast<Index>(std::lround(std::sqrt(static_cast<double>(covariance.size()))));
    const auto stays = [&](Index coil) { return !std::ranges::binary_search(left_out, coil); };
    std::vector<cdouble> result;
    for (Index i = 0; i < std::ssize(covariance); ++i) {
        if (stays(i / coil_count) && stays(i % coil_count)) {
            result.push_back(covariance[static_cast<std::size_t>(i)]);
        }
    }
    return result;
}

std::string obstacle_to_whitening(std::span<const cdouble> covariance, Index coil_count, Index sample_count) {
    if (sample_count < 2 * coil_count) {
        return fmt::format("{} samples of noise do not tell how that of {} coils is related", sample_count, coil_count);
    }
    return factored(scaled(covariance, coil_count)) ? "" : singular;
}

double gain_of_whitening(std::span<const cdouble> covariance, Index coil_count, double sample_count) {
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(scaled(covariance, coil_count), Eigen::EigenvaluesOnly);
    const double edge = std::sqrt(static_cast<double>(coil_count) / sample_count);  // of the eigenvalues of white noise
    const double by_chance = std::pow((1 + edge) / (1 - edge), 2);
    const double spread = eigen.eigenvalues().maxCoeff() / eigen.eigenvalues().minCoeff() / by_chance;
    return spread > 1 ? std::pow(1 + spread, 2) / (4 * spread) : 1;
}

Prewhitening::Prewhitening(std::span<const cdouble> values, Index coil_count, const std::string& where)
    : coil_count_(coil_count) {
    if (!(Eigen::Map<const Matrix>(values.data(), coil_count, coil_count).diagonal().real().minCoeff() > 0)) {
        throw InputError(where +
                         ": the noise covariance has a variance that is not above 0; give that of coils that "
                         "measure, and `drop_coils` for the others");
    }
    const std::optional<Eigen::LLT<Matrix>> cholesky = factored(scaled(values, coil_count));
    if (!cholesky) {
        throw InputError(fmt::format("{}: {}; use `no_prewhitening`", where, singular));
    }
    const Matrix factor = cholesky->matrixL();
    factor_.assign(factor.data(), factor.data() + factor.size());
    const Matrix inverse = cholesky->matrixL().solve(Matrix::Identity(coil_count, coil_count));
    whitener_.assign(inverse.data(), inverse.data() + inverse.size());
}

Prewhitening Prewhitening::from_covariance(std::span<const cdouble> covariance, Index coil_count,
                                           const std::string& where) {
    if (static_cast<Index>(covariance.size()) != coil_count * coil_count) {
        throw InputError(
            fmt::format("{}: the noise covariance has {} values, expected {} x {} for the coils of the scan", where,
                        covariance.size(), coil_count, coil_count));
    }
    const Eigen::Map<const Matrix> matrix(covariance.data(), coil_count, coil_count);
    constexpr double single_rounding = 1e-5;  // it may have been stored in single precision
    if (!((matrix - matrix.adjoint()).norm() <= single_rounding * matrix.norm())) {
        throw InputError(where + ": the noise covariance is not Hermitian");
    }
    return {covariance, coil_count, where};
}

void Prewhitening::apply(std::vector<cfloat>& values) const {
    mix_coils(values, Eigen::Map<const Matrix>(whitener_.data(), coil_count_, coil_count_));
}

void Prewhitening::undo(std::vector<cfloat>& values) const {
    mix_coils(values, Eigen::Map<const Matrix>(factor_.data(), coil_count_, coil_count_));
}

std::vector<double> Prewhitening::gains() const {
    constexpr double far = 16;
    const Eigen::VectorXd variances =
        Eigen::Map<const Matrix>(factor_.data(), coil_count_, coil_count_).rowwise().squaredNorm();
    const double median = quantile(std::vector<double>(variances.begin(), variances.end()), 0.5);
    std::vector<double> result;
    for (const double variance : variances) {
        result.push_back(variance > far * median ? std::sqrt(variance / median) : 1);
    }
    return result;
}

}  // namespace recon
