#include "core/mri/gradients/readout_values.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace recon {
namespace {

constexpr int tap_radius = 10;  // samples on each side

double tap(double x) {
    if (std::abs(x) >= tap_radius) {
        return 0;
    }
    const double angle = std::numbers::pi * x;
    const double cosine = std::cos(angle / tap_radius);
    const double window = 0.42 + 0.5 * cosine + 0.08 * (2 * cosine * cosine - 1);
    return (std::abs(x) < 1e-9 ? 1 : std::sin(angle) / angle) * window;
}

}  // namespace

ReadoutValues::ReadoutValues(std::span<const cfloat> kspace, Index coil_count, Index samples_per_readout,
                             Index most_coils)
    : kspace_(kspace), sample_count_(static_cast<Index>(kspace.size()) / coil_count), length_(samples_per_readout) {
    std::vector<double> energy;
    for (Index coil = 0; coil < coil_count; ++coil) {
        const auto of_coil =
            kspace.subspan(static_cast<std::size_t>(coil * sample_count_), static_cast<std::size_t>(sample_count_));
        energy.push_back(std::accumulate(of_coil.begin(), of_coil.end(), 0.0, [](double sum, const cfloat& value) {
            return sum + static_cast<double>(std::norm(value));
        }));
    }
    coils_.resize(static_cast<std::size_t>(coil_count));
    std::iota(coils_.begin(), coils_.end(), Index{0});
    std::stable_sort(coils_.begin(), coils_.end(), [&](Index a, Index b) {
        return energy[static_cast<std::size_t>(a)] > energy[static_cast<std::size_t>(b)];
    });
    coils_.resize(static_cast<std::size_t>(std::min(coil_count, most_coils)));
}

ReadoutValues::Values ReadoutValues::at(const StraightReadout& readout, double along, Slopes slopes) const {
    const double sample = (along - readout.first) / readout.step;
    const auto nearest = static_cast<Index>(std::floor(sample));
    constexpr double difference = 1e-3;  // of a sample, for the slope
    Values result{std::vector<cdouble>(coils_.size()), std::vector<cdouble>(coils_.size())};
    const Index last = std::min(length_ - 1, nearest + tap_radius + 1);
    for (Index s = std::max<Index>(0, nearest - tap_radius); s <= last; ++s) {
        const double x = sample - static_cast<double>(s);
        const double weight = tap(x);
        const double slope =
            slopes == Slopes::yes ? (tap(x + difference) - tap(x - difference)) / (2 * difference * readout.step) : 0;
        for (std::size_t c = 0; c < coils_.size(); ++c) {
            const cdouble value(kspace_[static_cast<std::size_t>(coils_[c] * sample_count_ + readout.begin + s)]);
            result.values[c] += weight * value;
            result.slopes[c] += slope * value;
        }
    }
    return result;
}

ReadoutValues ReadoutValues::with_coils(std::size_t most) const {
    ReadoutValues fewer = *this;
    fewer.coils_.resize(std::min(most, coils_.size()));
    return fewer;
}

}  // namespace recon
