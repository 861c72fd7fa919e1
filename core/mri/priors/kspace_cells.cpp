#include "core/mri/priors/kspace_cells.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

namespace recon {
namespace {

constexpr double first_cell_ends = 0.5;  ///< cycles per field of view

/// Two cells an octave: one for each octave of k^2, which its exponent counts.
Index cell_at(double k) {
    constexpr int mantissa_bits = 52, exponent_of_one = 1023;
    const double squared = std::pow(k / first_cell_ends, 2);
    return squared < 1 ? 0 : 1 + (std::bit_cast<Index>(squared) >> mantissa_bits) - exponent_of_one;
}

}  // namespace

KspaceCells::KspaceCells(PerAxis<Index> matrix_size, const PerAxis<double>& factors) : factors_(factors) {
    for (int axis = 0; axis < 3; ++axis) {
        cell_counts_[axis] = factors[axis] > 0 ? 1 + cell_at(static_cast<double>(matrix_size[axis])) : 1;
    }
    const auto cells = static_cast<std::size_t>(cell_counts_[0] * cell_counts_[1] * cell_counts_[2]);
    for (std::vector<double>* sums : {&count, &energy, &gain, &k_squared[0], &k_squared[1], &k_squared[2]}) {
        sums->assign(cells, 0.0);
    }
}

void KspaceCells::add(const Trajectory& trajectory, std::span<const double> energies, std::span<const double> gains) {
    constexpr Index piece_count = 16;
    std::vector<KspaceCells> pieces(piece_count, KspaceCells(*this));
    for (KspaceCells& piece : pieces) {
        for (std::vector<double>* sums : {&piece.count, &piece.energy, &piece.gain, &piece.k_squared[0],
                                          &piece.k_squared[1], &piece.k_squared[2]}) {
            std::fill(sums->begin(), sums->end(), 0.0);
        }
    }
    const Index samples = trajectory.sample_count();
#pragma omp parallel for schedule(static)
    for (Index piece = 0; piece < piece_count; ++piece) {
        KspaceCells& sums = pieces[static_cast<std::size_t>(piece)];
        for (Index m = piece * samples / piece_count; m < (piece + 1) * samples / piece_count; ++m) {
            const auto sample = static_cast<std::size_t>(m);
            const double sees = gains.empty() ? 1 : gains[sample];
            if (!(sees > 0)) {
                continue;
            }
            Index at = 0;
            for (int axis = 2; axis >= 0; --axis) {
                const Index cell = factors_[axis] > 0 ? cell_at(trajectory.k[axis][sample]) : 0;
                at = at * cell_counts_[axis] + std::min(cell, cell_counts_[axis] - 1);
            }
            const auto i = static_cast<std::size_t>(at);
            for (int axis = 0; axis < 3; ++axis) {
                sums.k_squared[axis][i] +=
                    factors_[axis] > 0 ? std::pow(factors_[axis] * trajectory.k[axis][sample], 2) : 0;
            }
            sums.count[i] += 1;
            sums.energy[i] += energies[sample];
            sums.gain[i] += sees;
        }
    }
    const auto add_to = [](std::vector<double>& all, const std::vector<double>& added) {
        std::transform(all.begin(), all.end(), added.begin(), all.begin(), std::plus<>());
    };
    for (const KspaceCells& piece : pieces) {
        add_to(count, piece.count);
        add_to(energy, piece.energy);
        add_to(gain, piece.gain);
        for (int axis = 0; axis < 3; ++axis) {
            add_to(k_squared[axis], piece.k_squared[axis]);
        }
    }
}

}  // namespace recon
