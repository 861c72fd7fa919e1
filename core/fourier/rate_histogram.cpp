#include "core/fourier/rate_histogram.hpp"

#include <algorithm>
#include <cmath>

namespace recon {
namespace {

/// Bins of one map: many for frequencies, whose factors oscillate; few for decays, whose factors are smooth.
class Bins {
public:
    Bins(std::span<const float> map, Index most) {
        if (!map.empty()) {
            const auto [low, high] = std::minmax_element(map.begin(), map.end());
            first_ = *low;
            width_ = (static_cast<double>(*high) - first_) / static_cast<double>(most - 1);
        }
        count_ = width_ > 0 ? most : 1;
    }
    Index count() const { return count_; }
    Index of(double value) const { return width_ > 0 ? std::lround((value - first_) / width_) : 0; }
    double first() const { return first_; }
    double width() const { return width_; }

private:
    double first_ = 0;
    double width_ = 0;
    Index count_;
};

struct Grid {
    Bins frequency;
    Bins decay;
    std::vector<double> weight;  ///< [frequency decay]

    explicit Grid(const OffResonanceMaps& maps)
        : frequency(maps.off_resonance_hz, maps.relaxation_rate_per_s.empty() ? 512 : 256),
          decay(maps.relaxation_rate_per_s, 16),
          weight(frequency.count() * decay.count()) {
        const std::size_t voxel_count = std::max(maps.off_resonance_hz.size(), maps.relaxation_rate_per_s.size());
        for (std::size_t n = 0; n < voxel_count; ++n) {
            const auto voxel = static_cast<Index>(n);
            weight[decay.of(maps.decay_per_s(voxel)) * frequency.count() + frequency.of(maps.frequency_hz(voxel))] +=
                1.0 / static_cast<double>(voxel_count);
        }
    }
};

/// The bins that occur, of a grid with `frequency_count` frequencies.
RateHistogram occurring(const std::vector<double>& weight, Index frequency_count, cdouble first, cdouble width) {
    RateHistogram histogram;
    for (Index i = 0; i < static_cast<Index>(weight.size()); ++i) {
        if (weight[i] > 0) {
            const auto decay = static_cast<double>(i / frequency_count);
            const auto frequency = static_cast<double>(i % frequency_count);
            histogram.rate_per_s.emplace_back(first.real() + decay * width.real(),
                                              2 * pi * (first.imag() + frequency * width.imag()));
            histogram.weight.push_back(weight[i]);
        }
    }
    return histogram;
}

}  // namespace

RateHistogram RateHistogram::of(const OffResonanceMaps& maps) {
    const Grid grid(maps);
    return occurring(grid.weight, grid.frequency.count(), {grid.decay.first(), grid.frequency.first()},
                     {grid.decay.width(), grid.frequency.width()});
}

RateHistogram RateHistogram::of_pairs(const OffResonanceMaps& maps) {
    const Grid grid(maps);
    const Index n = grid.frequency.count();
    std::vector<Index> bins;
    for (Index i = 0; i < static_cast<Index>(grid.weight.size()); ++i) {
        if (grid.weight[i] > 0) {
            bins.push_back(i);
        }
    }
    const Index difference_count = 2 * n - 1;
    std::vector<double> weight(difference_count * (2 * grid.decay.count() - 1));
    for (const Index i : bins) {
        for (const Index j : bins) {
            weight[(i / n + j / n) * difference_count + (j % n - i % n + n - 1)] += grid.weight[i] * grid.weight[j];
        }
    }
    return occurring(weight, difference_count,
                     {2 * grid.decay.first(), -static_cast<double>(n - 1) * grid.frequency.width()},
                     {grid.decay.width(), grid.frequency.width()});
}

double RateHistogram::lowest_hz() const {
    const auto lowest = std::min_element(rate_per_s.begin(), rate_per_s.end(),
                                         [](cdouble a, cdouble b) { return a.imag() < b.imag(); });
    return lowest->imag() / (2 * pi);
}

double RateHistogram::highest_hz() const {
    const auto highest = std::max_element(rate_per_s.begin(), rate_per_s.end(),
                                          [](cdouble a, cdouble b) { return a.imag() < b.imag(); });
    return highest->imag() / (2 * pi);
}

}  // namespace recon
