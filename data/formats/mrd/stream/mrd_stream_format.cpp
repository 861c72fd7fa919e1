#include <memory>

#include "data/formats/mrd/stream/mrd_stream.hpp"
#include "data/formats/mrd/stream/mrd_stream_images.hpp"
#include "data/formats/mrd/stream/mrd_stream_scan.hpp"
#include "data/reading/format.hpp"

namespace recon {
namespace {

bool is_stream(const std::string& path) { return MrdStream::recognises(path); }

std::unique_ptr<ScanReader> stream_reader(const std::string& path) { return std::make_unique<MrdStreamReader>(path); }

const Registration registered_mrd_stream(formats(),
                                         Format{.name = "mrdstream",
                                                .title = "a stream of MRD (ISMRMRD)",
                                                .recognises = is_stream,
                                                .scan_reader = stream_reader,
                                                .read_image = read_mrd_stream_images,
                                                .write_scan = write_mrd_stream,
                                                .write_image = write_mrd_stream_images,
                                                .write_image_help = "Complex image as a stream of MRD (.mrdstream)",
                                                .extensions = ".mrdstream"});

}  // namespace
}  // namespace recon
