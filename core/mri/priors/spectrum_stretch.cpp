#include "core/mri/priors/spectrum_stretch.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "core/mri/priors/power_spectrum.hpp"
#include "core/mri/priors/whittle_fit.hpp"

namespace recon {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double stretch_penalty = 1;  ///< nats for an axis that is stretched by e
constexpr double largest_step = 0.5;   ///< of a logarithm
constexpr double settled = 0.03;
constexpr double least_stretch = 0.05;  ///< of a logarithm: less changes nothing but the way that solutions take
constexpr int most_rounds = 8;

/// A cell that holds samples.
struct Cell {
    Vector3d k_squared;   ///< mean
    SpectrumShell shell;  ///< that it is for one A
    Vector3d parts;       ///< of the axes in |A k|^2, likewise
};

std::vector<Cell> cells_of(const KspaceCells& sums, double coil_count) {
    std::vector<Cell> cells;
    for (std::size_t i = 0; i < sums.count.size(); ++i) {
        const double count = sums.count[i];
        if (count > 0 && sums.gain[i] > 0) {
            cells.push_back({Vector3d(sums.k_squared[0][i], sums.k_squared[1][i], sums.k_squared[2][i]) / count,
                             {coil_count * count, 0, sums.energy[i] / count, sums.gain[i] / count},
                             {}});
        }
    }
    return cells;
}

void place(const Vector3d& log_stretch, double least_k, std::vector<Cell>& cells) {
    const Vector3d squares = (2 * log_stretch).array().exp();
    for (Cell& cell : cells) {
        const Vector3d stretched = squares.cwiseProduct(cell.k_squared);
        const double k_squared = std::max(stretched.sum(), least_k * least_k);
        cell.shell.log_k = 0.5 * std::log(k_squared);
        cell.parts = stretched / k_squared;
    }
}

double log_power(const Cell& cell, const std::vector<double>& knots, const Eigen::VectorXd& values) {
    const auto [left, part] = place_between(knots, cell.shell.log_k);
    const auto knot = static_cast<Index>(left);
    return (1 - part) * values[knot] + part * values[knot + 1];
}

double misfit(const std::vector<Cell>& cells, const std::vector<double>& knots, const Eigen::VectorXd& values) {
    double sum = 0;
    for (const Cell& cell : cells) {
        const double log_of = std::log(cell.shell.gain) + log_power(cell, knots, values);
        sum += cell.shell.weight * (log_of + cell.shell.energy * std::exp(-log_of));
    }
    return sum;
}

/// The product of the elements of A is 1. @param present  1 for axes that take part
Vector3d without_mean(const Vector3d& log_stretch, const Vector3d& present) {
    return log_stretch - log_stretch.dot(present) / present.sum() * present;
}

/// One step of Fisher scoring towards the likelier A, for P as it is. The sum of the logarithms stays.
/// @param knots, values  of log P  @param present  1 for axes that take part
Vector3d step_of(const std::vector<Cell>& cells, const std::vector<double>& knots, const Eigen::VectorXd& values,
                 const Vector3d& log_stretch, const Vector3d& present) {
    Vector3d gradient = 2 * stretch_penalty * log_stretch;
    Matrix3d fisher = 2 * stretch_penalty * Matrix3d::Identity();
    for (const Cell& cell : cells) {
        const std::size_t left = place_between(knots, cell.shell.log_k).first;
        const auto knot = static_cast<Index>(left);
        const double power = std::exp(log_power(cell, knots, values));
        const double slope = (values[knot + 1] - values[knot]) / (knots[left + 1] - knots[left]);
        const Vector3d change = slope * cell.parts.cwiseProduct(present);
        gradient += cell.shell.weight * (1 - cell.shell.energy / (cell.shell.gain * power)) * change;
        fisher += cell.shell.weight * change * change.transpose();
    }
    fisher += fisher.trace() * present * present.transpose();
    const Vector3d step = fisher.ldlt().solve(-without_mean(gradient, present));
    return without_mean(step.cwiseProduct(present), present).cwiseMax(-largest_step).cwiseMin(largest_step);
}

struct Found {
    Vector3d log_stretch;
    double misfit = std::numeric_limits<double>::infinity();  ///< Whittle's, of the last P, in nats
};

/// The likeliest A near one to start from, in turns with P.
Found found_from(Vector3d log_stretch, std::vector<Cell> cells, const PerAxis<double>& factors_of_axes) {
    const Vector3d factors(factors_of_axes.data());
    const Vector3d present = (factors.array() > 0).cast<double>();
    const double energy = std::accumulate(cells.begin(), cells.end(), 0.0,
                                          [](double sum, const Cell& cell) { return sum + cell.shell.energy; });
    const double width = (factors.array() > 0).select(factors, factors.maxCoeff()).minCoeff();
    Found found{log_stretch};
    for (int round = 0; round < most_rounds && energy > 0; ++round) {
        place(found.log_stretch, 0.25 * width, cells);
        std::vector<SpectrumShell> shells;
        std::transform(cells.begin(), cells.end(), std::back_inserter(shells),
                       [](const Cell& cell) { return cell.shell; });
        std::sort(shells.begin(), shells.end(),
                  [](const SpectrumShell& a, const SpectrumShell& b) { return a.log_k < b.log_k; });
        const std::vector<double> knots = spectrum_knots(shells, width);
        if (knots.size() < 2) {
            break;
        }
        constexpr double least_power = 1e-15;
        const Eigen::VectorXd values =
            whittle_fit(shells, knots, slope_of_edges(factors_of_axes), 0, least_power * energy);
        found.misfit = misfit(cells, knots, values);
        const Vector3d step = step_of(cells, knots, values, found.log_stretch, present);
        found.log_stretch += step;
        if (step.cwiseAbs().maxCoeff() < settled) {
            break;
        }
    }
    return found;
}

/// A of an object that fills its field of view, however long that is along each axis.
Vector3d log_stretch_of_view(const PerAxis<double>& factors_of_axes) {
    const Eigen::Array3d factors(factors_of_axes.data());
    const Vector3d present = (factors > 0).cast<double>();
    return without_mean(-(factors > 0).select(factors, 1.0).log().matrix(), present);
}

}  // namespace

PerAxis<double> spectrum_stretch(const KspaceCells& sums, double coil_count) {
    const PerAxis<double> factors = sums.factors();
    if (std::ranges::count_if(factors, [](double factor) { return factor > 0; }) < 2) {
        return {1, 1, 1};
    }
    const std::vector<Cell> cells = cells_of(sums, coil_count);
    Found found = found_from(Vector3d::Zero(), cells, factors);
    const Vector3d of_view = log_stretch_of_view(factors);
    constexpr double far = 1;  // of a logarithm: rounds from 1 may end elsewhere before they are there
    if (of_view.cwiseAbs().maxCoeff() > far) {
        const Found other = found_from(of_view, cells, factors);
        found = other.misfit < found.misfit ? other : found;
    }
    const Vector3d& log_stretch = found.log_stretch;
    if (log_stretch.cwiseAbs().maxCoeff() < least_stretch) {
        return {1, 1, 1};
    }
    return {std::exp(log_stretch[0]), std::exp(log_stretch[1]), std::exp(log_stretch[2])};
}

}  // namespace recon
