#pragma once

#include <string>

#include "core/mri/image.hpp"
#include "core/mri/scan.hpp"
#include "data/files/run_record.hpp"

namespace recon {

/// What the record of a run says of the measurement: Scan::measurement and the dwell time, in the units of their names;
/// what is unknown is left out.
RunRecord measurement_record(const Scan& scan);

/// The JSON file beside an image by the Brain Imaging Data Structure, version 1.10: terms and units of its glossary,
/// those that are known. @param record  with `measurement`, of the run that made the image
RunRecord bids_sidecar(const RunRecord& record, const Image& image);

/// Writes one as `path`, or leaves the file that is there, with a warning, if recon has not written it as a sidecar.
/// @throws InputError if it cannot be written
void write_bids_sidecar(const std::string& path, const RunRecord& sidecar);

}  // namespace recon
