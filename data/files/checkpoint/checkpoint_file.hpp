#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "data/files/run_record.hpp"

namespace recon {

/// A file of named blocks of bytes behind a header, whole or not there at all:
///
///     "recon checkpoint 1\n"  header, as a block without a name  blocks  a block without name or bytes  SHA-256 of all
///
/// where a block is: length of its name, name, length of its bytes, bytes; lengths in 64 bits of this machine's order.
/// Reading is safe from several threads.
class CheckpointFile {
public:
    /// @throws InputError if it cannot be read, is no checkpoint or is damaged
    explicit CheckpointFile(const std::string& path);

    const RunRecord& header() const { return header_; }
    const std::vector<std::string>& names() const { return names_; }  ///< in their order
    bool has(const std::string& name) const { return blocks_.contains(name); }
    std::uint64_t size_of(const std::string& name) const { return blocks_.at(name).size; }
    /// Bytes of a block from `offset` on. @throws InputError if the file has become shorter
    void read(const std::string& name, std::uint64_t offset, std::span<std::byte> bytes) const;

private:
    struct Block {
        std::uint64_t begin = 0;
        std::uint64_t size = 0;
    };
    class Descriptor;

    std::string path_;
    std::shared_ptr<const Descriptor> file_;
    RunRecord header_;
    std::vector<std::string> names_;
    std::map<std::string, Block> blocks_;
};

/// Takes the bytes of a block, a piece at a time.
using ByteSink = std::function<void(std::span<const std::byte>)>;

struct CheckpointBlock {
    std::string name;
    std::uint64_t size = 0;
    std::function<void(const ByteSink&)> write;  ///< gives exactly `size` bytes
};

/// Writes the file anew; the one before stays until this one is on the disk. @throws InputError if that fails
void write_checkpoint_file(const std::string& path, const RunRecord& header,
                           const std::vector<CheckpointBlock>& blocks);

}  // namespace recon
