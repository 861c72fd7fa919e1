#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/backend.hpp"
#include "core/mri/time_segments.hpp"

namespace recon {

/// Fourier sums with off-resonance, through time segments [Fessler 2005]:
///
///     forward  s[m] = sum_l b_l(t_m) sum_n exp(-i 2 pi f_n tau_l) rho_n exp(-i 2 pi k_m.r_n)
class SegmentedSums final : public FourierSums {
public:
    /// @param off_resonance_hz  [x y z]
    SegmentedSums(Backend& backend, std::shared_ptr<const FourierSums> sums, std::span<const float> off_resonance_hz,
                  const TimeSegments& segments);

private:
    void do_forward(ConstArrayView image, ArrayView samples) const override;
    void do_adjoint(ConstArrayView samples, ArrayView image) const override;

    std::shared_ptr<const FourierSums> sums_;
    std::vector<Array> phase_maps_;     ///< exp(-i 2 pi f tau_l), [x y z]
    std::vector<Array> interpolators_;  ///< b_l, [sample]
};

/// F^H F with off-resonance [Fessler 2005, eq. 23]: it depends on differences of frequencies alone, so that
///
///     F^H F rho = sum_l conj(D_l) (Q_l * (D_l rho)),   D_l = exp(-i 2 pi f tau_l),   Q_l from weights w_m b_l(t_m)
class SegmentedToeplitz final : public ToeplitzPlan {
public:
    struct Segment {
        Array phase_map;  ///< D_l, [x y z]
        std::unique_ptr<ToeplitzPlan> toeplitz;
    };
    explicit SegmentedToeplitz(std::vector<Segment> segments) : segments_(std::move(segments)) {}

    void apply(ConstArrayView image, const std::optional<ConstArrayView>& coil_maps, ArrayView result,
               Accumulate accumulate) const override;

private:
    std::vector<Segment> segments_;
};

/// exp(-i 2 pi f tau), [x y z]
Array off_resonance_phase(Backend& backend, const Shape& shape, std::span<const float> off_resonance_hz, double tau_s,
                          Precision precision);

}  // namespace recon
