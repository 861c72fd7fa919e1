#include "app/reconstruction/scan_prior/evidence/grid_frequencies.hpp"

#include <cmath>

#include "core/base/host_pages.hpp"
#include "core/operators/preconditioners/circulant_preconditioner.hpp"

namespace recon {

EvenGrid even_grid(const FrameProblem& problem) {
    return problem.backend().computes() ? EvenGrid(circulant_grid(problem.context().matrix_size())) : EvenGrid();
}

std::vector<double> sum_over_axes(const FrameProblem& problem,
                                  const std::function<double(int axis, double frequency)>& term) {
    if (!problem.backend().computes()) {
        return {1};
    }
    const EvenGrid even = even_grid(problem);
    const PerAxis<Index> grid = circulant_grid(problem.context().matrix_size()), &octant = even.octant();
    PerAxis<std::vector<double>> terms;
    for (int axis = 0; axis < 3; ++axis) {
        for (Index i = 0; i < octant[axis]; ++i) {
            terms[axis].push_back(term(axis, static_cast<double>(i) / static_cast<double>(grid[axis])));
        }
    }
    auto sums = unwritten_vector<double>(static_cast<std::size_t>(even.octant_count()));
#pragma omp parallel for schedule(static)
    for (Index row = 0; row < octant[1] * octant[2]; ++row) {
        const double of_row =
            terms[1][static_cast<std::size_t>(row % octant[1])] + terms[2][static_cast<std::size_t>(row / octant[1])];
        for (Index x = 0; x < octant[0]; ++x) {
            sums[static_cast<std::size_t>(row * octant[0] + x)] = terms[0][static_cast<std::size_t>(x)] + of_row;
        }
    }
    return sums;
}

std::vector<double> k_of_grid(const FrameProblem& problem, const KspaceShells& shells) {
    const PerAxis<Index> matrix_size = problem.context().matrix_size();
    std::vector<double> k = sum_over_axes(problem, [&](int axis, double frequency) {
        return std::pow(frequency * static_cast<double>(matrix_size[axis]) * shells.factors()[axis], 2);
    });
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < k.size(); ++i) {
        k[i] = std::sqrt(k[i]);
    }
    return k;
}

}  // namespace recon
