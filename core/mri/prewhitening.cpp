#include "core/mri/prewhitening.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>

#include "core/base/error.hpp"
#include "core/mri/coils/coil_mixing.hpp"

namespace recon {

using Matrix = Eigen::MatrixXcd;
using CoilSamples = Eigen::Map<const Eigen::MatrixXcf>;  // rows: samples, columns: coils

Prewhitening::Prewhitening(std::span<const cdouble> values, Index coil_count, const std::string& where)
    : coil_count_(coil_count) {
    Matrix covariance = Eigen::Map<const Matrix>(values.data(), coil_count, coil_count);
    if (!(covariance.diagonal().real().minCoeff() > 0)) {
        throw InputError(where +
                         ": the noise covariance has a variance that is not above 0; give that of coils that "
                         "measure, and `drop_coils` for the others");
    }
    covariance *= static_cast<double>(coil_count) / covariance.trace().real();
    const Eigen::LLT<Matrix> cholesky(covariance);
    if (!covariance.allFinite() || cholesky.info() != Eigen::Success || cholesky.rcond() < 1e-12) {
        throw InputError(where +
                         ": the noise covariance is singular (a silent coil, or one that copies others); "
                         "use `no_prewhitening`");
    }
    const Matrix factor = cholesky.matrixL();
    factor_.assign(factor.data(), factor.data() + factor.size());
    const Matrix inverse = cholesky.matrixL().solve(Matrix::Identity(coil_count, coil_count));
    whitener_.assign(inverse.data(), inverse.data() + inverse.size());
}

Prewhitening Prewhitening::from_noise(std::span<const cfloat> noise, Index coil_count) {
    const Index sample_count = static_cast<Index>(noise.size()) / coil_count;
    if (sample_count < coil_count) {
        throw InputError(
            fmt::format("noise scan: {} samples for {} coils do not determine the noise covariance; "
                        "use `no_prewhitening`",
                        sample_count, coil_count));
    }
    const Matrix samples = CoilSamples(noise.data(), sample_count, coil_count).cast<cdouble>();
    const Matrix covariance = samples.transpose() * samples.conjugate() / static_cast<double>(sample_count);
    return {std::span(covariance.data(), covariance.size()), coil_count, "noise scan"};
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

}  // namespace recon
