#include "data/formats/mrd/mrd_reader.hpp"
#include "data/formats/mrd/mrd_writer.hpp"
#include "data/reading/format.hpp"

namespace recon {
namespace {

bool is_mrd(const std::string& path) {
    return H5File::looks_like_hdf5(path) && MrdReader::find_group(H5File::open(path)).has_value();
}

std::unique_ptr<ScanReader> mrd_reader(const std::string& path) { return std::make_unique<MrdReader>(path); }

const Registration registered_mrd(formats(), Format{.name = "mrd",
                                                    .title = "an MRD (ISMRMRD) HDF5 file",
                                                    .recognises = is_mrd,
                                                    .scan_reader = mrd_reader,
                                                    .write_scan = write_mrd});

}  // namespace
}  // namespace recon
