#pragma once

#include <memory>

#include "core/backend/plans.hpp"
#include "core/operators/coil_sensitivity.hpp"
#include "core/operators/linear_operator.hpp"

namespace recon {

/// The encoding operator E: image -> k-space of all coils,
///
///     (E rho)[m,c] = g_m sum_n S_c(r_n) rho_n exp(-i 2 pi k_m.r_n),    g_m = sqrt(w_m) phi(k_m),
///
/// with the normal operator E^H E = sum_c conj(S_c) (Q * (S_c .)) in Toeplitz form [Fessler 2005].
/// Domain [x y z], codomain [sample coil]. For k-space that is not held as a whole, forward and adjoint exist for
/// batches of coils as well; the result is the same, byte for byte, however the coils are divided if it is for the
/// sums.
class Encoding final : public LinearOperator {
public:
    struct Parts {
        std::shared_ptr<const FourierSums> sums;
        std::shared_ptr<const CoilSensitivity> coils;
        std::shared_ptr<const Array> sample_factors;  ///< g, [sample]; none means 1
        std::shared_ptr<const ToeplitzPlan>
            toeplitz;  ///< made from Q = sum_m g_m^2 exp(i 2 pi k_m.x); none: sums both ways
    };

    Encoding(Backend& backend, Parts parts);

    /// The same encoding with all sample factors 1 and no Toeplitz form.
    Encoding unweighted() const;

    /// The same with other sample factors, [sample], and no Toeplitz form.
    Encoding with_factors(std::shared_ptr<const Array> sample_factors) const {
        return Encoding(backend(), {parts_.sums, parts_.coils, std::move(sample_factors), nullptr});
    }

    const FourierSums& sums() const { return *parts_.sums; }
    const CoilSensitivity& coils() const { return *parts_.coils; }

    /// Coils of a batch: enough to share the work of a transform between coils, little enough not to dominate memory.
    Index coils_at_once() const;
    /// @param piece_bytes  as MemoryBudget::piece_bytes
    static Index coils_at_once(const Shape& image, Index sample_count, Index coil_count, Precision precision,
                               std::size_t piece_bytes);

    /// kspace [sample coil] = what coils first_coil, first_coil + 1, ... see
    void forward_coils(ConstArrayView image, Index first_coil, ArrayView kspace) const;
    /// image += sum over these coils of E_c^H kspace[c]
    void accumulate_adjoint_coils(ConstArrayView kspace, Index first_coil, ArrayView image) const;

private:
    void do_forward(ConstArrayView image, ArrayView kspace) const override;
    void do_adjoint(ConstArrayView kspace, ArrayView image) const override;
    void do_normal(ConstArrayView image, ArrayView result) const override;

    void normal_by_sums(ConstArrayView image, ArrayView result) const;
    void apply_sample_factors(ConstArrayView from, ArrayView to) const;

    Parts parts_;
};

}  // namespace recon
