#include "core/mri/priors/share_in_gaps.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/base/ordered_sum.hpp"

namespace recon {

double share_in_gaps(const Trajectory& trajectory, PerAxis<Index> matrix_size, const KspaceShells& shells,
                     const PowerSpectrum& power) {
    const auto [nx, ny, nz] = matrix_size;
    const Index cells = nx * ny * nz;
    std::vector<std::uint8_t> is_sampled(static_cast<std::size_t>(cells), 0);
    double edge = 0;
    for (Index m = 0; m < trajectory.sample_count(); ++m) {
        Index at = 0;
        for (int axis = 2; axis >= 0; --axis) {
            const Index n = matrix_size[axis];
            const double k = n > 1 ? trajectory.k[axis][static_cast<std::size_t>(m)] : 0;
            at = at * n + std::clamp<Index>(std::lround(k) + n / 2, 0, n - 1);
        }
        is_sampled[static_cast<std::size_t>(at)] = 1;
        edge = std::max(edge, shells.k_per_mm(trajectory, m));
    }
    // of the cells that are sampled, and of those that are not
    const auto energy_where = [&](bool sampled) {
        return ordered_sum(cells, [&](Index cell) {
            if ((is_sampled[static_cast<std::size_t>(cell)] != 0) != sampled) {
                return 0.0;
            }
            const PerAxis<Index> at{cell % nx, cell / nx % ny, cell / (nx * ny)};
            double square = 0;
            for (int axis = 0; axis < 3; ++axis) {
                square += std::pow(shells.factors()[axis] * static_cast<double>(at[axis] - matrix_size[axis] / 2), 2);
            }
            return square <= edge * edge ? power(std::sqrt(square)) : 0.0;
        });
    };
    const double in_gaps = energy_where(false);
    return in_gaps > 0 ? in_gaps / (in_gaps + energy_where(true)) : 0;
}

}  // namespace recon
