#pragma once

#include <cstdint>
#include <vector>

#include "data/files/checkpoint/checkpoint_file.hpp"
#include "solver/archive.hpp"

namespace recon {

/// Writes what is visited, one item after the other: length of the name, name, kind, count, numbers. Arrays are in
/// their own precision, and leave their backend a piece at a time.
class WritingArchive final : public Archive {
public:
    explicit WritingArchive(const ByteSink& sink) : sink_(sink) {}

    void numbers(const std::string& name, std::vector<double>& values) override;
    void array(const std::string& name, ArrayView values) override;

private:
    const ByteSink& sink_;
};

/// Counts the bytes of what the one above would write, and moves none.
class MeasuringArchive final : public Archive {
public:
    void numbers(const std::string& name, std::vector<double>& values) override;
    void array(const std::string& name, ArrayView values) override;
    std::uint64_t bytes() const { return bytes_; }

private:
    std::uint64_t bytes_ = 0;
};

/// Gives back what the first has written.
class ReadingArchive final : public Archive {
public:
    /// @param file  outlives this object
    ReadingArchive(const CheckpointFile& file, std::string block) : file_(file), block_(std::move(block)) {}

    /// @throws InputError if another item was written here, or another number of numbers
    void numbers(const std::string& name, std::vector<double>& values) override;
    void array(const std::string& name, ArrayView values) override;

private:
    std::uint64_t begin_item(const std::string& name, std::uint64_t kind);
    void take(std::span<std::byte> bytes);

    const CheckpointFile& file_;
    std::string block_;
    std::uint64_t at_ = 0;
};

}  // namespace recon
