#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace recon {

/// Writes a JSON document, indented, with a final newline; an existing file is replaced only when the new one is
/// complete. @throws InputError if it cannot be written
void write_json(const std::string& path, const nlohmann::json& document);

}  // namespace recon
