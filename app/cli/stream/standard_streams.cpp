#include "app/cli/stream/standard_streams.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "core/base/error.hpp"

namespace recon {
namespace {

constexpr std::string_view descriptors = "/proc/self/fd/";

InputError failure(const std::string& path, const char* doing) {
    return InputError(fmt::format("stdin: cannot {} {}: {} (the environment variable TMPDIR names another folder)",
                                  doing, path, std::strerror(errno)));
}

void write_all(int file, const char* bytes, std::size_t count, const std::string& path) {
    while (count > 0) {
        const ssize_t written = ::write(file, bytes, count);
        if (written < 0 && errno != EINTR) {
            throw failure(path, "write");
        }
        bytes += written < 0 ? 0 : written;
        count -= static_cast<std::size_t>(written < 0 ? 0 : written);
    }
}

std::size_t copy_stdin(int file, const std::string& path) {
    std::vector<char> buffer(std::size_t{1} << 20);
    std::size_t total = 0;
    while (true) {
        const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
        if (count == 0) {
            return total;
        }
        if (count < 0 && errno != EINTR) {
            throw InputError(fmt::format("stdin: cannot be read: {}", std::strerror(errno)));
        }
        if (count > 0) {
            write_all(file, buffer.data(), static_cast<std::size_t>(count), path);
            total += static_cast<std::size_t>(count);
        }
    }
}

}  // namespace

void fill_closed_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) < 0) {
            // The lowest free number is taken. A socket without another end can be written to under no name.
            stream == STDIN_FILENO ? ::open("/dev/null", O_RDONLY) : ::socket(AF_UNIX, SOCK_STREAM, 0);
        }
    }
}

SpooledInput::SpooledInput() {
    if (::isatty(STDIN_FILENO) != 0) {
        throw InputError("stdin: is a terminal; give it a stream, as in: cat scan.mrdstream | recon --scan - --out -");
    }
    std::error_code failed;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(failed);
    std::string name = (failed ? std::filesystem::path("/tmp") : folder) / "recon-stdin-XXXXXX";
    file_ = ::mkstemp(name.data());
    if (file_ < 0) {
        throw failure(name, "make");
    }
    ::unlink(name.c_str());
    path_ = fmt::format("{}{}", descriptors, file_);
    try {
        if (copy_stdin(file_, name) == 0) {
            throw InputError("stdin: is empty, expected a scan");
        }
    } catch (...) {
        ::close(file_);
        throw;
    }
}

SpooledInput::~SpooledInput() { ::close(file_); }

std::unique_ptr<const SpooledInput> open_stdin(std::string& scan_path) {
    if (scan_path != standard_stream) {
        return nullptr;
    }
    auto input = std::make_unique<const SpooledInput>();
    scan_path = input->path();
    return input;
}

void require_written_stdout() {
    errno = 0;
    const bool flushed = std::fflush(stdout) == 0;
    if (!flushed || std::ferror(stdout) != 0) {
        throw InputError(fmt::format("stdout: cannot be written: {}", errno == ENOTCONN ? "it is closed"
                                                                      : errno != 0      ? std::strerror(errno)
                                                                                        : "an earlier part is lost"));
    }
}

std::string with_stream_names(std::string line) {
    for (std::size_t at = line.find(descriptors); at != std::string::npos; at = line.find(descriptors, at)) {
        const std::size_t end = line.find_first_not_of("0123456789", at + descriptors.size());
        line.replace(at, std::min(end, line.size()) - at, "stdin");
    }
    for (std::size_t at = line.find(standard_output); at != std::string::npos; at = line.find(standard_output, at)) {
        line.replace(at, std::strlen(standard_output), "stdout");
    }
    return line;
}

const Format* image_only_format(const std::string& path) {
    return path == standard_output ? &formats().get("mrdstream") : image_writer_of(path);
}

}  // namespace recon
