#include "data/formats/recon_h5/recon_hdf5_reader.hpp"
#include "data/formats/recon_h5/recon_hdf5_writer.hpp"
#include "data/reading/format.hpp"

namespace recon {
namespace {

bool is_recon_hdf5(const std::string& path) {
    return H5File::looks_like_hdf5(path) && ReconHdf5Reader::recognises(H5File::open(path));
}

std::unique_ptr<ScanReader> recon_reader(const std::string& path) { return std::make_unique<ReconHdf5Reader>(path); }

const Registration registered_recon(formats(), Format{.name = "recon",
                                                      .title = "a recon HDF5 file",
                                                      .recognises = is_recon_hdf5,
                                                      .scan_reader = recon_reader,
                                                      .write_scan = write_scan});

}  // namespace
}  // namespace recon
