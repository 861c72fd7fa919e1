#pragma once

#include <string>
#include <vector>

#include "data/files/hdf5_file.hpp"
#include "data/formats/mrd/mrd_sorting.hpp"
#include "data/reading/scan_reader.hpp"

namespace recon {

/// Arrays of an MRD file found by name in its group or in the root: coil_maps, the field map (Hz), density_weights
/// (by imaging acquisition and sample, or one frame's worth for all). @throws InputError if their shapes do not fit
void read_mrd_arrays(const H5File& file, const std::string& group, const std::vector<MrdAcquisitions::Head>& heads,
                     const MrdSorting& sorting, const ScanReadOptions& options, StoredScan& stored);

}  // namespace recon
