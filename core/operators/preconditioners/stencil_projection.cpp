#include "core/operators/preconditioners/stencil_projection.hpp"

#include <algorithm>
#include <cmath>

#include "core/backend/backend.hpp"
#include "core/operators/preconditioners/circulant_preconditioner.hpp"

namespace recon {
namespace {

constexpr Index period = 3;

/// The voxel of the comb that is a neighbour of i, or i itself; -1 if it lies outside.
Index comb_point_near(Index i, Index offset, Index extent) {
    for (const Index near : {i, i - 1, i + 1}) {
        if (near >= 0 && near < extent && near % period == offset) {
            return near;
        }
    }
    return -1;
}

}  // namespace

StencilProjection project_stencil(const LinearOperator& r) {
    Backend& backend = r.backend();
    const PerAxis<Index> n = r.domain().matrix_size();
    const auto at = [&](Index x, Index y, Index z) { return x + n[0] * (y + n[1] * z); };
    StencilProjection result;
    result.diagonal.assign(static_cast<std::size_t>(backend.listed(r.domain().element_count())), 0.0);
    cdouble sums[3][3][3] = {};  // of R over all pairs of voxels with difference (x, y, z) - 1

    Array comb(backend, r.domain(), r.precision());
    Array response(backend, r.domain(), r.precision());
    if (!backend.computes()) {
        upload(std::vector<cdouble>{1}, comb);
        r.forward(comb, response);
        return {{1}, {1}};
    }
    for (Index oz = 0; oz < std::min(period, n[2]); ++oz) {
        for (Index oy = 0; oy < std::min(period, n[1]); ++oy) {
            for (Index ox = 0; ox < std::min(period, n[0]); ++ox) {
                std::vector<cdouble> points(r.domain().element_count(), 0.0);
                for (Index z = oz; z < n[2]; z += period) {
                    for (Index y = oy; y < n[1]; y += period) {
                        for (Index x = ox; x < n[0]; x += period) {
                            points[at(x, y, z)] = 1;
                        }
                    }
                }
                upload(points, comb);
                r.forward(comb, response);
                const std::vector<cdouble> values = download<double>(response);
                for (Index z = 0; z < n[2]; ++z) {
                    for (Index y = 0; y < n[1]; ++y) {
                        for (Index x = 0; x < n[0]; ++x) {
                            const Index cx = comb_point_near(x, ox, n[0]), cy = comb_point_near(y, oy, n[1]),
                                        cz = comb_point_near(z, oz, n[2]);
                            if (cx < 0 || cy < 0 || cz < 0) {
                                continue;
                            }
                            sums[x - cx + 1][y - cy + 1][z - cz + 1] += values[at(x, y, z)];
                            if (cx == x && cy == y && cz == z) {
                                result.diagonal[at(x, y, z)] = values[at(x, y, z)].real();
                            }
                        }
                    }
                }
            }
        }
    }

    // e_k^H R e_k / N, as in circulant_spectrum: the differences' sums times exp(-i 2 pi k.difference)
    const PerAxis<Index> grid = circulant_grid(n);
    const double voxel_count = static_cast<double>(r.domain().element_count());
    const auto turn = [&](int axis, Index k, Index difference) {
        return std::polar(1.0, -2 * pi * static_cast<double>(k * difference) / static_cast<double>(grid[axis]));
    };
    for (Index z = 0; z < grid[2]; ++z) {
        for (Index y = 0; y < grid[1]; ++y) {
            for (Index x = 0; x < grid[0]; ++x) {
                cdouble value = 0;
                for (Index dz = -1; dz <= 1; ++dz) {
                    for (Index dy = -1; dy <= 1; ++dy) {
                        const cdouble part = turn(1, y, dy) * turn(2, z, dz);
                        for (Index dx = -1; dx <= 1; ++dx) {
                            value += sums[dx + 1][dy + 1][dz + 1] * turn(0, x, dx) * part;
                        }
                    }
                }
                result.spectrum.push_back(std::max(0.0, value.real() / voxel_count));
            }
        }
    }
    return result;
}

}  // namespace recon
