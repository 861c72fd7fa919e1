#include "core/mri/priors/edge_leakage.hpp"

#include "core/base/error.hpp"
#include "core/operators/penalties/edge_weights.hpp"
#include "core/operators/penalties/voxel_pairs.hpp"

namespace recon {

EdgeLeakage edge_leakage(std::span<const cfloat> with, std::span<const cfloat> without, std::span<const float> weights,
                         PerAxis<Index> matrix_size, const PerAxis<double>& factors) {
    require_voxels(with.size(), matrix_size);
    require_voxels(without.size(), matrix_size);
    const std::vector<int> axes = axes_with_neighbours(matrix_size);
    if (weights.size() != with.size() * std::max<std::size_t>(axes.size(), 1)) {
        throw ShapeError("edge leakage: the weights do not belong to the image");
    }
    double all = 0, all_without = 0, on_edges = 0, on_edges_without = 0, edges = 0, pair_count = 0;
    cdouble common = 0;
    for_each_pair(matrix_size, [&](Index i, Index j, int slot) {
        const double squared_factor = factors[axes[slot]] * factors[axes[slot]];
        const cdouble d = cdouble(with[j]) - cdouble(with[i]);
        const cdouble d0 = cdouble(without[j]) - cdouble(without[i]);
        const double w = weights[slot * with.size() + i];
        const double edge = 1 - w * w;
        all += squared_factor * std::norm(d);
        all_without += squared_factor * std::norm(d0);
        on_edges += squared_factor * edge * std::norm(d);
        on_edges_without += squared_factor * edge * std::norm(d0);
        common += squared_factor * edge * std::conj(d) * d0;
        edges += edge;
        pair_count += 1;
    });
    EdgeLeakage result;
    result.edge_share = all > 0 ? on_edges / all : 0;
    result.edge_share_without = all_without > 0 ? on_edges_without / all_without : 0;
    result.edge_share_chance = pair_count > 0 ? edges / pair_count : 0;
    const double both = on_edges * on_edges_without;
    result.agreement = both > 0 ? std::norm(common) / both : 0;
    result.leakage = result.edge_share * (1 - result.agreement);
    return result;
}

}  // namespace recon
