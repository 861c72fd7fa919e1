#include "data/formats/mrd/stream/mrd_stream.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <ismrmrd/waveform.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "core/base/error.hpp"

namespace recon {
namespace {

constexpr std::size_t id_bytes = sizeof(std::uint16_t);
constexpr std::size_t config_file_bytes = 1024;
constexpr std::uint16_t newest_version = 16;  // of heads; that of today is 1

template <class T>
T value_at(const MrdStream& stream, std::size_t at) {
    T value{};
    stream.read(at, &value, sizeof(T));
    return value;
}

/// Voxels of an image times its channels.
std::size_t number_count(const MrdStream::ImageHead& head) {
    return std::size_t{head.matrix_size[0]} * head.matrix_size[1] * head.matrix_size[2] * head.channels;
}

}  // namespace

std::size_t bytes_of_mrd_type(std::uint16_t type) {
    constexpr std::array<std::size_t, 9> bytes{0, 2, 2, 4, 4, 4, 8, 8, 16};
    return type < bytes.size() ? bytes[type] : 0;
}

bool MrdStream::recognises(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return false;
    }
    std::array<char, 8192> bytes{};
    const ssize_t count = ::pread(descriptor, bytes.data(), bytes.size(), 0);
    ::close(descriptor);
    std::size_t at = 0;
    const auto has = [&](std::size_t needed) { return count >= 0 && at + needed <= static_cast<std::size_t>(count); };
    const auto number = [&](auto value) {
        std::memcpy(&value, bytes.data() + at, sizeof value);
        return value;
    };
    while (has(id_bytes + sizeof(std::uint32_t))) {
        const auto message = MrdMessage{number(std::uint16_t{})};
        at += id_bytes;
        const auto length = number(std::uint32_t{});
        if (message == MrdMessage::config_file) {
            at += config_file_bytes;
        } else if (message == MrdMessage::config_text || message == MrdMessage::text) {
            at += sizeof length + length;
        } else if (message == MrdMessage::header) {
            const std::string_view text(bytes.data() + at + sizeof length, bytes.size() - at - sizeof length);
            return text.find("<ismrmrdHeader") != text.npos || text.find(":ismrmrdHeader") != text.npos;
        } else if (message == MrdMessage::image && has(sizeof(ImageHead))) {
            ImageHead head;
            std::memcpy(&head, bytes.data() + at, sizeof head);
            return head.version <= newest_version && bytes_of_mrd_type(head.data_type) > 0 && number_count(head) > 0;
        } else {
            return false;
        }
    }
    return false;
}

MrdStream::MrdStream(const std::string& path) : path_(path) {
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) {
        throw InputError(fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
    }
    file_bytes_ = static_cast<std::size_t>(status.st_size);
    try {
        read_messages();
    } catch (...) {
        ::close(descriptor_);
        throw;
    }
}

MrdStream::~MrdStream() { ::close(descriptor_); }

void MrdStream::read_messages() {
    std::size_t at = 0;
    while (!closed_ && at < file_bytes_) {
        require_inside(at, id_bytes);
        const auto message = MrdMessage{value_at<std::uint16_t>(*this, at)};
        at = body_of(message, at + id_bytes);
    }
}

/// Takes what is wanted of a message. @return where the next one begins
std::size_t MrdStream::body_of(MrdMessage message, std::size_t at) {
    switch (message) {
        case MrdMessage::close: closed_ = true; return at;
        case MrdMessage::config_file: return require_inside(at, config_file_bytes);
        case MrdMessage::config_text:
        case MrdMessage::text: return length_at(at, sizeof(std::uint32_t));
        case MrdMessage::header: {
            const std::size_t end = length_at(at, sizeof(std::uint32_t));
            const std::vector<char> text = read<char>(at + sizeof(std::uint32_t), end - at - sizeof(std::uint32_t));
            header_.assign(text.begin(), text.end());
            return end;
        }
        case MrdMessage::acquisition: {
            const std::size_t samples = require_inside(at, sizeof(AcquisitionHead));
            acquisitions_.push_back(value_at<AcquisitionHead>(*this, at));
            acquisition_offsets_.push_back(samples);
            const AcquisitionHead& head = acquisitions_.back();
            return require_inside(
                samples, std::size_t{head.number_of_samples} *
                             (head.trajectory_dimensions * sizeof(float) + head.active_channels * sizeof(cfloat)));
        }
        case MrdMessage::image: {
            const std::size_t attributes = require_inside(at, sizeof(ImageHead));
            images_.push_back(value_at<ImageHead>(*this, at));
            const std::size_t voxels = length_at(attributes, sizeof(std::uint64_t));
            image_offsets_.push_back(voxels);
            const ImageHead& head = images_.back();
            if (bytes_of_mrd_type(head.data_type) == 0) {
                throw InputError(fmt::format("{}: image {} has numbers of type {}, expected 1 to 8", path_,
                                             images_.size() - 1, std::uint16_t{head.data_type}));
            }
            const std::size_t numbers = std::min(number_count(head), file_bytes_ + 1);  // their bytes can be counted
            return require_inside(voxels, numbers * bytes_of_mrd_type(head.data_type));
        }
        case MrdMessage::waveform: {
            using Head = ISMRMRD::ISMRMRD_WaveformHeader;
            const std::size_t values = require_inside(at, sizeof(Head));
            const auto head = value_at<Head>(*this, at);
            return require_inside(values, std::size_t{head.number_of_samples} * head.channels * sizeof(std::uint32_t));
        }
        case MrdMessage::array: {
            const std::size_t extents = require_inside(at, 3 * sizeof(std::uint16_t));
            const auto head = read<std::uint16_t>(at, 3);  // type, version, number of axes
            const std::size_t values = require_inside(extents, head[2] * sizeof(std::uint64_t));
            std::size_t bytes = bytes_of_mrd_type(head[0]);
            for (const std::uint64_t extent : read<std::uint64_t>(extents, head[2])) {
                bytes = extent <= file_bytes_ && bytes * extent <= file_bytes_ ? bytes * extent : file_bytes_ + 1;
            }
            return require_inside(values, bytes);
        }
    }
    throw InputError(
        fmt::format("{}: at byte {} there is message {}, which is none of MRD's; the stream is damaged, or "
                    "of a later version",
                    path_, at - id_bytes, static_cast<int>(message)));
}

/// Where a text or a list of that length ends. @throws InputError if that is beyond the file
std::size_t MrdStream::length_at(std::size_t at, std::size_t prefix_bytes) const {
    const std::size_t begin = require_inside(at, prefix_bytes);
    const std::size_t length =
        prefix_bytes == sizeof(std::uint32_t) ? value_at<std::uint32_t>(*this, at) : value_at<std::uint64_t>(*this, at);
    return require_inside(begin, length);
}

std::size_t MrdStream::require_inside(std::size_t at, std::size_t bytes) const {
    if (at > file_bytes_ || bytes > file_bytes_ - at) {
        throw InputError(
            fmt::format("{}: the stream ends in the middle of a message: {} bytes are expected at byte {}, "
                        "but there are {} in all",
                        path_, bytes, at, file_bytes_));
    }
    return at + bytes;
}

void MrdStream::read(std::size_t offset, void* to, std::size_t bytes) const {
    auto* next = static_cast<char*>(to);
    while (bytes > 0) {
        const ssize_t got = ::pread(descriptor_, next, bytes, static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            throw InputError(fmt::format("{}: cannot be read at byte {}: {}", path_, offset,
                                         got == 0 ? "it has become shorter" : std::strerror(errno)));
        }
        next += got;
        offset += static_cast<std::size_t>(got);
        bytes -= static_cast<std::size_t>(got);
    }
}

}  // namespace recon
