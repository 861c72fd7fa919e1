#include "data/formats/parboil/parboil_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <span>

#include "core/base/error.hpp"
#include "data/files/file_identity.hpp"
#include "data/files/write_bytes.hpp"

namespace recon {
namespace {

static_assert(std::endian::native == std::endian::little, "the format is little-endian, and so is this code");

constexpr Index largest_count = std::numeric_limits<std::int32_t>::max();

/// Counts from the front of a file, then arrays of floats; the size is known before memory is asked for.
class Reader {
public:
    explicit Reader(const std::string& path) : path_(path) {
        require_file_or_folder(path);
        std::error_code failed;
        if (!std::filesystem::is_regular_file(path, failed)) {
            throw missing_file(path);
        }
        byte_count_ = static_cast<Index>(std::filesystem::file_size(path, failed));
        stream_.open(path, std::ios::binary);
        if (failed || !stream_) {
            throw InputError(fmt::format("{}: cannot be read", path));
        }
    }

    Index byte_count() const { return byte_count_; }

    Index take_count(const char* of_what) {
        std::int32_t count = 0;
        take(&count, sizeof(count));
        if (count < 1) {
            throw InputError(fmt::format("{}: announces {} {}, expected at least 1; is this a file of Parboil's mri-q?",
                                         path_, count, of_what));
        }
        return count;
    }

    std::vector<float> take_floats(const char* name, Index count) {
        std::vector<float> values(count);
        take(values.data(), values.size() * sizeof(float));
        const auto is_bad = [](float value) { return !std::isfinite(value); };
        const auto bad = std::ranges::count_if(values, is_bad);
        if (bad > 0) {
            throw InputError(fmt::format("{}: {} of the {} numbers of {} are not finite, the first at index {}", path_,
                                         bad, count, name, std::ranges::find_if(values, is_bad) - values.begin()));
        }
        return values;
    }

    std::vector<cfloat> take_complex(const char* real_name, const char* imaginary_name, Index count) {
        const std::vector<float> real = take_floats(real_name, count);
        const std::vector<float> imaginary = take_floats(imaginary_name, count);
        std::vector<cfloat> values(count);
        std::ranges::transform(real, imaginary, values.begin(), [](float re, float im) { return cfloat(re, im); });
        return values;
    }

    /// @param announced  what the counts say  @param sizes  in words, that it takes
    InputError wrong_size(const std::string& announced, const std::string& sizes) const {
        return InputError(fmt::format(
            "{}: has {} bytes, but announces {}, which take {}; it was cut short, has bytes added, its counts are "
            "damaged, or it is no file of Parboil's layout",
            path_, byte_count_, announced, sizes));
    }

private:
    void take(void* to, std::size_t bytes) {
        stream_.read(static_cast<char*>(to), static_cast<std::streamsize>(bytes));
        if (!stream_) {
            throw InputError(byte_count_ == 0
                                 ? fmt::format("{}: is empty (0 bytes); expected a file of Parboil's layout", path_)
                                 : fmt::format("{}: ends within its first {} bytes", path_, byte_count_ + 1));
        }
    }

    std::string path_;
    std::ifstream stream_;
    Index byte_count_ = 0;
};

class Writer {
public:
    template <class Integer>
    void put_count(const char* of_what, Index count) {
        if (count > largest_count) {
            throw InputError(fmt::format("{} {}: the format holds at most {}", count, of_what, largest_count));
        }
        const auto stored = static_cast<Integer>(count);
        put(&stored, sizeof(stored));
    }
    void put_floats(const std::vector<float>& values) { put(values.data(), values.size() * sizeof(float)); }
    void put_complex(const std::vector<cfloat>& values) {
        std::vector<float> part(values.size());
        std::ranges::transform(values, part.begin(), [](cfloat v) { return v.real(); });
        put_floats(part);
        std::ranges::transform(values, part.begin(), [](cfloat v) { return v.imag(); });
        put_floats(part);
    }
    void finish(const std::string& path) const { write_bytes(path, bytes_); }

private:
    void put(const void* from, std::size_t count) {
        const auto* bytes = static_cast<const std::byte*>(from);
        bytes_.insert(bytes_.end(), bytes, bytes + count);
    }

    std::vector<std::byte> bytes_;
};

}  // namespace

void ParboilInput::keep_samples(Index count) {
    const auto kept = static_cast<std::size_t>(std::min(count, sample_count()));
    for (std::vector<float>& component : k) {
        component.resize(kept);
    }
    phi.resize(kept);
    kspace.resize(std::min(kept, kspace.size()));
}

ParboilInput read_parboil_input(const std::string& path) {
    Reader reader(path);
    const Index sample_count = reader.take_count("samples");
    const Index voxel_count = reader.take_count("voxels");
    const auto bytes = [&](Index arrays_of_samples) {
        return 2 * Index{sizeof(std::int32_t)} +
               Index{sizeof(float)} * (arrays_of_samples * sample_count + 3 * voxel_count);
    };
    const bool has_data = reader.byte_count() == bytes(7);
    if (!has_data && reader.byte_count() != bytes(5)) {
        throw reader.wrong_size(fmt::format("{} samples and {} voxels", sample_count, voxel_count),
                                fmt::format("{}, or {} with data for F^H d", bytes(5), bytes(7)));
    }
    ParboilInput input;
    for (int axis = 0; axis < 3; ++axis) {
        constexpr const char* names[] = {"kx", "ky", "kz"};
        input.k[axis] = reader.take_floats(names[axis], sample_count);
    }
    for (int axis = 0; axis < 3; ++axis) {
        constexpr const char* names[] = {"x", "y", "z"};
        input.r[axis] = reader.take_floats(names[axis], voxel_count);
    }
    input.phi = reader.take_complex("phiR", "phiI", sample_count);
    if (has_data) {
        input.kspace = reader.take_complex("dR", "dI", sample_count);
    }
    return input;
}

void write_parboil_input(const std::string& path, const ParboilInput& input) {
    Writer writer;
    writer.put_count<std::int32_t>("samples", input.sample_count());
    writer.put_count<std::int32_t>("voxels", input.voxel_count());
    for (const std::vector<float>& component : input.k) {
        writer.put_floats(component);
    }
    for (const std::vector<float>& component : input.r) {
        writer.put_floats(component);
    }
    writer.put_complex(input.phi);
    writer.put_complex(input.kspace);
    writer.finish(path);
}

std::vector<cfloat> read_parboil_output(const std::string& path) {
    Reader reader(path);
    const Index count = reader.take_count("voxels");
    const Index bytes = Index{sizeof(std::uint32_t)} + 2 * Index{sizeof(float)} * count;
    if (reader.byte_count() != bytes) {
        throw reader.wrong_size(fmt::format("{} voxels", count), fmt::format("{}", bytes));
    }
    return reader.take_complex("the real part", "the imaginary part", count);
}

void write_parboil_output(const std::string& path, const std::vector<cfloat>& values) {
    Writer writer;
    writer.put_count<std::uint32_t>("voxels", static_cast<Index>(values.size()));
    writer.put_complex(values);
    writer.finish(path);
}

}  // namespace recon
