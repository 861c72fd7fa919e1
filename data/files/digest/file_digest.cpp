#include "data/files/digest/file_digest.hpp"

#include <fmt/format.h>

#include <fstream>
#include <future>
#include <span>
#include <utility>
#include <vector>

#include "core/base/cancel.hpp"
#include "core/base/error.hpp"

namespace recon {

std::optional<Digest> digest_of_file(const std::string& path, const std::stop_token& stop) {
    std::ifstream file(path, std::ios::binary);
    std::vector<char> piece(std::size_t{1} << 20), next(piece.size());
    const auto read = [&file](std::vector<char>& into) {
        file.read(into.data(), static_cast<std::streamsize>(into.size()));
        return static_cast<std::size_t>(file.gcount());
    };
    ContentHash hash;
    for (std::size_t length = read(piece); length > 0;) {
        cancel_of_this_thread().check();
        if (stop.stop_requested()) {
            return std::nullopt;
        }
        // Reading takes a sixth of the time of hashing, and goes on beside it; after it, where no thread is to be had.
        std::future<std::size_t> reading = std::async([&] { return file ? read(next) : 0; });
        hash.add_bytes(std::as_bytes(std::span(piece).first(length)));
        length = reading.get();
        std::swap(piece, next);
    }
    if (!file.eof()) {
        throw InputError(fmt::format("{}: cannot be read", path));
    }
    return hash.digest();
}

}  // namespace recon
