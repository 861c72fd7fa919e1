#include "data/files/json_writer.hpp"

#include "data/files/json_to_hdf5.hpp"
#include "data/files/write_bytes.hpp"

namespace recon {

void write_json(const std::string& path, const nlohmann::json& document) {
    const std::string text = json_text(document) + "\n";
    write_bytes(path, std::as_bytes(std::span(text)));
}

}  // namespace recon
