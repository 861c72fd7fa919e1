#include "data/formats/riesling/riesling_reader.hpp"
#include "data/reading/format.hpp"

namespace recon {
namespace {

std::unique_ptr<ScanReader> riesling_reader(const std::string& path) { return std::make_unique<RieslingReader>(path); }

const Registration registered_riesling(formats(), Format{.name = "riesling",
                                                         .title = "a RIESLING HDF5 file",
                                                         .recognises = RieslingReader::recognises,
                                                         .scan_reader = riesling_reader});

}  // namespace
}  // namespace recon
