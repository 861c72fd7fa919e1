#include "app/report/run_origin.hpp"

#include <unistd.h>

#include <array>
#include <filesystem>
#include <recon_commit.hpp>

#include "core/base/threads/give_way.hpp"
#include "core/base/threads/startable_threads.hpp"
#include "data/files/digest/file_digest.hpp"

namespace recon {
namespace {

std::optional<std::string> digest_text(const std::string& path, const std::stop_token& stop) {
    constexpr std::uintmax_t most_bytes = std::uintmax_t{4} << 30;  // a few seconds
    std::error_code failed;
    const std::uintmax_t size = std::filesystem::file_size(path, failed);
    if (failed || size > most_bytes) {
        return std::nullopt;
    }
    try {
        const std::optional<Digest> digest = digest_of_file(path, stop);
        return digest ? std::optional(text_of(*digest)) : std::nullopt;
    } catch (const std::exception&) {  // unreadable by now, or no memory: the record goes without
        return std::nullopt;
    }
}

}  // namespace

ScanDigest::ScanDigest(const std::string& path)
    : path_(path), thread_(helper_thread([this](const std::stop_token& stop) {
          give_way_to_other_threads();
          text_ = digest_text(path_, stop);
      })) {}

std::optional<std::string> ScanDigest::text() {
    if (thread_.joinable()) {
        thread_.join();
        return text_;
    }
    return digest_text(path_, {});
}

RunRecord program_record() {
    std::array<char, 256> host{};
    const bool known = gethostname(host.data(), host.size() - 1) == 0;
    return {{"version", RECON_VERSION}, {"commit", recon_commit}, {"host", known ? host.data() : "unknown"}};
}

}  // namespace recon
