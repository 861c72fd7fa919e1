#include "core/mri/prewhitening.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>

#include "core/error.hpp"

namespace recon {

using Matrix = Eigen::MatrixXcd;
using CoilSamples = Eigen::Map<const Eigen::MatrixXcf>;  // rows: samples, columns: coils

Prewhitening::Prewhitening(std::span<const cfloat> noise, Index coil_count) : coil_count_(coil_count) {
    const Index sample_count = static_cast<Index>(noise.size()) / coil_count;
    if (sample_count < coil_count) {
        throw InputError(
            fmt::format("noise scan: {} samples for {} coils do not determine the noise covariance; "
                        "use --no-prewhitening",
                        sample_count, coil_count));
    }
    const Matrix samples = CoilSamples(noise.data(), sample_count, coil_count).cast<cdouble>();
    Matrix covariance = samples.transpose() * samples.conjugate() / static_cast<double>(sample_count);
    covariance *= static_cast<double>(coil_count) / covariance.trace().real();
    const Eigen::LLT<Matrix> cholesky(covariance);
    if (cholesky.info() != Eigen::Success || cholesky.rcond() < 1e-12) {
        throw InputError(
            "noise scan: its covariance is singular (a silent coil, or one that copies others); "
            "use --no-prewhitening");
    }
    const Matrix inverse = cholesky.matrixL().solve(Matrix::Identity(coil_count, coil_count));
    whitener_.assign(inverse.data(), inverse.data() + inverse.size());
}

void Prewhitening::apply(std::span<cfloat> values) const {
    const Eigen::Map<const Matrix> whitener(whitener_.data(), coil_count_, coil_count_);
    const Index element_count = static_cast<Index>(values.size()) / coil_count_;
    Eigen::Map<Eigen::MatrixXcf> samples(values.data(), element_count, coil_count_);
    constexpr Index rows_at_once = 4096;
    for (Index row = 0; row < element_count; row += rows_at_once) {
        auto block = samples.middleRows(row, std::min(rows_at_once, element_count - row));
        block = (block.cast<cdouble>() * whitener.transpose()).cast<cfloat>().eval();
    }
}

}  // namespace recon
