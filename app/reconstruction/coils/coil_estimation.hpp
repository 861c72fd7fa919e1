#pragma once

#include <functional>

#include "app/reconstruction/coils/calibration_images.hpp"
#include "app/reconstruction/coils/calibration_off_resonance.hpp"
#include "app/reconstruction/coils/calibration_place.hpp"
#include "app/reconstruction/coils/calibration_problem.hpp"
#include "core/backend/backend.hpp"
#include "core/mri/coils/espirit.hpp"

namespace recon {

/// Coil maps from the centre of a frame's k-space, or from around its echo where that is elsewhere, by the method of
/// the options: gridding and what is done for every voxel on the backend, the rest on the host.
class CoilEstimation {
public:
    /// @param frame, options  outlive this object
    /// @param kspace  of the frame; empty, as for a forecast: the echo is taken to be at 0. Where processes hold parts
    /// of it all of them make the estimation, and each gets the maps of its coils
    /// @param off_resonance  to be corrected, [x y z] of the matrix, of a frame with sample times; empty: none
    CoilEstimation(const Frame& frame, const AllCoils& kspace, const PerAxis<Index>& matrix_size,
                   const CoilOptions& options, const OffResonanceMaps& off_resonance = {});
    /// @param place  the frame's calibration_place  @param noise_sigma  of a sample, 0: unknown; for warnings
    CoilEstimation(const Frame& frame, const AllCoils& kspace, const PerAxis<Index>& matrix_size,
                   const CoilOptions& options, const OffResonanceMaps& off_resonance, const CalibrationPlace& place,
                   double noise_sigma = 0);

    using ImagesOfOthers = std::function<std::vector<CalibrationImages>()>;
    /// @param of_others  called for images of other frames of a series, around the same place, if these can be used
    /// @return [x y z coil], of the coils that are here  @throws InputError if no sample near the centre holds signal
    std::vector<cfloat> maps(Backend& backend, const ImagesOfOthers& of_others = {}) const;
    /// Of each coil alone; none where those are aliased, and the coils told together.
    std::optional<CalibrationImages> images(Backend& backend) const { return images_of_each_alone(backend, covered_); }

    /// What that takes on the backend, and on the host: there besides the maps, and at most.
    std::size_t backend_bytes(const Backend& backend, std::size_t piece_bytes) const;
    std::size_t host_bytes() const;

private:
    /// Part of k-space, and the samples in it.
    struct Calibration {
        Calibration(const CalibrationRegion& region, Index sample_count, const Frame& frame,
                    const Trajectory& trajectory, const PerAxis<Index>& matrix_size, const OffResonanceMaps& maps);

        CalibrationRegion region;
        Index sample_count;
        std::optional<CalibrationOffResonance> off_resonance;
    };
    CalibrationProblem problem_of(Backend& backend, const Calibration& calibration, const SumsOptions& sums) const;
    /// The same of one coil that measured noise of 1.
    CalibrationProblem problem_of_noise(Backend& backend, const Calibration& calibration,
                                        const SumsOptions& sums) const;
    std::string source(const Calibration& calibration) const;
    /// None where those are aliased, and the coils told together.
    std::optional<CalibrationImages> images_of_each_alone(Backend& backend, const Calibration& calibration) const;
    /// Of coils and image found together.
    std::vector<cfloat> joint_maps(Backend& backend) const;
    /// By the method of the options, or the best of those from images.
    /// @param calibration  that images are of  @param frame_count  whose sum they are
    std::vector<cfloat> maps_of(Backend& backend, const CalibrationImages& images, const Calibration& calibration,
                                const std::string& source, Index frame_count = 1) const;
    struct JudgedMaps {
        Espirit espirit;
        double misfit;  ///< calibration_misfit
    };
    double misfit_of(Backend& backend, const CalibrationKspace& calibration, const Espirit& espirit) const;
    /// Those of whole cycles, or, where something touches opposite borders and they fit it clearly better, of half.
    JudgedMaps best_espirit(Backend& backend, const CalibrationImages& images,
                            const CalibrationKspace& calibration) const;
    /// Whether Walsh's maps fit the calibration data better than ESPIRiT's and the options leave the choice.
    /// @param misfit  of ESPIRiT's; becomes that of the maps that are taken
    bool takes_walsh(Backend& backend, const CalibrationKspace& calibration, double& misfit) const;
    /// @param misfit  |what is not explained| / |data|  @param energy_of_unit_noise  as a part of the data's: that of
    /// all coils if the noise of a sample were 1
    void warn_where_hardly_right(double misfit, double energy_of_unit_noise) const;

    AllCoils kspace_;
    PerAxis<Index> matrix_size_;
    const CoilOptions& options_;
    CalibrationPlace place_;
    std::shared_ptr<const Trajectory> trajectory_;  ///< relative to its centre: a phase that the coils share
    Calibration covered_;                           ///< what samples cover
    Calibration whole_;                             ///< of radius_of_joint_calibration, for coils and image together
    double noise_sigma_ = 0;
};

}  // namespace recon
