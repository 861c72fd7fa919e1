#include "data/files/digest/file_digest.hpp"

#include <fmt/format.h>

#include <fstream>
#include <span>
#include <vector>

#include "core/base/cancel.hpp"
#include "core/base/error.hpp"

namespace recon {

std::optional<Digest> digest_of_file(const std::string& path, const std::stop_token& stop) {
    std::ifstream file(path, std::ios::binary);
    std::vector<char> piece(std::size_t{1} << 20);
    ContentHash hash;
    while (file) {
        cancel_of_this_thread().check();
        if (stop.stop_requested()) {
            return std::nullopt;
        }
        file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        hash.add_bytes(std::as_bytes(std::span(piece.data(), static_cast<std::size_t>(file.gcount()))));
    }
    if (!file.eof()) {
        throw InputError(fmt::format("{}: cannot be read", path));
    }
    return hash.digest();
}

}  // namespace recon
