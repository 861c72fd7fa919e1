#pragma once

#include "app/reconstruction/options/margin_options.hpp"
#include "core/backend/backend.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// Widens the scan where its object goes on beyond the field of view (object_reach), so that the image has room for
/// what the data hold of that: without, least squares put it into the outermost voxels, and streaks through the rest.
/// At most by half of the field on each side; a line in the log says by how much. One frame is looked at, of
/// several slices one in each of a few.
/// @return what was added. Where processes hold parts of the scan each calls it, and all get the same
Margin make_room(Scan& scan, const MarginOptions& options, Backend& backend);

}  // namespace recon
