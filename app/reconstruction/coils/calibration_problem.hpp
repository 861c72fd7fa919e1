#pragma once

#include <memory>

#include "app/reconstruction/coils/calibration_images.hpp"
#include "app/reconstruction/coils/calibration_off_resonance.hpp"
#include "app/reconstruction/coils/coil_calibration.hpp"
#include "core/backend/array.hpp"
#include "core/backend/backend.hpp"
#include "core/operators/sampling/fourier_sums_choice.hpp"

namespace recon {

/// So exact that all backends count the same singular vectors as signal: those are kept or not, nothing in between.
constexpr SumsOptions calibration_sums{SumsMethod::automatic, 1e-7, Precision::double_};
/// Of what is found to a part of the noise: coils and image together, where an object ends.
constexpr SumsOptions rough_calibration_sums{SumsMethod::automatic, 1e-6, Precision::single};

/// Least squares of the samples of a calibration on calibration_matrix, in Toeplitz form: min sum w |F m_c - d_c|^2,
/// each sample weighing w, the inverse of their number in its cell of k-space, so that few iterations do.
class CalibrationProblem {
public:
    /// @param off_resonance  on calibration_matrix, of these samples; none: they count as taken at one moment
    /// @param sums  of F^H d and F^H F, in whose precision the images are found
    CalibrationProblem(Backend& backend, const CalibrationSamples& samples,
                       const std::optional<CalibrationOffResonance>& off_resonance, const SumsOptions& sums);

    Backend& backend() const { return backend_; }
    Precision precision() const { return normal_->precision(); }
    Index coil_count() const { return coil_count_; }
    PerAxis<Index> matrix() const { return calibration_matrix(region_); }

    /// F^H d of every coil, by the weights, [x y z coil].
    const Array& right_side() const { return *right_side_; }
    /// sum w |d|^2, of the samples as the right side has them.
    double energy() const { return energy_; }
    /// The same of the samples themselves.
    double energy_of_samples() const { return energy_ * double(largest_) * double(largest_); }
    /// F^H F of every coil's image. @param coil_images, result  [x y z coil], not the same
    void apply_normal(ConstArrayView coil_images, ArrayView result) const;

    /// m_c of every coil alone, [x y z coil], by a few iterations from 0.
    Array coil_images() const;
    /// |F m - d| / |d| of such images, by the weights.
    double part_left_over(const Array& coil_images) const;
    /// |error| / |all| of the region's points as coil_images() would find those of an image of white noise in one coil:
    /// .01 to .02 where the samples tell every point.
    double part_left_open() const;
    /// The largest magnitude that a point leaves at others, away from it, over its own: near 1 where samples lie on a
    /// lattice that leaves points out, and the whole object comes again beside itself.
    double largest_replica() const;

    CalibrationImages on_host(const Array& coil_images) const;
    /// The images at whole cycles per FOV.
    CalibrationKspace kspace_of(const Array& coil_images) const { return on_host(coil_images).kspace(); }

private:
    Backend& backend_;
    CalibrationRegion region_;
    Index coil_count_;
    float largest_ = 0;  ///< sample, by which all are divided: no square of the solver over- or underflows
    double energy_ = 0;  ///< sum w |d|^2 of all coils, so divided
    std::unique_ptr<const ToeplitzPlan> normal_;
    std::optional<Array> right_side_;
};

/// What a CalibrationProblem occupies on the backend.
struct CalibrationBytes {
    std::size_t held = 0;     ///< for as long as it lives
    std::size_t peak = 0;     ///< while it is made and its images are found, itself included
    std::size_t running = 0;  ///< more than held while its normal operator is applied
};
/// @param sample_count  in the region
CalibrationBytes calibration_bytes(const Backend& backend, const CalibrationRegion& region, Index sample_count,
                                   Index coil_count, const std::optional<CalibrationOffResonance>& off_resonance,
                                   const SumsOptions& sums, std::size_t piece_bytes);

}  // namespace recon
