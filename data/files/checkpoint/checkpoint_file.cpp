#include "data/files/checkpoint/checkpoint_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/base/error.hpp"
#include "data/files/atomic_output.hpp"
#include "data/files/content_hash.hpp"
#include "data/files/file_identity.hpp"

namespace recon {
namespace {

constexpr std::string_view first_line = "recon checkpoint 1\n";
constexpr std::size_t bytes_at_once = std::size_t{4} << 20;
constexpr std::uint64_t longest_name = 4096;
constexpr std::uint64_t longest_header = std::uint64_t{16} << 20;

}  // namespace

class CheckpointFile::Descriptor {
public:
    explicit Descriptor(const std::string& path) : path_(path) {
        require_file_or_folder(path);
        number_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        const off_t end = number_ < 0 ? -1 : ::lseek(number_, 0, SEEK_END);
        if (end < 0) {
            throw InputError(fmt::format("{}: cannot read the checkpoint: {}", path, std::strerror(errno)));
        }
        size_ = static_cast<std::uint64_t>(end);
    }
    ~Descriptor() {
        if (number_ >= 0) {
            ::close(number_);
        }
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    std::uint64_t size() const { return size_; }
    void read(std::uint64_t begin, std::span<std::byte> bytes) const {
        while (!bytes.empty()) {
            const ssize_t count = ::pread(number_, bytes.data(), bytes.size(), static_cast<off_t>(begin));
            if (count < 0 && errno == EINTR) {
                continue;
            }
            if (count <= 0) {
                throw InputError(fmt::format("{}: cannot read the checkpoint: {}", path_,
                                             count == 0 ? "it ends too early" : std::strerror(errno)));
            }
            begin += static_cast<std::uint64_t>(count);
            bytes = bytes.subspan(static_cast<std::size_t>(count));
        }
    }

private:
    std::string path_;
    int number_ = -1;
    std::uint64_t size_ = 0;
};

namespace {

InputError damaged(const std::string& path) {
    return InputError(fmt::format("{}: the checkpoint is damaged; remove the file to start from the beginning", path));
}

/// Walks through the file and hashes it.
template <class File>
class Walk {
public:
    Walk(const File& file, const std::string& path) : file_(file), path_(path) {}

    void take(std::span<std::byte> bytes) {
        if (bytes.size() > left()) {
            throw damaged(path_);
        }
        file_.read(at_, bytes);
        hash_.add_bytes(bytes);
        at_ += bytes.size();
    }
    std::uint64_t length(std::uint64_t most) {
        std::uint64_t value = 0;
        take(std::as_writable_bytes(std::span(&value, 1)));
        if (value > most) {
            throw damaged(path_);
        }
        return value;
    }
    std::string text(std::uint64_t size) {
        std::string value(static_cast<std::size_t>(size), '\0');
        take(std::as_writable_bytes(std::span(value)));
        return value;
    }
    void pass(std::uint64_t size) {
        while (size > 0) {
            piece_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(size, bytes_at_once)));
            take(piece_);
            size -= piece_.size();
        }
    }
    std::uint64_t at() const { return at_; }
    std::uint64_t left() const { return file_.size() - std::min(file_.size(), at_); }
    void require_digest() {
        const Digest found = hash_.digest();
        Digest kept;
        if (left() != kept.size()) {
            throw damaged(path_);
        }
        file_.read(at_, kept);
        if (kept != found) {
            throw damaged(path_);
        }
    }

private:
    const File& file_;
    const std::string& path_;
    ContentHash hash_;
    std::uint64_t at_ = 0;
    std::vector<std::byte> piece_;
};

}  // namespace

CheckpointFile::CheckpointFile(const std::string& path) : path_(path), file_(std::make_shared<const Descriptor>(path)) {
    Walk walk(*file_, path_);
    if (walk.left() < first_line.size() || walk.text(first_line.size()) != first_line) {
        throw InputError(fmt::format("{}: is no checkpoint of recon; give another name", path));
    }
    walk.length(0);
    header_ = RunRecord::parse(walk.text(walk.length(longest_header)), nullptr, false);
    while (const std::uint64_t name_length = walk.length(longest_name)) {
        const std::string name = walk.text(name_length);
        const std::uint64_t size = walk.length(walk.left());
        names_.push_back(name);
        blocks_[name] = {walk.at(), size};
        walk.pass(size);
    }
    walk.length(0);
    walk.require_digest();
    if (!header_.is_object()) {
        throw damaged(path);
    }
}

void CheckpointFile::read(const std::string& name, std::uint64_t offset, std::span<std::byte> bytes) const {
    const Block& block = blocks_.at(name);
    if (offset > block.size || bytes.size() > block.size - offset) {
        throw damaged(path_);
    }
    file_->read(block.begin + offset, bytes);
}

void write_checkpoint_file(const std::string& path, const RunRecord& header,
                           const std::vector<CheckpointBlock>& blocks) {
    AtomicOutput output(path);
    const auto failure = [&] {
        return InputError(fmt::format("{}: cannot write the checkpoint: {}", path, std::strerror(errno)));
    };
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(output.temporary_path().c_str(), "wb"),
                                                         std::fclose);
    if (!file) {
        throw failure();
    }
    const auto put = [&](std::span<const std::byte> bytes) {
        // of an empty span the address may be null, which fwrite does not take
        if (!bytes.empty() && std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size()) {
            throw failure();
        }
    };
    ContentHash hash;
    const ByteSink sink = [&](std::span<const std::byte> bytes) {
        hash.add_bytes(bytes);
        put(bytes);
    };
    const auto put_text = [&](std::string_view text) { sink(std::as_bytes(std::span(text))); };
    const auto put_length = [&](std::uint64_t length) { sink(std::as_bytes(std::span(&length, 1))); };
    put_text(first_line);
    const std::string header_text = header.dump(-1, ' ', false, RunRecord::error_handler_t::replace);
    put_length(0);
    put_length(header_text.size());
    put_text(header_text);
    for (const CheckpointBlock& block : blocks) {
        put_length(block.name.size());
        put_text(block.name);
        put_length(block.size);
        block.write(sink);
    }
    put_length(0);
    put_length(0);
    put(hash.digest());
    if (std::fclose(file.release()) != 0) {  // what was still buffered may fail here
        throw failure();
    }
    output.commit();
}

}  // namespace recon
