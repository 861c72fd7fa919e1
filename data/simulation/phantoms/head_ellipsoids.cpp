#include "data/simulation/phantoms/head_ellipsoids.hpp"

#include <cmath>

namespace recon {
namespace {

PerAxis<double> cross(const PerAxis<double>& a, const PerAxis<double>& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

PerAxis<double> normalized(const PerAxis<double>& a) {
    const double length = std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    return {a[0] / length, a[1] / length, a[2] / length};
}

/// Furrows of fluid that enter the cortex from outside, thin across, deep inwards and long along the surface; spread
/// evenly over the brain's surface by the golden angle [Swinbank 2006], every second one turned.
void append_sulci(double intensity, std::vector<Ellipsoid>& ellipsoids) {
    constexpr int count = 44;
    constexpr PerAxis<double> cortex{0.585, 0.755, 0.715};
    constexpr PerAxis<double> semi_axes{0.075, 0.16, 0.016};  // inwards, along, across
    const double golden_angle = pi * (3 - std::sqrt(5.0));
    for (int i = 0; i < count; ++i) {
        const double z = 0.97 - 1.45 * (i + 0.5) / count;  // from the top to below the middle
        const double radius = std::sqrt(1 - z * z);
        const PerAxis<double> unit{radius * std::cos(i * golden_angle), radius * std::sin(i * golden_angle), z};
        if (std::abs(unit[0]) < 0.12) {
            continue;  // the fissure between the hemispheres is there
        }
        PerAxis<double> centre{};
        PerAxis<double> outwards{};
        for (int axis = 0; axis < 3; ++axis) {
            centre[axis] = 0.96 * cortex[axis] * unit[axis];
            outwards[axis] = unit[axis] / cortex[axis];
        }
        outwards = normalized(outwards);
        const PerAxis<double> level = normalized(cross({0, 0, 1}, outwards));
        const PerAxis<double> upwards = cross(outwards, level);
        const double turn = (i % 2 == 0 ? 0.5 : -0.35);  // radians from the meridian
        PerAxis<double> along{};
        for (int axis = 0; axis < 3; ++axis) {
            along[axis] = std::cos(turn) * upwards[axis] + std::sin(turn) * level[axis];
        }
        ellipsoids.push_back(
            in_half_fields_of_view({centre, semi_axes, {outwards, along, cross(outwards, along)}, intensity}));
    }
}

/// An ellipsoid of the head: one place, and what a proton and a sodium image show there.
struct HeadRow {
    PerAxis<double> centre;
    PerAxis<double> semi_axes;
    double angle_degrees;
    double proton;
    double sodium;
};

// Nested: each intensity is a step from the one outside. Proton: scalp 0.85, skull 0.10, fluid 0.30, grey 0.62, white
// 0.90. Sodium: 0.30, 0.05, 1.00, 0.36, 0.25, near the concentrations in tissue over that in fluid.
constexpr HeadRow head_rows[] = {
    {{0, 0, 0}, {0.74, 0.92, 0.88}, 0, 0.85, 0.30},
    {{0, 0, 0}, {0.69, 0.87, 0.83}, 0, -0.75, -0.25},
    {{0, 0, 0}, {0.635, 0.81, 0.77}, 0, 0.20, 0.95},
    {{0, 0, 0}, {0.605, 0.775, 0.735}, 0, 0.32, -0.64},
    {{0, 0, 0}, {0.51, 0.675, 0.635}, 0, 0.28, -0.11},
    // fissure between the hemispheres: front, back, top
    {{0, -0.60, 0.15}, {0.016, 0.19, 0.40}, 0, -0.40, 0.45},
    {{0, 0.60, 0.15}, {0.016, 0.19, 0.40}, 0, -0.40, 0.45},
    {{0, 0, 0.63}, {0.016, 0.36, 0.15}, 0, -0.40, 0.45},
    // Sylvian fissures and insula
    {{-0.47, -0.10, -0.08}, {0.15, 0.022, 0.10}, 12, -0.35, 0.40},
    {{0.47, -0.10, -0.08}, {0.15, 0.022, 0.10}, -12, -0.35, 0.40},
    // lateral ventricles: frontal horns, bodies that run backwards and outwards; third ventricle
    {{-0.085, -0.20, 0.12}, {0.045, 0.19, 0.11}, -14, -0.65, 0.65},
    {{0.085, -0.20, 0.12}, {0.045, 0.19, 0.11}, 14, -0.65, 0.65},
    {{-0.16, 0.22, 0.12}, {0.05, 0.21, 0.10}, 22, -0.65, 0.65},
    {{0.16, 0.22, 0.12}, {0.05, 0.21, 0.10}, -22, -0.65, 0.65},
    {{0, 0.02, -0.10}, {0.020, 0.12, 0.11}, 0, -0.62, 0.60},
    // deep nuclei: caudate heads, putamina, pallida, thalami
    {{-0.185, -0.23, 0.10}, {0.042, 0.10, 0.10}, -14, -0.26, 0.10},
    {{0.185, -0.23, 0.10}, {0.042, 0.10, 0.10}, 14, -0.26, 0.10},
    {{-0.30, -0.05, 0.00}, {0.055, 0.18, 0.13}, 10, -0.24, 0.08},
    {{0.30, -0.05, 0.00}, {0.055, 0.18, 0.13}, -10, -0.24, 0.08},
    {{-0.215, -0.02, -0.02}, {0.030, 0.10, 0.08}, 10, -0.14, 0},
    {{0.215, -0.02, -0.02}, {0.030, 0.10, 0.08}, -10, -0.14, 0},
    {{-0.10, 0.05, 0.00}, {0.062, 0.12, 0.10}, 12, -0.22, 0.07},
    {{0.10, 0.05, 0.00}, {0.062, 0.12, 0.10}, -12, -0.22, 0.07},
    // cerebellum and brain stem
    {{-0.19, 0.34, -0.47}, {0.20, 0.17, 0.13}, 0, -0.20, 0.08},
    {{0.19, 0.34, -0.47}, {0.20, 0.17, 0.13}, 0, -0.20, 0.08},
    {{0, 0.08, -0.50}, {0.09, 0.10, 0.22}, 0, -0.10, 0},
    // lesions, bright and dark, and three points of a voxel or two
    {{0.30, -0.36, 0.16}, {0.060, 0.075, 0.07}, 25, 0.40, 0.35},
    {{-0.33, 0.36, 0.12}, {0.050, 0.040, 0.05}, 0, -0.55, 0},
    {{-0.28, -0.40, 0.13}, {0.018, 0.018, 0.03}, 0, 0.35, 0},
    {{-0.34, -0.32, 0.13}, {0.012, 0.012, 0.03}, 0, 0.35, 0},
    {{-0.36, -0.23, 0.13}, {0.008, 0.008, 0.03}, 0, 0.35, 0},
    // a lesion that sodium alone shows
    {{0.24, 0.45, 0.13}, {0.09, 0.07, 0.07}, 0, 0, 0.35},
};

/// Steps of the furrows from the cortex they lie in, which they fill in part.
constexpr double sulcus_proton = -0.30;
constexpr double sulcus_sodium = 0.35;

std::vector<Ellipsoid> head_ellipsoids(double HeadRow::*intensity, double sulcus_intensity) {
    std::vector<Ellipsoid> ellipsoids;
    for (const HeadRow& row : head_rows) {
        if (row.*intensity != 0) {
            ellipsoids.push_back(
                in_half_fields_of_view(turned_ellipsoid(row.centre, row.semi_axes, row.angle_degrees, row.*intensity)));
        }
    }
    append_sulci(sulcus_intensity, ellipsoids);
    return ellipsoids;
}

}  // namespace

std::vector<Ellipsoid> brain_ellipsoids() { return head_ellipsoids(&HeadRow::proton, sulcus_proton); }

std::vector<Ellipsoid> sodium_ellipsoids() { return head_ellipsoids(&HeadRow::sodium, sulcus_sodium); }

}  // namespace recon
