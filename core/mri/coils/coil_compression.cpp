#include "core/mri/coils/coil_compression.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/on_one_thread.hpp"
#include "core/mri/coils/coil_mixing.hpp"

namespace recon {
namespace {

using Matrix = Eigen::MatrixXcd;

}  // namespace

void CoilEnergy::add(std::span<const cfloat> kspace) {
    constexpr Index rows_at_once = 4096;
    const Index sample_count = static_cast<Index>(kspace.size()) / coil_count_;
    const Eigen::Map<const Eigen::MatrixXcf> samples(kspace.data(), sample_count, coil_count_);
    Eigen::Map<Matrix> energy(matrix_.data(), coil_count_, coil_count_);
    for (Index row = 0; row < sample_count; row += rows_at_once) {
        const Matrix block = samples.middleRows(row, std::min(rows_at_once, sample_count - row)).cast<cdouble>();
        on_one_thread([&] { energy.noalias() += block.transpose() * block.conjugate(); });
    }
}

CoilCompression::CoilCompression(const CoilEnergy& energy, const CoilCompressionOptions& options)
    : measured_count_(energy.coil_count()) {
    const Index coil_count = measured_count_;
    if (options.coil_count > coil_count) {
        throw UsageError(fmt::format("`coils` {}: the scan has {}; ask for fewer", options.coil_count, coil_count));
    }
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(
        Eigen::Map<const Matrix>(energy.matrix().data(), coil_count, coil_count));
    const Eigen::VectorXd energies = eigen.eigenvalues().reverse().cwiseMax(0.0);
    const double all = energies.sum();
    if (!(all > 0)) {
        throw InputError("coil compression: k-space is zero throughout");
    }
    Index kept = 0;
    while (kept < coil_count && (options.coil_count > 0 ? kept < options.coil_count : kept_energy_ < options.energy)) {
        kept_energy_ += energies[kept++] / all;
    }
    kept_energy_ = std::min(kept_energy_, 1.0);
    const Matrix basis = eigen.eigenvectors().rowwise().reverse().leftCols(std::max<Index>(kept, 1));
    basis_.assign(basis.data(), basis.data() + basis.size());
}

void CoilCompression::apply(std::vector<cfloat>& values) const {
    values = mix_coils(values, Eigen::Map<const Matrix>(basis_.data(), measured_count_, coil_count()).adjoint());
}

void CoilCompression::undo(std::vector<cfloat>& values) const {
    values = mix_coils(values, Eigen::Map<const Matrix>(basis_.data(), measured_count_, coil_count()));
}

}  // namespace recon
