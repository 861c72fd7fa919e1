#include "app/reconstruction/scan_prior/evidence/visible_support.hpp"

#include <vector>

#include "core/base/host_pages.hpp"

namespace recon {

std::shared_ptr<const Support> visible_support(const FrameProblem& problem, ConstArrayView map_energy,
                                               std::shared_ptr<const Support> asked) {
    if (!problem.coils()->has_maps()) {
        return asked;
    }
    Backend& backend = problem.backend();
    const auto voxel_count = static_cast<std::size_t>(problem.image_shape().element_count());
    const MemoryClaim on_host = backend.claim_on_host(voxel_count * (sizeof(cfloat) + sizeof(double)));
    const std::vector<cfloat> energy = download<float>(map_energy);
    bool all = backend.computes();
#pragma omp parallel for schedule(static) reduction(&& : all)
    for (std::size_t i = 0; i < energy.size(); ++i) {
        all = all && energy[i].real() > 0;
    }
    if (all) {
        return asked;
    }
    auto seen = vector_of_provided_pages<double>(energy.size());
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < energy.size(); ++i) {
        seen[i] = energy[i].real() > 0 ? 1 : 0;
    }
    Array mask(backend, problem.image_shape(), problem.context().options.precision);
    upload_real(seen, mask);
    if (asked) {
        asked->restrict_to_support(mask);
    }
    return std::make_shared<const Support>(std::move(mask));
}

}  // namespace recon
