#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/formats/mrd/stream/mrd_stream.hpp"

namespace recon {

/// The bytes of a stream, message by message.
class MrdStreamOutput {
public:
    void begin(MrdMessage message) {
        const auto id = static_cast<std::uint16_t>(message);
        append(&id, sizeof id);
    }
    void append(const void* from, std::size_t bytes) {
        const auto* first = static_cast<const std::byte*>(from);
        bytes_.insert(bytes_.end(), first, first + bytes);
    }
    void text(MrdMessage message, const std::string& text) {
        begin(message);
        const auto length = static_cast<std::uint32_t>(text.size());
        append(&length, sizeof length);
        append(text.data(), text.size());
    }
    std::span<const std::byte> bytes() const { return bytes_; }

private:
    std::vector<std::byte> bytes_;
};

}  // namespace recon
