#pragma once

#include <vector>

#include "core/base/shape.hpp"
#include "core/base/types.hpp"
#include "core/parallel/communicator.hpp"

namespace recon {

/// A trigonometric polynomial over the field of view with `component_count` values at every position:
///
///     value_p(r) = sum_q coefficients[p, q] exp(sign i 2 pi q.r),   |q| <= degree along each axis.
class TrigonometricField {
public:
    enum class Sign { minus, plus };

    TrigonometricField(Index component_count, const PerAxis<Index>& degree, Sign sign);

    Index component_count() const { return component_count_; }
    const PerAxis<Index>& degree() const { return degree_; }

    /// Coefficients of all components for one q, consecutive.
    cfloat* coefficients(const PerAxis<Index>& q);
    const cfloat* coefficients(const PerAxis<Index>& q) const;

    /// Values on the rows of voxels along x of an image of `matrix_size`: a sum along one axis after the other. Of one
    /// thread, which takes the rows of a plane one after another.
    class Rows {
    public:
        Rows(const TrigonometricField& field, const PerAxis<Index>& matrix_size);
        /// values [x component] of row y, z
        void evaluate(Index y, Index z, std::vector<cfloat>& values);

    private:
        const TrigonometricField& field_;
        Index voxel_count_;
        PerAxis<Index> terms_{};
        PerAxis<std::vector<cfloat>> phases_;  ///< exp(sign i 2 pi q r), [q voxel]
        Index z_ = -1;                         ///< of the plane
        std::vector<cfloat> plane_;            ///< [component qx qy]
        std::vector<cfloat> row_;              ///< [component qx]
    };

private:
    Index component_count_;
    PerAxis<Index> degree_;
    Sign sign_;
    std::vector<cfloat> coefficients_;  ///< [component qx qy qz]
};

/// A Hermitian, positive semi-definite matrix of coil by coil at every position, band-limited:
///
///     G[c,c'](r) = sum_q C[c,c'](q) exp(-i 2 pi q.r),   C[c',c](-q) = conj(C[c,c'](q)).
///
/// Components of the field are the pairs c <= c' in the order (0,0), (0,1), (1,1), (0,2), ...
struct CoilMatrixField {
    Index coil_count;
    TrigonometricField pairs;

    CoilMatrixField(Index coils, const PerAxis<Index>& degree)
        : coil_count(coils), pairs(coils * (coils + 1) / 2, degree, TrigonometricField::Sign::minus) {}
    static Index pair(Index c, Index c2) { return c2 * (c2 + 1) / 2 + c; }
};

struct DominantEigenvectors {
    std::vector<cfloat> vectors;     ///< [x y z coil], of norm 1; 0 where the matrix is
    std::vector<float> eigenvalues;  ///< [x y z]
    std::vector<float> energies;     ///< |vector^H m|^2, [x y z], of the images m
};

/// Eigenvector of the largest eigenvalue at every voxel, its phase such that conj(reference).vector is positive.
///
/// Power iteration, begun from the coils' images: of several eigenvalues that are all but the same, as ESPIRiT's near
/// the edges of the field of view, their eigenvector is the one that the images lie along. (Begun from its neighbour's,
/// a voxel keeps that even where it has become another one.) The same bytes for any number of threads.
/// @param images  of all coils  @param reference  [coil]  @param coils  whose elements of the vectors are wanted
DominantEigenvectors dominant_eigenvectors(const CoilMatrixField& field, const TrigonometricField& images,
                                           const std::vector<cdouble>& reference, const PerAxis<Index>& matrix_size,
                                           const Share& coils);

}  // namespace recon
