#include "core/mri/gradients/echo_delays.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>

namespace recon {
namespace {

/// Energy of all coils at the samples of a readout.
std::vector<double> energies(const StraightReadout& readout, std::span<const cfloat> kspace, Index coil_count,
                             Index length) {
    const Index sample_count = std::ssize(kspace) / coil_count;
    std::vector<double> energy(static_cast<std::size_t>(length), 0.0);
    for (Index coil = 0; coil < coil_count; ++coil) {
        for (Index s = 0; s < length; ++s) {
            energy[s] += std::norm(cdouble(kspace[coil * sample_count + readout.begin + s]));
        }
    }
    return energy;
}

/// Sample, between samples: the mean over those within a few cycles of the largest, weighed by their squared energies.
double echo_of(const std::vector<double>& energy, double samples_per_cycle) {
    constexpr double cycles = 3;
    const auto peak = std::ranges::max_element(energy) - energy.begin();
    const auto around = static_cast<Index>(std::ceil(cycles * samples_per_cycle));
    double sum = 0, weight = 0;
    for (Index s = std::max<Index>(0, peak - around); s < std::min<Index>(std::ssize(energy), peak + around + 1); ++s) {
        const double square = std::pow(energy[s] / energy[peak], 2);
        sum += square * static_cast<double>(s);
        weight += square;
    }
    return sum / weight;
}

}  // namespace

GradientDelays delays_of_echoes(const std::vector<StraightReadout>& readouts, std::span<const cfloat> kspace,
                                Index coil_count, Index samples_per_readout) {
    constexpr Index unknowns = 9;
    Eigen::MatrixXd matrix(std::ssize(readouts), unknowns);
    Eigen::VectorXd late(std::ssize(readouts));
    for (Index i = 0; i < std::ssize(readouts); ++i) {
        const StraightReadout& readout = readouts[static_cast<std::size_t>(i)];
        const PerAxis<double>& n = readout.direction;
        matrix.row(i) << n[0] * n[0], n[1] * n[1], n[2] * n[2], 2 * n[0] * n[1], 2 * n[0] * n[2], 2 * n[1] * n[2],
            n[0] / readout.step, n[1] / readout.step, n[2] / readout.step;
        const std::vector<double> energy = energies(readout, kspace, coil_count, samples_per_readout);
        late[i] =
            *std::ranges::max_element(energy) > 0 ? echo_of(energy, 1 / readout.step) - readout.centre_sample() : 0;
    }
    const Eigen::VectorXd found = matrix.completeOrthogonalDecomposition().solve(late);
    return {{found[0], found[1], found[2]}, {found[3], found[4], found[5]}};
}

}  // namespace recon
