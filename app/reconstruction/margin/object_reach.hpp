#pragma once

#include "core/backend/backend.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// Where the object ends along an axis, in fields of view.
struct ObjectReach {
    double fields = 0;      ///< from the middle of the field of view: 0.5 at its border; 0: unknown
    double doubt = 0;       ///< by so much it may end nearer than that
    double resolution = 0;  ///< of the images that tell it
};

/// How far the object goes along each axis, by images of low resolution over a field of view twice as wide: least
/// squares of the centre of k-space, as far as samples cover it there, under a Hann window. The planes across the axis
/// fall off beyond the object's end as that window's point spread does, down to what noise and aliases leave.
/// Unknown where samples lie at whole cycles per field of view, as what is beyond it is then aliased into it, and where
/// noise or aliases fill the wider field, or where no maps tell aliases of several coils from the object. At most the
/// wider field is told: 1, also where the object fills that.
/// @param frame  of the scan, with its k-space. Where processes hold parts of it all of them ask
PerAxis<ObjectReach> object_reach(const Scan& scan, const Frame& frame, Backend& backend);

}  // namespace recon
