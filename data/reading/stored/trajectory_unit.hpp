#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/mri/scan.hpp"

namespace recon {

/// Units in which files store k-space positions. Inside the program they are cycles per field of view.
enum class TrajectoryUnit {
    cycles_per_fov,
    cycles_per_voxel,
    radians_per_voxel,
    parts_of_kmax,  ///< +-1 at the edge of the band, N/2
    cycles_per_metre,
    radians_per_metre,
    cycles_per_millimetre,
    radians_per_millimetre
};

/// "cycles/FOV", "cycles/voxel", "rad/voxel", "k/kmax", "1/m", "rad/m", "1/mm", "rad/mm".
std::string_view name_of(TrajectoryUnit unit);

/// The unit that a text names, in any of the usual spellings; nothing if it names none.
std::optional<TrajectoryUnit> recognise_trajectory_unit(std::string_view text);
/// The same for the command line. @throws UsageError that lists the names
TrajectoryUnit parse_trajectory_unit(std::string_view text);

/// What to multiply each component by to get cycles per field of view; NaN where the field of view is needed but
/// unknown.
PerAxis<double> factor_to_cycles_per_fov(TrajectoryUnit unit, const Geometry& geometry);

/// "the field of view along z is unknown; give it with `fov`", for messages.
std::string unknown_field_of_view(const Geometry& geometry);

/// Greatest |k| of each component over all frames. @throws ShapeError if a frame has no trajectory
PerAxis<double> trajectory_extent(const std::vector<Frame>& frames);

/// Greatest |k| relative to the edge of the image's band, N/2, over the axes with more than one voxel: near 1 for a
/// scan at full resolution whose unit is `unit`. NaN if it cannot be said.
double band_fraction(const PerAxis<double>& extent, TrajectoryUnit unit, const Geometry& geometry);

/// The unit whose numbers fit the image's band.
///
/// A unit is plausible if the band fraction is within [0.6, 1.1], or [0.2, 1.1] if none fits there; exactly one
/// must be (units that give the same numbers count as one). Those per mm and k/kmax are not guessed; where only the
/// second range fits, and one of them takes the farthest sample to the edge, that counts as several.
/// @param where  file name, for the messages
/// @throws InputError that names --trajectory-unit and the range found, if none or several are plausible
TrajectoryUnit guess_trajectory_unit(const PerAxis<double>& extent, const Geometry& geometry, const std::string& where);

/// The unit asked for, else the one the file states (a statement that the range contradicts is warned of), else the
/// guess; logs the decision and its reason.
/// @param stated_where  what states it, for the log: "the attribute `unit` of /trajectory"
TrajectoryUnit decide_trajectory_unit(std::optional<TrajectoryUnit> asked, std::optional<TrajectoryUnit> stated,
                                      const std::string& stated_where, const PerAxis<double>& extent,
                                      const Geometry& geometry, const std::string& where);

}  // namespace recon
