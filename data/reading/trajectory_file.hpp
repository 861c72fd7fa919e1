#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/fourier/trajectory.hpp"
#include "data/reading/scan_reader.hpp"
#include "data/reading/stored/stored_array.hpp"
#include "data/reading/stored/trajectory_unit.hpp"

namespace recon {

/// Positions of samples from a file of their own, in the file's unit.
struct StoredTrajectory {
    std::string where;                                      ///< the file, and which array of it
    std::vector<std::shared_ptr<const Trajectory>> frames;  ///< one for all frames, or one for each
    Index samples_per_readout = 0;                          ///< 0 where readouts differ in length
    std::optional<TrajectoryUnit> unit;                     ///< if the file or its format says so
    std::string unit_stated_by;                             ///< for people
    PerAxis<double> field_of_view_mm{};                     ///< that the positions were made for; 0 where unknown
    std::optional<MeasuredOrder> sequence;                  ///< of a sequence, which has all its readouts as one frame

    /// A sequence's positions for the frames of a scan: by their labels, else, where that is sure, one frame after the
    /// other. Others, and what does not fit, are as they are.
    /// @param in_order  whether frames were measured one after the other, and in the order of their labels
    StoredTrajectory divided(Index frame_count, Index samples_of_frame, bool in_order) const;

    /// Of frame `index` of `frame_count`. @throws InputError if there are neither one nor `frame_count` frames
    std::shared_ptr<const Trajectory> of_frame(Index index, Index frame_count) const;
};

/// Positions from an array with 1 to 3 components as its last axis, or its first: [sample, dimension], [readout,
/// sample, dimension], [frame, readout, sample, dimension]. @throws InputError for any other shape
StoredTrajectory trajectory_of(StoredArray array);

/// An array of any format that has arrays.
/// @param name  FILE or FILE:/dataset; @param usual  names it may have; @param what  for messages, "a trajectory"
/// @throws InputError if there is none
StoredArray read_array_of_file(const std::string& name, const std::vector<std::string>& usual, const std::string& what);

/// Positions from an array of any format that has arrays, or those of a scan.
/// @param name  FILE or FILE:/dataset. @throws InputError if there are none
StoredTrajectory read_trajectory(const std::string& name);

/// The field of view of a scan that has none becomes that of the trajectory, with a note.
void take_field_of_view(StoredScan& stored, const StoredTrajectory& trajectory);

/// Gives the frames of a scan these positions in the place of its own. @throws InputError if their numbers differ
void replace_trajectory(StoredScan& stored, const StoredTrajectory& trajectory);

}  // namespace recon
