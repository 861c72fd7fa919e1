#include "core/mri/check/image/folding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>
#include <optional>

#include "core/base/ordered_sum.hpp"

namespace recon {
namespace {

constexpr double nearest = 4;        ///< voxels; below it is the main lobe of Q
constexpr double all_but_one = 0.9;  ///< of Q(0)
constexpr double worth_a_word = 0.2;

/// Samples at about one k.
struct Cluster {
    double k, count;
};

/// Of some samples. None where they lie everywhere, as no distance shows those as one, and none where they reach far
/// beyond the band.
std::vector<Cluster> clusters_of(std::span<const double> k, Index voxels) {
    constexpr double width = 1.0 / 16, most_filled = 0.5;  // in cycles; of all places between the outermost
    constexpr double most_bands = 4;
    constexpr Index looked_at = 1 << 16;
    if (k.empty()) {
        return {};
    }
    const auto [least, greatest] = std::minmax_element(k.begin(), k.end());
    const double first = *least, extent = *greatest - first;
    if (!(extent <= most_bands * static_cast<double>(voxels))) {
        return {};
    }
    std::vector<double> counts(static_cast<std::size_t>(extent / width) + 1);
    const Index step = std::max<Index>(1, std::ssize(k) / looked_at) | 1;  // odd: no readout is left out
    for (Index m = 0; m < std::ssize(k); m += step) {
        ++counts[static_cast<std::size_t>((k[static_cast<std::size_t>(m)] - first) / width)];
    }
    std::vector<Cluster> clusters;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] > 0) {
            clusters.push_back({first + (static_cast<double>(i) + 0.5) * width, counts[i]});
        }
    }
    return static_cast<double>(clusters.size()) > most_filled * static_cast<double>(counts.size())
               ? std::vector<Cluster>()
               : clusters;
}

/// Of the image's energy that of voxels with another one in the field of view, `distance` before or behind them.
double share_of_pairs(std::span<const cfloat> image, const PerAxis<Index>& n, int axis, double distance) {
    const Index stride = axis == 0 ? 1 : axis == 1 ? n[0] : n[0] * n[1];
    const auto sums = ordered_sums<2>(std::ssize(image), [&](Index first, Index end, std::array<double, 2>& energies) {
        for (Index i = first; i < end; ++i) {
            const double energy = std::norm(cdouble(image[static_cast<std::size_t>(i)]));
            const auto place = static_cast<double>(i / stride % n[axis]);
            const bool has_other = place >= distance || place + distance <= static_cast<double>(n[axis] - 1);
            energies[0] += energy;
            energies[1] += has_other ? energy : 0;
        }
    });
    return sums[0] > 0 ? sums[1] / sums[0] : 0;
}

}  // namespace

std::optional<double> indistinct_distance(std::span<const double> k, Index voxels) {
    constexpr double step = 0.25;
    const std::vector<Cluster> clusters = clusters_of(k, voxels);
    if (clusters.size() < 2) {
        return {};
    }
    const double all = std::accumulate(clusters.begin(), clusters.end(), 0.0,
                                       [](double sum, const Cluster& cluster) { return sum + cluster.count; });
    const auto shown_as_one = [&](double distance) {
        std::complex<double> sum = 0;
        for (const Cluster& cluster : clusters) {
            sum += std::polar(cluster.count, 2 * std::numbers::pi * cluster.k * distance / static_cast<double>(voxels));
        }
        return std::abs(sum) / all;
    };
    const auto farthest = static_cast<double>(voxels - 1);
    double best = all_but_one;
    std::optional<double> found;
    for (double distance = nearest; distance <= farthest; distance += step) {
        const double part = shown_as_one(distance);
        if (part >= best) {
            best = part;
            found = distance;
        } else if (found) {
            break;  // beyond the first maximum
        }
    }
    return found;
}

std::vector<CheckFinding> judge_folding(std::span<const cfloat> image, const PerAxis<Index>& matrix_size,
                                        const Trajectory& trajectory, const std::string& frame) {
    std::vector<CheckFinding> findings;
    for (int axis = 0; axis < 3 && !image.empty(); ++axis) {
        const std::optional<double> distance = indistinct_distance(trajectory.k[axis], matrix_size[axis]);
        if (distance && share_of_pairs(image, matrix_size, axis, *distance) > worth_a_word) {
            findings.push_back(
                {"folding",
                 fmt::format("the image{} is folded over itself along {}: one coil with samples {:.3g} cycles of the "
                             "field of view apart cannot tell places {:.3g} voxels apart; more samples or more coils "
                             "do, and if there should be enough, the trajectory's unit or the field of view is wrong",
                             frame, "xyz"[axis], static_cast<double>(matrix_size[axis]) / *distance, *distance),
                 ""});
        }
    }
    return findings;
}

}  // namespace recon
