#pragma once

#include <memory>

#include "core/linear_operator.hpp"
#include "core/operators/coil_sensitivity.hpp"
#include "core/plans.hpp"

namespace recon {

/// The encoding operator E: image -> k-space of all coils,
///
///     (E rho)[m,c] = g_m sum_n S_c(r_n) rho_n exp(-i 2 pi k_m.r_n),    g_m = sqrt(w_m) phi(k_m),
///
/// with the normal operator E^H E = sum_c conj(S_c) (Q * (S_c .)) in Toeplitz form [Fessler 2005].
/// Domain [x y z], codomain [sample coil].
class Encoding final : public LinearOperator {
public:
    struct Parts {
        std::shared_ptr<const FourierSums> sums;
        std::shared_ptr<const CoilSensitivity> coils;
        std::shared_ptr<const Array> sample_factors;  ///< g, [sample]; none means 1
        std::shared_ptr<const ToeplitzPlan>
            toeplitz;  ///< made from Q = sum_m g_m^2 exp(i 2 pi k_m.x); none: sums both ways
    };

    /// Coil images held at a time: enough to share the work of a transform between coils, little enough not to dominate
    /// memory. One coil image at least.
    static constexpr std::size_t coil_batch_bytes = std::size_t{256} << 20;

    Encoding(Backend& backend, Parts parts);

    /// The same encoding with all sample factors 1 and no Toeplitz form.
    Encoding unweighted() const;

    const FourierSums& sums() const { return *parts_.sums; }
    const CoilSensitivity& coils() const { return *parts_.coils; }

private:
    void do_forward(ConstArrayView image, ArrayView kspace) const override;
    void do_adjoint(ConstArrayView kspace, ArrayView image) const override;
    void do_normal(ConstArrayView image, ArrayView result) const override;

    void apply_sample_factors(ConstArrayView from, ArrayView to) const;
    Index coils_at_once() const;

    Parts parts_;
};

}  // namespace recon
