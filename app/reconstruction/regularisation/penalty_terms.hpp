#pragma once

#include <memory>
#include <vector>

#include "app/reconstruction/context/reconstruction_context.hpp"
#include "app/reconstruction/priors/prior_kind.hpp"
#include "solver/admm.hpp"

namespace recon {

/// The terms of the options that are no squares, 2 lambda Q(0) s f(Phi rho) beside |E rho - d|^2.
class PenaltyTerms {
public:
    /// @param image_shape  [x y z], or [x y z frame] for the frames of a series at once
    /// @param q_centre     Q(0)
    /// @param amplitude    s, of the image, positive
    /// @param support      outside of which the image is zero; null: none. Outlives the terms
    PenaltyTerms(const ReconstructionContext& context, const Shape& image_shape, double q_centre, double amplitude,
                 const LinearOperator* support);

    /// As Admm takes them; they refer to this object.
    const std::vector<PenaltyTerm>& terms() const { return terms_; }
    /// Weight of a term with this lambda.
    double weight(double lambda) const { return lambda * q_centre_ * amplitude_; }

private:
    void add(const Prior& prior, double lambda, const LinearOperator* support);

    double q_centre_;
    double amplitude_;
    std::vector<std::shared_ptr<const LinearOperator>> transforms_;
    std::vector<std::shared_ptr<const Penalty>> penalties_;
    std::vector<PenaltyTerm> terms_;
};

/// The amplitude s of an image, from the first step of steepest descent towards it: the 99th percentile of |b| <b, b> /
/// <b, N b>, where b = E^H d and N = E^H E. A scan in other units, with more samples or of other density at the centre
/// of k-space has the s that belongs to its image.
/// @param work  like b
double image_amplitude(const LinearOperator& normal, ConstArrayView fhd, ArrayView work);

}  // namespace recon
