#pragma once

#include <span>
#include <vector>

#include "core/base/shape.hpp"
#include "core/base/types.hpp"

namespace recon {

/// A trigonometric polynomial over the field of view with `component_count` values at every position:
///
///     value_p(r) = sum_q coefficients[p, q] exp(sign i 2 pi step q.r),   |q| <= degree along each axis.
class TrigonometricField {
public:
    enum class Sign { minus, plus };

    TrigonometricField(Index component_count, const PerAxis<Index>& degree, Sign sign);

    /// Cycles per FOV, 1 at first; below it the field repeats with more than the field of view.
    void set_step(double step) { step_ = step; }

    Index component_count() const { return component_count_; }
    const PerAxis<Index>& degree() const { return degree_; }

    /// Coefficients of all components for one q, consecutive.
    cfloat* coefficients(const PerAxis<Index>& q);
    const cfloat* coefficients(const PerAxis<Index>& q) const;
    /// All, [component qx qy qz]
    std::span<const cfloat> coefficients() const { return coefficients_; }

    Index terms(int axis) const { return 2 * degree_[axis] + 1; }
    /// exp(sign i 2 pi step q r) at the voxels along an axis, [q voxel]
    std::vector<cfloat> phases(int axis, const PerAxis<Index>& matrix_size) const;

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
        PerAxis<std::vector<cfloat>> phases_;
        Index z_ = -1;               ///< of the plane
        std::vector<cfloat> plane_;  ///< [component qx qy]
        std::vector<cfloat> row_;    ///< [component qx]
    };

private:
    Index component_count_;
    PerAxis<Index> degree_;
    Sign sign_;
    double step_ = 1;
    std::vector<cfloat> coefficients_;  ///< [component qx qy qz]
};

}  // namespace recon
