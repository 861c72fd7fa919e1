#include "app/reconstruction/check/coils/coil_gains.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/base/log.hpp"
#include "core/base/median.hpp"

namespace recon {
namespace {

void take_back(double gain, Index coil, Frame& frame) {
    const Index samples = frame.sample_count();
    const auto first = frame.kspace.begin() + coil * samples;
    std::for_each(first, first + samples, [gain](cfloat& value) { value /= static_cast<float>(gain); });
}

/// By how much each coil is stronger than its map says, as against the median of the coils: of maps taken from its
/// k-space over those that it has, in the median over the voxels. What all coils share, maps leave undetermined.
std::vector<double> coil_gains(const Scan& probe, Backend& backend) {
    const std::vector<cfloat> of_data = maps_of_centre(probe, backend);
    const Index coil_count = probe.coil_count, voxel_count = std::ssize(of_data) / coil_count;
    std::vector<std::vector<double>> logarithms(static_cast<std::size_t>(coil_count));
    for (Index n = 0; n < voxel_count; ++n) {
        std::vector<double> of_voxel;
        for (Index coil = 0; coil < coil_count; ++coil) {
            const auto at = static_cast<std::size_t>(coil * voxel_count + n);
            const double here = std::abs(of_data[at]), given = std::abs(probe.coil_maps[at]);
            of_voxel.push_back(here > 0 && given > 0 ? std::log(here / given) : 0);
        }
        const double common = median(of_voxel);  // by the root-sum-of-squares of the voxel
        for (Index coil = 0; coil < coil_count; ++coil) {
            const auto at = static_cast<std::size_t>(coil);
            logarithms[at].push_back(of_voxel[at] - common);
        }
    }
    std::vector<double> gains;
    for (std::vector<double>& of_coil : logarithms) {
        gains.push_back(std::exp(median(std::move(of_coil))));
    }
    return gains;
}

std::vector<double> upper_half(std::vector<double> values) {
    std::ranges::sort(values);
    return {values.begin() + std::ssize(values) / 2, values.end()};
}

}  // namespace

std::optional<CheckFinding> coil_gain_finding(const CalibrationProbe& probe, LowResolutionFits& fits, Backend& backend,
                                              const LowResolutionFit& as_it_is) {
    static constexpr double odd = 1.5;
    constexpr double clearly = 0.5;
    const Index coil_count = probe.scan.coil_count;
    if (probe.scan.coil_maps.empty() || coil_count < 3) {
        return std::nullopt;
    }
    std::vector<double> gains = coil_gains(probe.scan, backend);
    const auto is_odd = [](double gain) { return std::abs(std::log(gain)) > std::log(odd); };
    if (2 * std::ranges::count_if(gains, is_odd) >= coil_count) {  // half of an array: against its stronger half
        const double reference = median(upper_half(gains));
        std::ranges::for_each(gains, [reference](double& gain) { gain /= reference; });
    }
    Scan changed = probe.scan;
    std::vector<Index> others;
    double largest = 1;
    for (Index coil = 0; coil < coil_count; ++coil) {
        const double gain = gains[static_cast<std::size_t>(coil)];
        if (is_odd(gain)) {
            others.push_back(probe.coils[static_cast<std::size_t>(coil)]);
            largest = std::abs(std::log(gain)) > std::abs(std::log(largest)) ? gain : largest;
            take_back(gain, coil, changed.frames.front());
        }
    }
    if (others.empty() || 2 * std::ssize(others) > coil_count) {
        return std::nullopt;
    }
    const LowResolutionFit fit = fits.fit(changed);
    log_debug("check: gains {:.3g}, residual {:.4f} with them taken back", fmt::join(gains, " "), fit.residual);
    if (!(unexplained(fit.residual, fit.noise) < clearly * unexplained(as_it_is.residual, as_it_is.noise))) {
        return std::nullopt;
    }
    return CheckFinding{
        "coil_maps",
        fmt::format("{}: {:.3g} times the signal that its map and the other coils make of it (residual at low "
                    "resolution {:.4f}, that taken back {:.4f}): a gain or a map of another scale (`drop_coils` leaves "
                    "it out)",
                    numbered("coil", others), largest, as_it_is.residual, fit.residual),
        ""};
}

}  // namespace recon
