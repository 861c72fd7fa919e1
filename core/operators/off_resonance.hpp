#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/backend/backend.hpp"
#include "core/fourier/time_segments.hpp"

namespace recon {

/// Fourier sums with off-resonance, through time segments [Fessler 2005]:
///
///     forward  s[m] = sum_l b_l(t_m) sum_n exp(-z_n tau_l) rho_n exp(-i 2 pi k_m.r_n),   z = R2* + i 2 pi f
class SegmentedSums final : public FourierSums {
public:
    /// @param maps  [x y z]
    SegmentedSums(Backend& backend, std::shared_ptr<const FourierSums> sums, const OffResonanceMaps& maps,
                  const TimeSegments& segments);

private:
    void do_forward(ConstArrayView image, ArrayView samples) const override;
    void do_adjoint(ConstArrayView samples, ArrayView image) const override;

    std::shared_ptr<const FourierSums> sums_;
    std::vector<Array> factor_maps_;    ///< exp(-z tau_l), [x y z]
    std::vector<Array> interpolators_;  ///< b_l, [sample]
};

/// F^H F with off-resonance [Fessler 2005, eq. 23]. Its element n, n' depends on conj(z_n) + z_n' alone, besides the
/// difference of positions, and exp(-(conj(z_n) + z_n') t) ~ sum_l b_l(t) conj(D_l,n) D_l,n', so that
///
///     F^H F rho = sum_l conj(D_l) (Q_l * (D_l rho)),   D_l = exp(-z tau_l),   Q_l from weights w_m b_l(t_m)
class SegmentedToeplitz final : public ToeplitzPlan {
public:
    /// @param segments  made from Q_l with the modulation D_l, at least one
    explicit SegmentedToeplitz(std::vector<std::unique_ptr<ToeplitzPlan>> segments)
        : ToeplitzPlan(segments.at(0)->image_shape(), segments.at(0)->precision()), segments_(std::move(segments)) {}

private:
    void do_apply(ConstArrayView image, const std::optional<ConstArrayView>& coil_maps, ArrayView result,
                  Accumulate accumulate) const override;

    std::vector<std::unique_ptr<ToeplitzPlan>> segments_;
};

/// The Toeplitz form with off-resonance, from that of each segment.
/// @param segments  of rates of pairs; their interpolators are real, since such rates are symmetric about the real axis
/// @param weights  w, [sample]; empty means 1
/// @param first_sample  of `segments` that `weights` begin with; `sample_count` of them
/// @param plan_of  (w_m b_l(t_m), D_l) -> the Toeplitz plan of these weights with this modulation
std::unique_ptr<ToeplitzPlan> segmented_toeplitz(
    Backend& backend, const Shape& image_shape, const OffResonanceMaps& maps, const TimeSegments& segments,
    std::span<const double> weights, Index first_sample, Index sample_count, Precision precision,
    const std::function<std::unique_ptr<ToeplitzPlan>(const std::vector<double>& weights, Array modulation)>& plan_of);

/// exp(-z tau), [x y z]
Array off_resonance_factor(Backend& backend, const Shape& shape, const OffResonanceMaps& maps, double tau_s,
                           Precision precision);

}  // namespace recon
