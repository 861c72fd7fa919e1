#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/mri/trajectory.hpp"
#include "core/types.hpp"

namespace recon {

/// Where the image lies in the patient, in the MRD convention: LPS coordinates, unit vectors of the image's x, y, z
/// axes.
struct Orientation {
    PerAxis<double> centre_mm{0, 0, 0};  ///< position of the voxel with index floor(N/2) along each axis
    PerAxis<double> x_direction{1, 0, 0};
    PerAxis<double> y_direction{0, 1, 0};
    PerAxis<double> z_direction{0, 0, 1};
};

/// The image to reconstruct: how many voxels, how large, and where.
struct Geometry {
    PerAxis<Index> matrix_size{1, 1, 1};
    PerAxis<double> field_of_view_mm{0, 0, 0};  ///< 0 where unknown
    std::optional<Orientation> orientation;

    PerAxis<double> voxel_size_mm() const;  ///< 0 where unknown
};

/// Which of a series of images a frame is. Axes that do not vary are 0 throughout.
struct FrameLabel {
    Index contrast = 0;
    Index repetition = 0;
    Index set = 0;
    Index slice = 0;
    Index phase = 0;  ///< of the cardiac or respiratory cycle
    friend auto operator<=>(const FrameLabel&, const FrameLabel&) = default;
};

/// The measurements that belong to one image.
struct Frame {
    FrameLabel label;
    std::shared_ptr<const Trajectory> trajectory;  ///< shared by frames with the same samples
    std::vector<cfloat> kspace;                    ///< [sample coil]
    std::vector<float> density_weights;            ///< [sample], non-negative; empty if the file has none
    std::vector<float> sample_times_s;             ///< [sample], since excitation; empty if unknown
    std::optional<Orientation> orientation;        ///< of this slice, where it differs from the scan's

    Index sample_count() const { return trajectory->sample_count(); }
};

/// What was measured, in host memory and in the conventions of docs/conventions.md: readers convert, nothing else does.
struct Scan {
    std::string path;
    std::string format;  ///< for people: "MRD", "recon HDF5", "IMPATIENT"
    Geometry geometry;
    Index coil_count = 1;
    Index samples_per_readout = 0;             ///< 0 where readouts differ in length
    std::vector<Frame> frames;                 ///< sorted by label, at least one
    std::vector<cfloat> coil_maps;             ///< [x y z coil]; empty if the file has none
    std::vector<float> off_resonance_hz;       ///< [x y z]; empty if the file has none
    std::vector<float> relaxation_rate_per_s;  ///< R2*, [x y z]; empty means 0
    std::vector<cfloat> noise;                 ///< [sample coil] of noise-only acquisitions; may be empty
};

}  // namespace recon
