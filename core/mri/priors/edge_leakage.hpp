#pragma once

#include <span>

#include "core/base/types.hpp"

namespace recon {

/// How far the reference of an anatomical prior shows through in the image.
///
/// With the differences D x of neighbours, the reference's edges e = 1 - w^2 (w the weights of the prior), and the
/// inner product <a, b> = sum e conj(a) b over all pairs of neighbours, for the image x with the reference and x0
/// without it:
struct EdgeLeakage {
    double edge_share = 0;  ///< <Dx, Dx> / |Dx|^2: how much of the image's edge energy lies on the reference's edges
    double edge_share_without = 0;  ///< the same of x0
    double edge_share_chance = 0;   ///< mean of e: of an image that knows nothing of the reference
    double agreement = 0;  ///< |<Dx, Dx0>|^2 / (<Dx, Dx> <Dx0, Dx0>): how much of it x0 has as well, up to a scale
    double leakage = 0;    ///< edge_share (1 - agreement): share of the image's edge energy that lies on the
                           ///< reference's edges and that the image without the reference does not have
};

/// @param with, without  [x y z], images with the anatomical prior and with plain roughness in its place
/// @param weights        [x y z axis], as edge_weights gives them
/// @param factors        of the differences along each axis, as gradient_factors gives them
/// @return zeros for images without differences. @throws ShapeError if the sizes do not match
EdgeLeakage edge_leakage(std::span<const cfloat> with, std::span<const cfloat> without, std::span<const float> weights,
                         PerAxis<Index> matrix_size, const PerAxis<double>& factors);

}  // namespace recon
