#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/base/types.hpp"
#include "data/simulation/phantoms/trigonometric_maps.hpp"

namespace recon {

using Point2 = std::array<double, 2>;  ///< x, y; fields of view

/// A polygon around a centre that sees all of it, its corners at rising angles from x towards y.
class StarPolygon {
public:
    /// @param radii  of the corners, at equal angles from 0 on
    StarPolygon(Point2 centre, const std::vector<double>& radii);

    double area() const;
    bool holds(const Point2& point) const;
    /// integral over the polygon of S_c(r) exp(-i 2 pi k.r), exact: an edge from p to q with its middle at m adds
    ///     i / (2 pi |k|^2) (k_x (q - p)_y - k_y (q - p)_x) sinc(k.(q - p)) exp(-i 2 pi k.m)
    /// by the divergence theorem; a map of frequency f moves k to k - f. Added, times `intensity`, to
    /// `sums` [sample map].
    void add_transform(const TrigonometricMaps& maps, std::span<const Point2> k, double intensity,
                       std::span<cdouble> sums) const;

private:
    struct Edge {
        Point2 middle, along;
    };
    std::vector<Edge> edges() const;

    Point2 centre_;
    std::vector<Point2> corners_;  ///< relative to the centre
};

}  // namespace recon
