#include "app/reconstruction/scan_prior/evidence/visible_support.hpp"

namespace recon {

std::shared_ptr<const Support> visible_support(const FrameProblem& problem, ConstArrayView map_energy,
                                               std::shared_ptr<const Support> asked) {
    if (!problem.coils()->has_maps()) {
        return asked;
    }
    Backend& backend = problem.backend();
    Array mask(backend, problem.image_shape(), map_energy.precision());
    backend.divide(map_energy, map_energy, mask);  // 1 where it is positive
    backend.square_root(mask);                     // and without an imaginary part of rounding
    const bool all = backend.dot(mask, mask).real() == static_cast<double>(mask.size());
    if (all && backend.computes()) {
        return asked;
    }
    if (asked) {
        asked->restrict_to_support(mask);
    }
    return std::make_shared<const Support>(std::move(mask));
}

}  // namespace recon
