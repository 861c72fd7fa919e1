#include <filesystem>

#include "data/formats/impatient/impatient_reader.hpp"
#include "data/reading/format.hpp"

namespace recon {
namespace {

bool is_impatient(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::is_directory(path, ignored) && ImpatientReader::recognises(path);
}

std::unique_ptr<ScanReader> impatient_reader(const std::string& path) {
    return std::make_unique<ImpatientReader>(path);
}

const Registration registered_impatient(formats(), Format{.name = "impatient",
                                                          .title = "an IMPATIENT folder (kx.dat, kdata_r.dat, ...)",
                                                          .recognises = is_impatient,
                                                          .scan_reader = impatient_reader});

}  // namespace
}  // namespace recon
