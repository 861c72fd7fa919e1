#include "app/reconstruction/check/coils/coil_order.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "app/reconstruction/check/fits/low_resolution_fit.hpp"
#include "core/base/assignment.hpp"
#include "core/base/shape.hpp"

namespace recon {
namespace {

/// Of the magnitudes, without what all coils share.
double likeness(std::span<const cfloat> a, std::span<const cfloat> b, double common) {
    double product = 0, of_a = 0, of_b = 0;
    for (std::size_t n = 0; n < a.size(); ++n) {
        const double x = std::abs(a[n]) - common, y = std::abs(b[n]) - common;
        product += x * y;
        of_a += x * x;
        of_b += y * y;
    }
    return of_a > 0 && of_b > 0 ? product / std::sqrt(of_a * of_b) : 0;
}

}  // namespace

std::optional<std::vector<Index>> likely_coil_order(const Scan& probe, Backend& backend) {
    const Index coil_count = probe.coil_count;
    if (probe.coil_maps.empty() || coil_count < 2) {
        return std::nullopt;
    }
    const std::vector<cfloat> of_data = maps_of_centre(probe, backend);
    const Index voxel_count = Shape::image(probe.geometry.matrix_size).element_count();
    const auto map = [&](const std::vector<cfloat>& maps, Index coil) {
        return std::span<const cfloat>(maps.data() + coil * voxel_count, voxel_count);
    };
    const double common = 1 / std::sqrt(static_cast<double>(coil_count));
    std::vector<double> costs(coil_count * coil_count);
    for (Index coil = 0; coil < coil_count; ++coil) {
        for (Index other = 0; other < coil_count; ++other) {
            costs[coil * coil_count + other] = -likeness(map(of_data, coil), map(probe.coil_maps, other), common);
        }
    }
    const std::vector<Index> order = least_assignment(costs, coil_count);
    return std::is_sorted(order.begin(), order.end()) ? std::nullopt : std::optional(order);
}

}  // namespace recon
