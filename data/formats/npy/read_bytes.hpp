#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace recon {

/// A whole file. @throws InputError if it cannot be read
std::vector<std::byte> read_bytes(const std::string& path);

/// Its first bytes, as many as there are; none if it cannot be read.
std::vector<std::byte> first_bytes(const std::string& path, std::size_t most);

}  // namespace recon
