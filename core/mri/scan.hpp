#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/shared_list.hpp"
#include "core/base/types.hpp"
#include "core/fourier/off_resonance_maps.hpp"
#include "core/fourier/trajectory.hpp"

namespace recon {

struct CoilParts;
struct Share;

/// Where the image lies in the patient, in the MRD convention: LPS coordinates, unit vectors of the image's x, y, z
/// axes.
struct Orientation {
    PerAxis<double> centre_mm{0, 0, 0};  ///< position of the voxel with index floor(N/2) along each axis
    PerAxis<double> x_direction{1, 0, 0};
    PerAxis<double> y_direction{0, 1, 0};
    PerAxis<double> z_direction{0, 0, 1};

    bool operator==(const Orientation&) const = default;
};

/// True if the three directions are finite and span space.
bool is_usable(const Orientation& orientation);
/// What is wrong with the directions of a place: "x and y direction are not at right angles"; empty if nothing is, but
/// for rounding in headers. @param names  of the directions
std::string mistake_of_directions(const Orientation& orientation, const std::array<const char*, 3>& names);

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
    Index phase = 0;                                                          ///< of the cardiac or respiratory cycle
    friend auto operator<=>(const FrameLabel&, const FrameLabel&) = default;  // NOLINT(modernize-use-nullptr)
};

/// The measurements that belong to one image.
struct Frame {
    FrameLabel label;
    std::shared_ptr<const Trajectory> trajectory;      ///< shared by frames with the same samples
    std::vector<cfloat> kspace;                        ///< [sample coil]; empty while `is_on_demand` and not loaded
    SharedList<float> density_weights;                 ///< [sample], non-negative; empty if the file has none
    SharedList<float> sample_times_s;                  ///< [sample], since excitation; empty if unknown
    std::optional<Orientation> orientation;            ///< of this slice, where it differs from the scan's
    std::function<std::vector<cfloat>()> read_kspace;  ///< gives k-space as often as asked; none: it is in memory
    std::function<std::vector<cfloat>(const Share& coils)> read_coils;  ///< that of some; none: not without the others

    Index sample_count() const { return trajectory->sample_count(); }

    /// Whether k-space comes from a file when it is asked for, so that a long series need not be in memory.
    bool is_on_demand() const { return static_cast<bool>(read_kspace); }
    /// Puts k-space into memory if it is not there. @throws InputError if it cannot be read, or is not sound
    void load();
    /// Gives the memory back if k-space can be read again.
    void release();
};

/// What a file says of how a scan was measured, beside its samples, and which no computation needs: for the records of
/// images. Nothing of the patient.
struct Measurement {
    std::optional<double> field_strength_t;
    std::optional<double> proton_frequency_hz;
    std::optional<double> repetition_time_s;
    std::optional<double> inversion_time_s;
    std::optional<double> flip_angle_deg;
    std::vector<double> echo_times_s;  ///< of the contrasts of the frames; empty if one of them is unknown
    std::string study;                 ///< by what other scans of the same study are known; empty if unknown
    std::string manufacturer, model, institution, station, protocol, sequence;  ///< empty where unknown
};

/// What was measured, in host memory and in the conventions of docs/conventions.md: readers convert, nothing else does.
struct Scan {
    std::string path;
    std::string format;  ///< for people: "MRD", "recon HDF5", "IMPATIENT"
    Geometry geometry;
    Index coil_count = 1;
    Index samples_per_readout = 0;             ///< 0 where readouts differ in length
    std::vector<Frame> frames;                 ///< sorted by label, at least one
    std::vector<Frame> calibration;            ///< for coil maps alone, measured apart: at most one of each slice
    std::vector<cfloat> coil_maps;             ///< [x y z coil], or [x y z slice coil]; empty if the file has none
    std::vector<Index> coil_map_slices;        ///< labels of the slices that maps are of; empty: one set for all frames
    std::vector<float> off_resonance_hz;       ///< [x y z], or [x y z slice]; empty if the file has none
    std::vector<float> relaxation_rate_per_s;  ///< R2*, as many; empty means 0
    std::vector<Index> off_resonance_slices;   ///< labels of the slices that both are of; empty: one map for all frames
    std::vector<cfloat> noise;                 ///< [sample coil] of noise-only acquisitions; may be empty
    Measurement measurement;
    /// Gives the maps of some coils; none: they are in memory, or there are none.
    std::function<std::vector<cfloat>(const Share& coils)> read_coil_maps;
    /// The coils that k-space and maps in memory are of; null: all. The other members are of the whole scan.
    std::shared_ptr<const CoilParts> parts;

    /// Those of a frame's slice. @throws ShapeError if maps are of other slices
    OffResonanceMaps off_resonance(Index slice) const;
};

/// Where the map of a slice begins among the elements that `coil_maps` has of a coil. @throws ShapeError if there is
/// none
Index offset_of_coil_map(const Scan& scan, Index slice);

/// Changes the k-space of a frame: at once where it is in memory, else whenever it will have been loaded, after the
/// changes that were asked for before. What is changed of a coil must not depend on the others.
/// @param change  gets the frame's k-space [sample coil], of some coils where these are read by themselves; is called
/// from one thread at a time
void transform_kspace(Frame& frame, const std::function<void(std::vector<cfloat>& kspace)>& change);

/// The same for every frame. @param change  gets the number of the frame as well
void transform_kspace(Scan& scan, const std::function<void(Index frame, std::vector<cfloat>& kspace)>& change);

/// The same for what is done to every frame alike, and to the calibration as well.
void transform_all_kspace(Scan& scan, const std::function<void(std::vector<cfloat>& kspace)>& change);

}  // namespace recon
