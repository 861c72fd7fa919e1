#include "core/mri/priors/unresolved_detail.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/base/ordered_sum.hpp"

namespace recon {
namespace {

constexpr Index most_cells = 6;  ///< of an axis between f = 0 and 1/2: P and a are smooth
constexpr int aliases = 3;       ///< on either side; what is beyond adds some per cent

struct Frequency {
    double k_squared;
    double shown_k_squared;  ///< of the frequency that it is an alias of
    double mean;             ///< a of this axis
    bool is_shown;
};

/// Half of the frequencies of an axis and their aliases: the other half is the same.
std::vector<Frequency> frequencies(Index voxels, double factor) {
    if (factor == 0) {
        return {{0, 0, 1, true}};
    }
    const Index cells = std::clamp<Index>(voxels / 2, 1, most_cells);
    std::vector<Frequency> result;
    for (Index cell = 0; cell < cells; ++cell) {
        for (int m = -aliases; m <= aliases; ++m) {
            const double shown = (static_cast<double>(cell) + 0.5) / static_cast<double>(2 * cells);
            const double unit = static_cast<double>(voxels) * factor, angle = std::numbers::pi * (m + shown);
            result.push_back(
                {std::pow((m + shown) * unit, 2), std::pow(shown * unit, 2), std::sin(angle) / angle, m == 0});
        }
    }
    return result;
}

}  // namespace

double unresolved_detail(const PowerSpectrum& power, const std::function<double(double power)>& response,
                         PerAxis<Index> matrix_size, const PerAxis<double>& factors) {
    PerAxis<std::vector<Frequency>> axes;
    double cell_count = 1;
    for (int axis = 0; axis < 3; ++axis) {
        axes[axis] = frequencies(matrix_size[axis], factors[axis]);
        cell_count *= static_cast<double>(
            std::count_if(axes[axis].begin(), axes[axis].end(), [](const Frequency& f) { return f.is_shown; }));
    }
    const double last = power.k_per_mm().back(), at_last = power(last), slope = slope_of_edges(factors);
    const auto expected = [&](double k) {
        return k > last ? std::min(power(k), at_last * std::pow(k / last, slope)) : power(k);
    };
    const Index row = std::ssize(axes[0]), plane = row * std::ssize(axes[1]);
    /// @param error  of the object's energy there, of what is shown and of what is not, by a
    const auto sum_of = [&](auto&& error) {
        return ordered_sum(plane * std::ssize(axes[2]), [&](Index i) {
            const Frequency& x = axes[0][static_cast<std::size_t>(i % row)];
            const Frequency& y = axes[1][static_cast<std::size_t>(i % plane / row)];
            const Frequency& z = axes[2][static_cast<std::size_t>(i / plane)];
            const double shown = power(std::sqrt(x.shown_k_squared + y.shown_k_squared + z.shown_k_squared));
            return response(shown) * error(x.mean * y.mean * z.mean, x.is_shown && y.is_shown && z.is_shown) *
                   expected(std::sqrt(x.k_squared + y.k_squared + z.k_squared));
        });
    };
    const double of_means = sum_of([](double a, bool is_shown) { return is_shown ? (1 - a) * (1 - a) : a * a; });
    const double of_values = sum_of([](double, bool is_shown) { return is_shown ? 0 : 1; });
    return std::min(of_means, of_values) / cell_count;
}

}  // namespace recon
