#pragma once

#include "core/base/types.hpp"
#include "core/mri/priors/kspace_cells.hpp"

namespace recon {

/// Objects are longer along one axis than along another, and so are their voxels: their spectrum is no function of |k|,
/// but rather one of
///
///     P(|A k|),   A diagonal, the product of its elements 1,
///
/// exactly for an ellipsoid. A is what makes the energies of the cells most likely, by Whittle's likelihood, as P.
/// White noise is the same everywhere, and so a function of |A k| too: it need not be known. An A within 5 % of 1 is 1.
/// Where the fields of view differ much the search starts from an object that fills them, too.
/// @param coil_count  of coils that measured anything
/// @return A; 1 for axes of one voxel
PerAxis<double> spectrum_stretch(const KspaceCells& cells, double coil_count);

}  // namespace recon
