#pragma once

#include <memory>

#include "app/reconstruction/coils/coil_calibration.hpp"
#include "core/operators/coil_sensitivity.hpp"

namespace recon {

/// So exact that all backends count the same singular vectors as signal: those are kept or not, nothing in between.
constexpr SumsOptions calibration_sums{SumsMethod::automatic, 1e-7, Precision::double_};
/// Of what is found to a part of the noise: gaps that are filled, where an object ends.
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

    /// m_c of every coil alone, [x y z coil], by a few iterations from 0.
    Array coil_images() const;
    /// The same from where they are: what the samples do not tell of them stays.
    void improve(Array& coil_images, int iterations) const;
    /// rho of m_c = S_c rho, [x y z], from 0. @param maps  on the matrix
    Array image_through(const CoilSensitivity& maps, int iterations) const;

    /// |error| / |all| of the region's points as coil_images() would find those of an image of white noise in one coil:
    /// .01 to .02 where the samples tell every point.
    double part_left_open() const;
    /// |d - F S rho| / |d| of the samples by their weights, with the rho that they find through the maps.
    double part_unexplained_by(const CoilSensitivity& maps) const;

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

}  // namespace recon
