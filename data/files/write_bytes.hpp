#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace recon {

/// Writes a whole file at once; an existing one is replaced only when the new one is complete.
/// @throws InputError naming the file and the reason (folder missing, not writable, disk full)
void write_bytes(const std::string& path, std::span<const std::byte> bytes);

}  // namespace recon
