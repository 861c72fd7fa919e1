#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "data/files/content_hash.hpp"

namespace recon {

/// SHA-256 of a file, as sha256sum gives it. @return none once `stop` is requested
/// @throws InputError if it cannot be read
std::optional<Digest> digest_of_file(const std::string& path, const std::stop_token& stop = {});

}  // namespace recon
