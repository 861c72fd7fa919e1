#include "data/simulation/phantoms/ellipsoid_object.hpp"
#include "data/simulation/phantoms/head_ellipsoids.hpp"

namespace recon {
namespace {

std::unique_ptr<Phantom> make_sodium(const PhantomSite& site) {
    return make_ellipsoid_object(sodium_ellipsoids(), site);
}

// Sharp: it and its proton image are one object on voxels of two sizes.
const Registration registered_sodium(phantom_kinds(), PhantomKind{.name = "sodium",
                                                                  .explanation = "the same head as sodium shows it",
                                                                  .edge_voxels = 0,
                                                                  .telling_section = telling_section_of_head,
                                                                  .last_contrast = "sodium",
                                                                  .first_contrast = "brain",
                                                                  .proton_image = "brain",
                                                                  .make = make_sodium});

}  // namespace
}  // namespace recon
