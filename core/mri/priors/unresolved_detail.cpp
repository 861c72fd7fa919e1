#include "core/mri/priors/unresolved_detail.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <tuple>
#include <type_traits>
#include <vector>

#include "core/base/ordered_sum.hpp"

namespace recon {
namespace {

constexpr int cells = 7;         ///< of an axis between f = 0 and 1/2
constexpr int most_aliases = 3;  ///< on either side; what is beyond adds some per cent

struct Frequency {
    double k_squared;
    double shown_k_squared;  ///< of the frequency that it is an alias of
    double mean;             ///< a
    double weight;           ///< the part of all frequencies that it stands for
    bool is_shown;
};

/// Half of the frequencies of an axis and their aliases: the other half is the same. Cells are narrow at f = 0, where P
/// is steep, and at f = 1/2, where its aliases are.
std::vector<Frequency> frequencies(Index voxels, double factor, int aliases) {
    if (factor == 0) {
        return {{0, 0, 1, 1, true}};
    }
    std::vector<Frequency> result;
    const auto frequency = [](double cell) { return (1 - std::cos(std::numbers::pi * cell / cells)) / 4; };
    for (int cell = 0; cell < cells; ++cell) {
        const double shown = frequency(cell + 0.5), weight = 2 * (frequency(cell + 1) - frequency(cell));
        for (int m = -aliases; m <= aliases; ++m) {
            const double unit = static_cast<double>(voxels) * factor, angle = std::numbers::pi * (m + shown);
            result.push_back(
                {std::pow((m + shown) * unit, 2), std::pow(shown * unit, 2), std::sin(angle) / angle, weight, m == 0});
        }
    }
    return result;
}

/// The weighted sums of value(frequency), an array of numbers, over the frequencies of all axes.
template <class Value>
auto means_over_frequencies(PerAxis<Index> matrix_size, const PerAxis<double>& factors, int aliases, Value&& value) {
    PerAxis<std::vector<Frequency>> axes;
    for (int axis = 0; axis < 3; ++axis) {
        axes[axis] = frequencies(matrix_size[axis], factors[axis], aliases);
    }
    constexpr std::size_t count = std::tuple_size_v<std::invoke_result_t<Value, Frequency>>;
    const Index row = std::ssize(axes[0]), plane = row * std::ssize(axes[1]);
    return ordered_sums<count>(
        plane * std::ssize(axes[2]), [&](Index first, Index end, std::array<double, count>& sums) {
            for (Index i = first; i < end; ++i) {
                const Frequency& x = axes[0][static_cast<std::size_t>(i % row)];
                const Frequency& y = axes[1][static_cast<std::size_t>(i % plane / row)];
                const Frequency& z = axes[2][static_cast<std::size_t>(i / plane)];
                const Frequency all{x.k_squared + y.k_squared + z.k_squared,
                                    x.shown_k_squared + y.shown_k_squared + z.shown_k_squared, x.mean * y.mean * z.mean,
                                    x.weight * y.weight * z.weight, x.is_shown && y.is_shown && z.is_shown};
                const std::array<double, count> values = value(all);
                for (std::size_t s = 0; s < count; ++s) {
                    sums[s] += all.weight * values[s];
                }
            }
        });
}

}  // namespace

double unresolved_detail(const PowerSpectrum& power, std::span<const double> noises, PerAxis<Index> matrix_size,
                         const PerAxis<double>& factors) {
    const double last = power.k_per_mm().back(), at_last = power(last), slope = slope_of_edges(factors);
    const auto [of_means,
                of_values] = means_over_frequencies(matrix_size, factors, most_aliases, [&](const Frequency& f) {
        const double k = std::sqrt(f.k_squared), shown = power(std::sqrt(f.shown_k_squared));
        double response = 0;
        for (const double noise : noises) {
            response += std::pow(shown / (shown + noise), 2) / static_cast<double>(noises.size());
        }
        const double left = response * (k > last ? std::min(power(k), at_last * std::pow(k / last, slope)) : power(k));
        return std::array{left * std::pow(f.is_shown ? 1 - f.mean : f.mean, 2), f.is_shown ? 0 : left};
    });
    return std::min(of_means, of_values);
}

double noise_of_response(const PowerSpectrum& power, double response, PerAxis<Index> matrix_size,
                         const PerAxis<double>& factors) {
    if (response >= 1) {
        return 0;
    }
    constexpr double most_decades = 12;  // above or below the largest P
    constexpr int halvings = 50;
    double least = -most_decades, most = most_decades;
    const double unit = power(0);
    const auto noise_between = [&] { return unit * std::pow(10, (least + most) / 2); };
    for (int i = 0; i < halvings; ++i) {
        const double noise = noise_between();
        const auto [mean] = means_over_frequencies(matrix_size, factors, 0, [&](const Frequency& f) {
            const double energy = power(std::sqrt(f.k_squared));
            return std::array{energy / (energy + noise)};
        });
        (mean > response ? least : most) = (least + most) / 2;
    }
    return noise_between();
}

}  // namespace recon
