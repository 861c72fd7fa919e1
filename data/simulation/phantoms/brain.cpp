#include "data/simulation/phantoms/ellipsoid_object.hpp"
#include "data/simulation/phantoms/head_ellipsoids.hpp"

namespace recon {
namespace {

std::unique_ptr<Phantom> make_brain(const PhantomSite& site) { return make_ellipsoid_object(brain_ellipsoids(), site); }

const Registration registered_brain(phantom_kinds(), PhantomKind{.name = "brain",
                                                                 .explanation = "a head, uniform within each tissue",
                                                                 .edge_voxels = rounded_edge_voxels,
                                                                 .telling_section = telling_section_of_head,
                                                                 .last_contrast = "sodium",
                                                                 .first_contrast = "brain",
                                                                 .make = make_brain});

}  // namespace
}  // namespace recon
