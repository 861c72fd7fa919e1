#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace recon {

/// Sends all of it; the descriptor, unless it is -1, along with the first byte. @return false if the other side is gone
bool send_to(int socket, std::span<const std::byte> bytes, int descriptor = -1);

/// Receives that many bytes. @param descriptor  set to what came along, if something did
bool receive_from(int socket, std::span<std::byte> bytes, int* descriptor = nullptr);

}  // namespace recon
