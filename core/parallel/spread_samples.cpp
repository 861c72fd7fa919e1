#include "core/parallel/spread_samples.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace recon {

std::vector<Index> spread_samples(Index count, Index most) {
    std::vector<Index> samples(static_cast<std::size_t>(std::min(count, most)));
    std::iota(samples.begin(), samples.end(), Index{0});
    if (count > most) {
        constexpr double golden_ratio = 0.61803398874989485;
        for (Index& sample : samples) {
            const double turns = golden_ratio * static_cast<double>(sample);
            sample = static_cast<Index>((turns - std::floor(turns)) * static_cast<double>(count));
        }
    }
    return samples;
}

}  // namespace recon
