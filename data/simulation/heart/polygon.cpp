#include "data/simulation/heart/polygon.hpp"

#include <cmath>

namespace recon {
namespace {

/// sin(pi x) / (pi x)
double sinc(double x) {
    const double angle = pi * x;
    return std::abs(angle) < 1e-4 ? 1 - angle * angle / 6 : std::sin(angle) / angle;
}

}  // namespace

StarPolygon::StarPolygon(Point2 centre, const std::vector<double>& radii) : centre_(centre) {
    for (std::size_t i = 0; i < radii.size(); ++i) {
        const double angle = 2 * pi * static_cast<double>(i) / static_cast<double>(radii.size());
        corners_.push_back({radii[i] * std::cos(angle), radii[i] * std::sin(angle)});
    }
}

double StarPolygon::area() const {
    double twice = 0;
    for (std::size_t i = 0; i < corners_.size(); ++i) {
        const Point2& p = corners_[i];
        const Point2& q = corners_[(i + 1) % corners_.size()];
        twice += p[0] * q[1] - p[1] * q[0];
    }
    return twice / 2;
}

bool StarPolygon::holds(const Point2& point) const {
    const double x = point[0] - centre_[0], y = point[1] - centre_[1];
    const auto count = static_cast<double>(corners_.size());
    double turns = std::atan2(y, x) / (2 * pi);
    turns -= std::floor(turns);
    const auto sector = static_cast<std::size_t>(turns * count) % corners_.size();
    const Point2& p = corners_[sector];
    const Point2& q = corners_[(sector + 1) % corners_.size()];
    return (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]) >= 0;  // left of the edge
}

cdouble StarPolygon::transform(const Point2& k) const {
    const double squared = k[0] * k[0] + k[1] * k[1];
    constexpr double as_good_as_zero = 1e-10;  // below |k| = 1e-5 rounding is divided by too little
    if (squared < as_good_as_zero) {
        return area();
    }
    cdouble sum = 0;
    for (std::size_t i = 0; i < corners_.size(); ++i) {
        const Point2& p = corners_[i];
        const Point2& q = corners_[(i + 1) % corners_.size()];
        const double dx = q[0] - p[0], dy = q[1] - p[1];
        const double turns = k[0] * (p[0] + q[0]) / 2 + k[1] * (p[1] + q[1]) / 2;
        sum += (k[0] * dy - k[1] * dx) * sinc(k[0] * dx + k[1] * dy) * std::polar(1.0, -2 * pi * turns);
    }
    return sum * cdouble(0, 1 / (2 * pi * squared));
}

void StarPolygon::add_transform(const TrigonometricMaps& maps, std::span<const Point2> k, double intensity,
                                std::span<cdouble> sums) const {
    const auto frequency_count = static_cast<Index>(maps.frequencies.size());
    const auto sample_count = static_cast<Index>(k.size());
    for (Index sample = 0; sample < sample_count; ++sample) {
        for (Index f = 0; f < frequency_count; ++f) {
            const Point2 moved{k[sample][0] - maps.frequencies[f][0], k[sample][1] - maps.frequencies[f][1]};
            const double turns = moved[0] * centre_[0] + moved[1] * centre_[1];
            const cdouble value = intensity * transform(moved) * std::polar(1.0, -2 * pi * turns);
            for (Index map = 0; map < maps.map_count; ++map) {
                sums[map * sample_count + sample] += maps.coefficients[map * frequency_count + f] * value;
            }
        }
    }
}

}  // namespace recon
