#include "app/report/run_origin.hpp"

#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <recon_commit.hpp>
#include <span>
#include <vector>

#include "data/files/content_hash.hpp"

namespace recon {
namespace {

std::optional<std::string> digest_of_file(const std::string& path) {
    constexpr std::uintmax_t most_bytes = std::uintmax_t{4} << 30;  // a few seconds
    constexpr std::size_t piece = 1 << 20;
    std::error_code failed;
    const std::uintmax_t size = std::filesystem::file_size(path, failed);
    if (failed || size > most_bytes) {
        return std::nullopt;
    }
    ContentHash hash;
    std::ifstream file(path, std::ios::binary);
    std::vector<char> buffer(piece);
    while (file.read(buffer.data(), static_cast<std::streamsize>(piece)) || file.gcount() > 0) {
        hash.add_bytes(std::as_bytes(std::span(buffer.data(), static_cast<std::size_t>(file.gcount()))));
    }
    return text_of(hash.digest());
}

}  // namespace

ScanDigest::ScanDigest(const std::string& path)
    // Deferred where no thread can be had.
    : digest_(std::async(std::launch::async | std::launch::deferred, [path] { return digest_of_file(path); })) {}

std::optional<std::string> ScanDigest::text() { return digest_.get(); }

RunRecord program_record() {
    std::array<char, 256> host{};
    const bool known = gethostname(host.data(), host.size() - 1) == 0;
    return {{"version", RECON_VERSION}, {"commit", recon_commit}, {"host", known ? host.data() : "unknown"}};
}

}  // namespace recon
