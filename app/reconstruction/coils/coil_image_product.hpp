#pragma once

#include <memory>

#include "app/reconstruction/coils/calibration_problem.hpp"
#include "core/fourier/field/trigonometric_field.hpp"
#include "core/operators/circulant_filter.hpp"

namespace recon {

/// The coils' images of a calibration as products m_c = c_c rho of sensitivities and one image, both made of numbers of
/// about equal size [Uecker 2008]:
///
///     c_c = B e_c, sums of waves of whole and half cycles per FOV q up to 3 (2 in volumes), of amplitude (1 +
///     |q|^2)^(-3/2); rho = P z, the filter of amplitudes (1 + |k|^2)^(-3/4) that the spectra of objects have.
///
/// As an operator, the derivative of the products at the point moved to: from [unknown], z and then e, to [x y z coil].
/// Half cycles, as coils see opposite borders of the field of view with different weights.
class CoilImageProduct final : public LinearOperator {
public:
    explicit CoilImageProduct(const CalibrationProblem& problem);

    Index voxel_count() const { return image_.size(); }
    /// @param unknowns  z and e
    void move_to(ConstArrayView unknowns);
    /// @param coil_images  m_c at that point, overwritten
    void products(ArrayView coil_images) const;
    /// @return c_c, by the products' normalisation: of any scale
    TrigonometricField coils(ConstArrayView unknowns) const;

    /// What one of them takes on the backend, and most while it is used.
    static PlanBytes bytes(const Backend& backend, const PerAxis<Index>& matrix, Index coil_count, Precision precision,
                           std::size_t piece_bytes);
    /// How many numbers z and e are.
    static Index unknown_count(const PerAxis<Index>& matrix, Index coil_count);

private:
    Index coil_count() const { return coils_.shape().extent(3); }
    template <class View>
    View image_part(const View& unknowns) const {
        return unknowns.slices(0, voxel_count()).reshaped(image_.shape());
    }
    template <class View>
    View coil_part(const View& unknowns) const {
        return unknowns.slices(voxel_count(), weighted_waves_.size()).reshaped(weighted_waves_.shape());
    }
    void sum_waves(ConstArrayView unknowns, ArrayView coils) const;

    void do_forward(ConstArrayView x, ArrayView y) const override;
    void do_adjoint(ConstArrayView y, ArrayView x) const override;

    Trajectory waves_;
    CirculantFilter filter_;
    std::unique_ptr<const FourierSums> sums_;
    Array amplitudes_;  ///< of the waves, [wave]
    Array image_;       ///< rho
    Array coils_;       ///< c_c, [x y z coil]
    mutable Array weighted_waves_, coil_images_, one_image_;
};

}  // namespace recon
