#include "data/files/write_bytes.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "core/base/error.hpp"
#include "data/files/atomic_output.hpp"

namespace recon {
namespace {

/// Stdout as this process has it: what is printed before and after keeps its place in a file, and a socket, which has
/// no name to be opened by, will do.
std::FILE* open_stdout() {
    const int descriptor = std::fflush(stdout) == 0 ? ::dup(STDOUT_FILENO) : -1;
    return descriptor < 0 ? nullptr : ::fdopen(descriptor, "wb");
}

}  // namespace

void write_bytes(const std::string& path, std::span<const std::byte> bytes) {
    AtomicOutput output(path);
    const auto failure = [&](const char* doing) {
        return InputError(
            fmt::format("{}: cannot {}: {}", path, doing, errno == ENOTCONN ? "it is closed" : std::strerror(errno)));
    };
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
        output.is_stdout() ? open_stdout()
                           : std::fopen(output.temporary_path().c_str(), output.is_direct() ? "ab" : "wb"),
        std::fclose);
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
