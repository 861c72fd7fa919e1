#include "app/reconstruction/priors/differences.hpp"

#include <algorithm>

#include "core/operators/penalties/edge_weights.hpp"
#include "core/operators/penalties/voxel_pairs.hpp"

namespace recon {
namespace {

Shape differences_shape(const PriorSite& site) {
    return site.image_shape.with_axis("axis", std::max<Index>(std::ssize(axes_with_neighbours(site.matrix_size())), 1));
}

/// 0 for pairs with a voxel where `inside` is 0.
void cut_pairs(std::span<const float> inside, PerAxis<Index> matrix_size, std::span<float> weights) {
    for_each_pair(matrix_size, [&](Index i, Index j, int slot) {
        if (inside[i] == 0 || inside[j] == 0) {
            weights[slot * inside.size() + i] = 0;
        }
    });
}

}  // namespace

PerAxis<double> difference_factors(const PriorSite& site) {
    return gradient_factors(site.matrix_size(), site.grid.voxel_size_mm());
}

std::shared_ptr<const FiniteDifferences> plain_differences(const PriorSite& site) {
    if (site.inside.empty()) {
        return std::make_shared<const FiniteDifferences>(site.backend, site.image_shape, difference_factors(site),
                                                         site.precision);
    }
    const Index count = site.backend.listed(differences_shape(site).element_count());
    return weighted_differences(site, std::vector<float>(static_cast<std::size_t>(count), 1));
}

std::shared_ptr<const FiniteDifferences> weighted_differences(const PriorSite& site, std::vector<float> weights) {
    if (!site.inside.empty() && site.backend.computes()) {
        cut_pairs(site.inside, site.matrix_size(), weights);
    }
    Array there(site.backend, differences_shape(site), site.precision);
    upload(std::vector<cfloat>(weights.begin(), weights.end()), there);
    return std::make_shared<const FiniteDifferences>(site.backend, site.image_shape, difference_factors(site),
                                                     std::move(there));
}

}  // namespace recon
