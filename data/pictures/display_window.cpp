#include "data/pictures/display_window.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace recon {

namespace {

constexpr double bright_fraction = 0.99;
constexpr float background_fraction = 0.05F;
constexpr double white_fraction = 0.995;
constexpr float headroom = 1.1F;

}  // namespace

float percentile(std::vector<float> values, double fraction) {
    if (values.empty()) {
        return 0;
    }
    const auto rank =
        values.begin() + static_cast<std::ptrdiff_t>(std::lround(fraction * static_cast<double>(values.size() - 1)));
    std::nth_element(values.begin(), rank, values.end());
    return *rank;
}

float display_maximum(std::vector<float> magnitudes) {
    std::erase_if(magnitudes, [](float value) { return !std::isfinite(value); });
    const float background = background_fraction * percentile(magnitudes, bright_fraction);
    std::erase_if(magnitudes, [&](float value) { return value <= background; });
    if (magnitudes.empty()) {
        return 1.0F;
    }
    const float largest = *std::max_element(magnitudes.begin(), magnitudes.end());
    return std::min(largest, headroom * percentile(std::move(magnitudes), white_fraction));
}

}  // namespace recon
