#include "core/mri/coils/coil_compression.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/threads/on_one_thread.hpp"
#include "core/mri/coils/coil_mixing.hpp"

namespace recon {
namespace {

using Matrix = Eigen::MatrixXcd;

/// Ascending energies, and their directions.
Eigen::SelfAdjointEigenSolver<Matrix> directions_of(const CoilEnergy& energy) {
    return Eigen::SelfAdjointEigenSolver<Matrix>(
        Eigen::Map<const Matrix>(energy.matrix().data(), energy.coil_count(), energy.coil_count()));
}

}  // namespace

Index coils_of_signal(const CoilEnergy& energy) {
    constexpr double lost_share = 3e-5, noise_coils_lost = 0.25, most_of_first = 0.01;
    const Eigen::VectorXd energies = directions_of(energy).eigenvalues().cwiseMax(0.0);  // ascending
    const double noise = energies[0];
    const double most_lost = std::max(lost_share * (energies.array() - noise).sum(), noise_coils_lost * noise);
    const double first = energies[energies.size() - 1];
    Index lost = 0;
    for (double signal = 0; lost < energies.size(); ++lost) {
        signal += energies[lost] - noise;
        if (signal > most_lost || energies[lost] > most_of_first * first) {
            break;
        }
    }
    return energies.size() - lost;
}

void CoilEnergy::add(std::span<const cfloat> kspace) {
    constexpr Index rows_at_once = 4096;
    const Index sample_count = static_cast<Index>(kspace.size()) / coil_count_;
    const Eigen::Map<const Eigen::MatrixXcf> samples(kspace.data(), sample_count, coil_count_);
    Eigen::Map<Matrix> energy(matrix_.data(), coil_count_, coil_count_);
    for (Index row = 0; row < sample_count; row += rows_at_once) {
        const Matrix block = samples.middleRows(row, std::min(rows_at_once, sample_count - row)).cast<cdouble>();
        on_one_thread([&] { energy.selfadjointView<Eigen::Lower>().rankUpdate(block.transpose()); });
    }
    energy.triangularView<Eigen::StrictlyUpper>() = energy.adjoint();
}

CoilCompression::CoilCompression(const CoilEnergy& energy, const CoilCompressionOptions& options)
    : measured_count_(energy.coil_count()) {
    const Index coil_count = measured_count_;
    if (options.coil_count > coil_count) {
        throw UsageError(fmt::format("`coils` {}: the scan has {}; ask for fewer", options.coil_count, coil_count));
    }
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen = directions_of(energy);
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

std::vector<double> CoilCompression::of_measured(const std::vector<double>& of_virtual) const {
    const Eigen::MatrixXd shares = Eigen::Map<const Matrix>(basis_.data(), measured_count_, coil_count()).cwiseAbs2();
    const Eigen::VectorXd sums =
        shares * Eigen::Map<const Eigen::VectorXd>(of_virtual.data(), static_cast<Index>(of_virtual.size()));
    const Eigen::VectorXd seen = shares.rowwise().sum();
    std::vector<double> result(static_cast<std::size_t>(measured_count_), 0.0);
    for (Index coil = 0; coil < measured_count_; ++coil) {
        if (seen[coil] > 0) {
            result[static_cast<std::size_t>(coil)] = sums[coil] / seen[coil];
        }
    }
    return result;
}

void CoilCompression::apply(std::vector<cfloat>& values) const {
    mix_coils(values, Eigen::Map<const Matrix>(basis_.data(), measured_count_, coil_count()).adjoint());
}

void CoilCompression::undo(std::vector<cfloat>& values) const {
    mix_coils(values, Eigen::Map<const Matrix>(basis_.data(), measured_count_, coil_count()));
}

}  // namespace recon
