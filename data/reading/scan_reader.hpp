#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/mri/check/scan_fix.hpp"
#include "core/mri/scan.hpp"
#include "data/reading/scan/frame_selection.hpp"
#include "data/reading/stored/trajectory_unit.hpp"

namespace recon {

/// What to do with samples beyond the band that the matrix can show, [-N/2, N/2] on any axis. `automatic` drops them
/// where they reach so far that they are no matter of rounding or delays: kept, they would wrap into the image.
enum class OutOfBand { automatic, keep, drop };

/// When k-space is read: all of it with the scan; or frame by frame, which keeps a long series out of memory; or so,
/// the only frame and coil maps as well, to be held in parts (core/mri/coil_parts.hpp).
enum class KspaceReading { at_once, on_demand, in_parts };

/// Choices of the user that override or refine what a file says. Of voxels and extents 0 means left out: with x alone
/// given it is for all axes that the scan has; else axes left out have one voxel, and the extent that the file says.
struct ScanReadOptions {
    FrameSelection selection;                         ///< --select
    std::string trajectory_path;                      ///< --trajectory: FILE or FILE:/dataset; empty: the scan's own
    std::optional<TrajectoryUnit> trajectory_unit;    ///< --trajectory-unit
    std::optional<PerAxis<Index>> matrix_size;        ///< --matrix: voxels to reconstruct; see below
    std::string coil_maps;                            ///< --coil-maps, of a file: their matrix, if no other is said
    std::optional<PerAxis<double>> field_of_view_mm;  ///< --fov: extent to reconstruct; see below
    std::vector<ScanFix> fixes;                       ///< --fix: those of data and positions
    bool drop_unweighted = false;                     ///< leave out readouts, and their ends, of weight 0
    OutOfBand out_of_band = OutOfBand::automatic;     ///< --outside
    std::string field_map_name;                       ///< MRD array to use; empty for the usual names
    std::optional<Index> encoding_space;              ///< MRD encoding to use; nothing for the most used
    KspaceReading kspace = KspaceReading::at_once;
};

/// A scan as a reader found it: trajectories still in the file's unit.
struct StoredScan {
    Scan scan;                                  ///< matrix size 0 where the file does not say
    std::optional<TrajectoryUnit> stated_unit;  ///< if the file says so
    std::string stated_where;                   ///< what says so, for people
    bool z_in_cycles_per_fov = false;           ///< z was derived from counters, whatever the unit of x and y
    bool took_trajectory = false;               ///< `trajectory_path` was read, as the format has none of its own
    bool matrix_by_trajectory = false;          ///< a matrix that is not said is that of coil maps, else twice the
                                                ///< farthest positions
    bool unitary = false;                       ///< k-space is of sums divided by the square root of the voxel count
    std::string field_map_name;                 ///< the array's in the file, for messages
    std::vector<Index> field_map_extents;       ///< and its extents, slowest first; empty: [z y x]
    std::vector<Index> coil_map_extents;        ///< of the maps in the file, slowest first; empty: [coil z y x]
    bool frames_alternate = false;              ///< frames were not measured one after the other
    bool has_slices = false;                    ///< frames in the file, selected or not, are of others than slice 0
    std::vector<std::string> notes;             ///< what was skipped or derived, one line each
};

/// Reads one format. Made by `open_scan`, which looks at the contents.
class ScanReader {
public:
    virtual ~ScanReader() = default;
    virtual std::string format() const = 0;
    /// The frames selected, k-space on demand where the format allows it. @throws InputError
    virtual StoredScan read(const ScanReadOptions& options) const = 0;
};

/// The reader for what lies at `path`, or null if it is no scan. @throws InputError if it is a damaged HDF5 file
std::unique_ptr<ScanReader> find_scan_reader(const std::string& path);
/// The reader for what lies at `path`, chosen by content among the formats that are registered (format.hpp).
/// @throws InputError if it is none of them
std::unique_ptr<ScanReader> open_scan(const std::string& path);

/// Reads a scan, brings it into the program's conventions (docs/conventions.md), and checks it: k-space that is read on
/// demand whenever a frame is loaded, all else at once. The only frame of a scan is in memory, unless
/// the scan is to be held in parts.
/// @throws InputError if the file cannot be read or what it holds cannot be
Scan read_scan(const std::string& path, const ScanReadOptions& options = {});

}  // namespace recon
