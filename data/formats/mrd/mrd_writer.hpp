#pragma once

#include <string>

#include "core/mri/scan.hpp"
#include "data/formats/mrd/mrd_sink.hpp"

namespace recon {

/// Writes a scan as ISMRMRD / MRD HDF5 through libismrmrd, with its trajectory in cycles per field of view.
///
/// MRD stores positions in single precision, counts in 16 bits, and one echo time a contrast: sample times that are not
/// the same line for each readout of a contrast are left out, with a warning.
/// @throws InputError if the scan does not fit or the file cannot be written; ShapeError if the scan contradicts itself
void write_mrd(const Scan& scan, const std::string& path);

/// The same into any sink. @param path  for messages
void write_mrd(const Scan& scan, const std::string& path, MrdSink& sink);

}  // namespace recon
