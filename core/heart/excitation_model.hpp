#pragma once

#include "core/base/types.hpp"

namespace recon {

/// Excitation E and recovery R of heart muscle on a square sheet of n x n cells [AlievPanfilov1996], lengths in sides
/// of the sheet (a cell is dx = 1/n), times in the model's own unit (about 13 ms for a human heart):
///
///     dE/dt = d laplace(E) - k E (E - a) (E - 1) - E R
///     dR/dt = (epsilon + M1 R / (E + M2)) (-R - k E (E - b - 1))
///
/// No current leaves the sheet: E is mirrored about the outermost cells.
struct ExcitationModel {
    double a = 0.1;  ///< threshold of excitation
    double b = 0.1;
    double k = 8;
    double m1 = 0.07;
    double m2 = 0.3;
    double epsilon = 0.01;
    double diffusion = 5e-5;  ///< d, square sides a unit of time

    /// alpha = d dt / dx^2: explicit Euler steps are stable up to 1/4.
    double diffusion_number(Index size, double time_step) const;
    /// 95 % of what the linearised equations of E and of R allow.
    double stable_time_step(Index size) const;
    /// @throws UsageError for a size, a parameter or a step that cannot be, or that is known not to be stable
    void require_valid(Index size, double time_step) const;
};

constexpr Index least_excitation_size = 2;
constexpr Index most_excitation_size = 32768;  ///< 26 GB in double precision

/// Steps from 0 until the time is reached, t added up step by step as a loop `while (t < T) t += dt` does.
/// @throws UsageError for times that cannot be, and for more than 1e9 steps
Index steps_until(double time, double time_step);

}  // namespace recon
