#pragma once

#include <optional>

#include "core/backend/array.hpp"
#include "solver/archive.hpp"

namespace recon {

/// The first residuals r_j of a run of conjugate gradients, to which later ones are kept orthogonal
/// (docs/decisions/0003): in the inner product of the preconditioner P, in which exact arithmetic would make them so,
///
///     r <- r - sum_j r_j (z_j^H r),    z_j = P r_j,    scaled so that z_j^H r_j = 1.
///
/// Without a preconditioner z_j = r_j, and only one of them is stored.
class GuardVectors {
public:
    enum class Product { plain, preconditioned };

    /// @param limit  so many at most
    GuardVectors(Backend& backend, const Shape& shape, Precision precision, int limit, Product product);

    /// @param r_dot_z  r^H P r
    void keep_if_early(ConstArrayView r, ConstArrayView z, double r_dot_z);
    void remove_from(ArrayView r);

    void visit(Archive& archive);

private:
    std::optional<Array> residuals_;   ///< [... guard]
    std::optional<Array> directions_;  ///< [... guard], the z_j where they differ from the r_j
    std::optional<Array> parts_;       ///< [guard]
    Index count_ = 0;
};

}  // namespace recon
