#include "core/fourier/off_resonance_maps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"

namespace recon {
namespace {

void require_map(const char* name, std::span<const float> map, Index voxel_count) {
    if (!map.empty() && static_cast<Index>(map.size()) != voxel_count) {
        throw ShapeError(
            fmt::format("off-resonance: the map of {} has {} voxels, expected {}", name, map.size(), voxel_count));
    }
    const auto bad = std::find_if_not(map.begin(), map.end(), [](float value) { return std::isfinite(value); });
    if (bad != map.end()) {
        throw InputError(fmt::format("off-resonance: voxel {} of the map of {} is {}, expected a finite number",
                                     bad - map.begin(), name, *bad));
    }
}

}  // namespace

void OffResonanceMaps::require_valid(Index voxel_count) const {
    require_map("frequencies (Hz)", off_resonance_hz, voxel_count);
    require_map("R2* (1/s)", relaxation_rate_per_s, voxel_count);
    const auto negative =
        std::find_if(relaxation_rate_per_s.begin(), relaxation_rate_per_s.end(), [](float rate) { return rate < 0; });
    if (negative != relaxation_rate_per_s.end()) {
        throw InputError(fmt::format("off-resonance: voxel {} of the map of R2* (1/s) is {}, expected no negative rate",
                                     negative - relaxation_rate_per_s.begin(), *negative));
    }
}

void require_sample_times(std::span<const float> sample_times_s, Index sample_count) {
    if (static_cast<Index>(sample_times_s.size()) != sample_count) {
        throw ShapeError(
            fmt::format("off-resonance: {} sample times for {} samples", sample_times_s.size(), sample_count));
    }
    for (const float time : sample_times_s) {
        if (!std::isfinite(time)) {
            throw InputError("off-resonance: a sample time is not finite");
        }
    }
}

}  // namespace recon
