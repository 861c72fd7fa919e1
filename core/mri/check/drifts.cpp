#include "core/mri/check/drifts.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>

namespace recon {
namespace {

constexpr int drift_unknowns = 5;
using DriftUnknowns = Eigen::Matrix<double, drift_unknowns, 1>;

std::size_t part_of_readouts(Index sample, Index sample_count, Index readout_length, std::size_t part_count) {
    const Index length = std::max<Index>(1, readout_length);
    const Index readouts = std::max<Index>(1, sample_count / length);
    const Index count = static_cast<Index>(part_count);
    return static_cast<std::size_t>(std::min(sample / length * count / readouts, count - 1));
}

/// Of log d, by log g, phase and shift.
std::array<cdouble, drift_unknowns> derivatives(const Trajectory& trajectory, Index sample) {
    constexpr cdouble i(0, 1);
    std::array<cdouble, drift_unknowns> result{1, i};
    for (int axis = 0; axis < 3; ++axis) {
        result[2 + axis] = -2 * pi * i * trajectory.k[axis][sample];
    }
    return result;
}

}  // namespace

std::vector<Drift> drifts_of_parts(const Trajectory& trajectory, const std::vector<cfloat>& kspace,
                                   const std::vector<cfloat>& explained, Index readout_length, int part_count,
                                   DriftKind kind) {
    const Index sample_count = trajectory.sample_count();
    const auto parts = static_cast<std::size_t>(part_count);
    std::vector<Eigen::Matrix<double, drift_unknowns, drift_unknowns>> squares(parts);
    std::vector<DriftUnknowns> solutions(parts, DriftUnknowns::Zero());
    std::ranges::for_each(squares, [](auto& square) { square.setZero(); });
    for (Index m = 0; m < sample_count; ++m) {
        double energy = 0;
        cdouble change = 0;
        for (Index at = m; at < std::ssize(explained); at += sample_count) {
            const cdouble of_image = explained[at];
            energy += std::norm(of_image);
            change += std::conj(of_image) * (cdouble(kspace[at]) - of_image);
        }
        std::array<cdouble, drift_unknowns> with = derivatives(trajectory, m);
        if (kind == DriftKind::gain_and_phase) {
            std::fill(with.begin() + 2, with.end(), 0);
        }
        const std::size_t part = part_of_readouts(m, sample_count, readout_length, parts);
        for (int row = 0; row < drift_unknowns; ++row) {
            solutions[part][row] += (std::conj(with[row]) * change).real();
            for (int column = 0; column < drift_unknowns; ++column) {
                squares[part](row, column) += energy * (std::conj(with[row]) * with[column]).real();
            }
        }
    }
    DriftUnknowns mean = DriftUnknowns::Zero();
    for (std::size_t part = 0; part < parts; ++part) {  // where nothing depends on an unknown it is 0
        solutions[part] = squares[part].completeOrthogonalDecomposition().solve(solutions[part]).eval();
        mean += solutions[part] / part_count;
    }
    DriftUnknowns most;  // of one step: parts of which next to nothing is explained would take any
    most << 1, pi, 0.25, 0.25, 0.25;
    std::vector<Drift> drifts;
    for (const DriftUnknowns& one : solutions) {
        const DriftUnknowns drift = (one - mean).cwiseMax(-most).cwiseMin(most);
        drifts.push_back({drift[0], drift[1], {drift[2], drift[3], drift[4]}});
    }
    return drifts;
}

void take_back(const std::vector<Drift>& drifts, const Trajectory& trajectory, Index readout_length,
               std::vector<cfloat>& kspace) {
    const Index sample_count = trajectory.sample_count();
    for (Index m = 0; m < sample_count; ++m) {
        const Drift& drift = drifts[part_of_readouts(m, sample_count, readout_length, drifts.size())];
        const std::array<cdouble, drift_unknowns> with = derivatives(trajectory, m);
        cdouble logarithm = with[0] * drift.log_gain + with[1] * drift.phase;
        for (int axis = 0; axis < 3; ++axis) {
            logarithm += with[2 + axis] * drift.shift[axis];
        }
        const cfloat factor(std::exp(-logarithm));
        for (Index at = m; at < std::ssize(kspace); at += sample_count) {
            kspace[static_cast<std::size_t>(at)] *= factor;
        }
    }
}

}  // namespace recon
