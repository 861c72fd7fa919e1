#include "data/simulation/phantoms/ellipsoid_object.hpp"

namespace recon {
namespace {

struct SheppLoganRow {
    PerAxis<double> centre;
    PerAxis<double> semi_axes;
    double angle_degrees;
    double intensity;
};

/// The three-dimensional Shepp-Logan phantom with the geometry and contrast of [Koay 2007, table 1]: ten ellipsoids,
/// intensities 0 to 2, lengths in half fields of view.
std::vector<Ellipsoid> shepp_logan_ellipsoids() {
    // y is mirrored: the table's y points up, ours down the picture.
    constexpr SheppLoganRow rows[] = {
        {{0, 0, 0}, {0.69, 0.92, 0.9}, 0, 2},
        {{0, 0, 0}, {0.6624, 0.874, 0.88}, 0, -0.8},
        {{-0.22, 0, -0.25}, {0.41, 0.16, 0.21}, -108, -0.2},
        {{0.22, 0, -0.25}, {0.31, 0.11, 0.22}, -72, -0.2},
        {{0, -0.35, -0.25}, {0.21, 0.25, 0.5}, 0, 0.2},
        {{0, -0.1, -0.25}, {0.046, 0.046, 0.046}, 0, 0.2},
        {{-0.08, 0.65, -0.25}, {0.046, 0.023, 0.02}, 0, 0.1},
        {{0.06, 0.65, -0.25}, {0.046, 0.023, 0.02}, -90, 0.1},
        {{0.06, 0.105, 0.625}, {0.056, 0.04, 0.1}, -90, 0.2},
        {{0, -0.1, 0.625}, {0.056, 0.056, 0.1}, 0, -0.2},
    };
    std::vector<Ellipsoid> ellipsoids;
    for (const SheppLoganRow& row : rows) {
        ellipsoids.push_back(
            in_half_fields_of_view(turned_ellipsoid(row.centre, row.semi_axes, row.angle_degrees, row.intensity)));
    }
    return ellipsoids;
}

std::unique_ptr<Phantom> make_shepp_logan(const PhantomSite& site) {
    return make_ellipsoid_object(shepp_logan_ellipsoids(), site);
}

const Registration registered_shepp_logan(phantom_kinds(),
                                          PhantomKind{
                                              .name = "shepp-logan",
                                              .explanation = "the ten ellipsoids of Shepp and Logan [Koay 2007]",
                                              .edge_voxels = 0,
                                              .telling_section = {0.06, 0.05, -0.125},  // shows the small ellipses
                                              .make = make_shepp_logan});

}  // namespace
}  // namespace recon
