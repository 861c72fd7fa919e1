#include "data/files/write_bytes.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "core/base/error.hpp"
#include "data/files/atomic_output.hpp"

namespace recon {

void write_bytes(const std::string& path, std::span<const std::byte> bytes) {
    AtomicOutput output(path);
    const auto failure = [&](const char* doing) {
        return InputError(fmt::format("{}: cannot {}: {}", path, doing, std::strerror(errno)));
    };
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
        std::fopen(output.temporary_path().c_str(), output.is_direct() ? "ab" : "wb"), std::fclose);
    if (!file) {
        throw failure("open the file for writing");
    }
    if (std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size()) {
        throw failure("write");
    }
    // What was still buffered may fail here, on a full disk for example.
    if (std::fclose(file.release()) != 0) {
        throw failure("write");
    }
    output.commit();
}

}  // namespace recon
