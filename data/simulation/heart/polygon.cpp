#include "data/simulation/heart/polygon.hpp"

#include <cmath>

namespace recon {
namespace {

/// sin(pi x) / (pi x); by its series where that is exact to rounding, as for nearly all edges and samples.
double sinc_of_edge(double x) {
    const double angle = pi * x;
    if (std::abs(angle) > 2) {
        return std::sin(angle) / angle;
    }
    double sum = 1;
    for (int order = 22; order >= 2; order -= 2) {
        sum = 1 - sum * angle * angle / (order * (order + 1));
    }
    return sum;
}

cdouble phase_factor(double turns) { return std::polar(1.0, 2 * pi * turns); }

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

std::vector<StarPolygon::Edge> StarPolygon::edges() const {
    std::vector<Edge> edges;
    for (std::size_t i = 0; i < corners_.size(); ++i) {
        const Point2& p = corners_[i];
        const Point2& q = corners_[(i + 1) % corners_.size()];
        edges.push_back({{centre_[0] + (p[0] + q[0]) / 2, centre_[1] + (p[1] + q[1]) / 2}, {q[0] - p[0], q[1] - p[1]}});
    }
    return edges;
}

void StarPolygon::add_transform(const TrigonometricMaps& maps, std::span<const Point2> k, double intensity,
                                std::span<cdouble> sums) const {
    const auto dot = [](const Point2& a, const Point2& b) { return a[0] * b[0] + a[1] * b[1]; };
    const std::vector<Edge> edges = this->edges();
    const std::size_t edge_count = edges.size();
    const auto frequency_count = static_cast<Index>(maps.frequencies.size());
    const auto sample_count = static_cast<Index>(k.size());
    std::vector<cdouble> of_frequency;  // exp(i 2 pi f.m), [edge frequency]
    for (const PerAxis<double>& f : maps.frequencies) {
        for (const Edge& edge : edges) {
            of_frequency.push_back(phase_factor(dot({f[0], f[1]}, edge.middle)));
        }
    }
    std::vector<cdouble> of_sample(edge_count);  // exp(-i 2 pi k.m)
    for (Index sample = 0; sample < sample_count; ++sample) {
        for (std::size_t i = 0; i < edge_count; ++i) {
            of_sample[i] = phase_factor(-dot(k[sample], edges[i].middle));
        }
        for (Index f = 0; f < frequency_count; ++f) {
            const Point2 moved{k[sample][0] - maps.frequencies[f][0], k[sample][1] - maps.frequencies[f][1]};
            const double squared = dot(moved, moved);
            constexpr double as_good_as_zero = 1e-10;  // below |k| = 1e-5 rounding is divided by too little
            cdouble value = area();
            if (squared >= as_good_as_zero) {
                const cdouble* const factors = of_frequency.data() + f * edge_count;
                cdouble sum = 0;
                for (std::size_t i = 0; i < edge_count; ++i) {
                    const Point2& along = edges[i].along;
                    sum += (moved[0] * along[1] - moved[1] * along[0]) * sinc_of_edge(dot(moved, along)) *
                           (of_sample[i] * factors[i]);
                }
                value = sum * cdouble(0, 1 / (2 * pi * squared));
            }
            for (Index map = 0; map < maps.map_count; ++map) {
                sums[map * sample_count + sample] += intensity * maps.coefficients[map * frequency_count + f] * value;
            }
        }
    }
}

}  // namespace recon
