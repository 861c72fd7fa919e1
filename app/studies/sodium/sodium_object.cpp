#include "app/studies/sodium/sodium_object.hpp"

namespace recon::sodium {
namespace {

constexpr PerAxis<double> head{0.30, 0.38, 0.36};
constexpr PerAxis<double> ventricle{0.05, 0.13, 0.09};
constexpr PerAxis<double> lesion{0.07, 0.07, 0.07};
constexpr PerAxis<double> vial{0.045, 0.045, 0.26};
constexpr PerAxis<double> left_ventricle_centre{-0.08, 0, 0.03}, right_ventricle_centre{0.08, 0, 0.03};
constexpr PerAxis<double> lesion_centre{0.15, -0.18, 0.05};
constexpr PerAxis<double> tissue_centre{-0.14, -0.18, 0.0};
constexpr double tissue_mmol = 45, fluid_mmol = 145, lesion_mmol = 80;
constexpr double inner = 0.6;  ///< of the semi-axes, for regions: away from edges

Ellipsoid along_axes(const PerAxis<double>& centre, const PerAxis<double>& semi_axes, double intensity) {
    return turned_ellipsoid(centre, semi_axes, 0, intensity);
}

PerAxis<double> scaled(const PerAxis<double>& lengths, double factor) {
    return {factor * lengths[0], factor * lengths[1], factor * lengths[2]};
}

}  // namespace

bool Region::contains(const PerAxis<double>& position) const {
    double level = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double offset = (position[axis] - centre[axis]) / semi_axes[axis];
        level += offset * offset;
    }
    return level <= 1;
}

SodiumObject sodium_object() {
    SodiumObject object;
    object.compartments = {
        {tissue,
         {along_axes({0, 0, 0}, head, tissue_mmol), along_axes(left_ventricle_centre, ventricle, -tissue_mmol),
          along_axes(right_ventricle_centre, ventricle, -tissue_mmol),
          along_axes(lesion_centre, lesion, lesion_mmol - tissue_mmol)}},
        {fluid,
         {along_axes(left_ventricle_centre, ventricle, fluid_mmol),
          along_axes(right_ventricle_centre, ventricle, fluid_mmol)}},
        {agar, {}}};
    const PerAxis<double> places[] = {{-0.40, -0.20, 0}, {-0.40, 0.20, 0}, {0.40, -0.20, 0}, {0.40, 0.20, 0}};
    for (int i = 0; i < 4; ++i) {
        const double mmol = 25.0 * (i + 1);
        object.compartments[2].ellipsoids.push_back(along_axes(places[i], vial, mmol));
        object.vials.push_back(
            {"phantom of " + std::to_string(25 * (i + 1)) + " mmol/l", places[i], scaled(vial, inner), mmol, agar});
    }
    object.regions = {{"tissue", tissue_centre, {0.06, 0.06, 0.06}, tissue_mmol, tissue},
                      {"lesion", lesion_centre, scaled(lesion, inner), lesion_mmol, tissue},
                      {"fluid, left", left_ventricle_centre, scaled(ventricle, inner), fluid_mmol, fluid},
                      {"fluid, right", right_ventricle_centre, scaled(ventricle, inner), fluid_mmol, fluid}};
    return object;
}

Relaxation relaxation_at(const SodiumObject& object, const PerAxis<double>& position) {
    const auto inside = [&](const Ellipsoid& ellipsoid) {
        return Region{"", ellipsoid.centre, ellipsoid.semi_axes, 0, tissue}.contains(position);
    };
    Relaxation found = tissue;
    for (const Compartment& compartment : object.compartments) {
        for (const Ellipsoid& ellipsoid : compartment.ellipsoids) {
            if (ellipsoid.intensity > 0 && inside(ellipsoid)) {
                found = compartment.relaxation;
            }
        }
    }
    return found;
}

}  // namespace recon::sodium
