#include "data/files/hdf5_reading/hdf5_straight_read.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/base/cancel.hpp"
#include "core/base/error.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/files/hdf5_reading/hdf5_read_there.hpp"
#include "data/files/hdf5_there.hpp"
#include "data/files/hdf5_types.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

using test::expect_error;

/// How a dataset of complex numbers is stored.
struct Storage {
    std::vector<hsize_t> chunk = {};  ///< empty: contiguous
    bool shuffle = false;
    bool deflate = false;
    bool checksum = false;
    bool big_endian = false;
    hsize_t user_block_bytes = 0;
    bool complete = true;  ///< else only the first row is written
};

class Hdf5StraightRead : public ::testing::Test {
protected:
    /// Rows 0, 1, ... of numbers that differ and compress a little. Extents are odd, and no multiples of the chunks.
    static const std::vector<Index>& extents() {
        static const std::vector<Index> extents{6, 301, 103};
        return extents;
    }
    static Index row_size() { return extents()[1] * extents()[2]; }
    static const std::vector<cfloat>& values() {
        static const std::vector<cfloat> values = [] {
            std::vector<cfloat> v(static_cast<std::size_t>(extents()[0] * row_size()));
            for (std::size_t i = 0; i < v.size(); ++i) {
                v[i] = {static_cast<float>(i % 9973), -static_cast<float>(i) / 7};
            }
            return v;
        }();
        return values;
    }

    void write(const Storage& storage) const {
        std::filesystem::remove(path);
        const H5Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
        H5Pset_userblock(creation, storage.user_block_bytes);
        const H5Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, H5P_DEFAULT), H5Fclose);
        const std::vector<hsize_t> dimensions(extents().begin(), extents().end());
        const H5Handle space(H5Screate_simple(3, dimensions.data(), nullptr), H5Sclose);
        const H5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        if (!storage.chunk.empty()) {
            H5Pset_chunk(properties, 3, storage.chunk.data());
        }
        if (storage.shuffle) {
            H5Pset_shuffle(properties);
        }
        if (storage.deflate) {
            H5Pset_deflate(properties, 4);
        }
        if (storage.checksum) {
            H5Pset_fletcher32(properties);
        }
        const H5Handle type = h5_complex_type(storage.big_endian ? H5T_IEEE_F32BE : H5T_IEEE_F32LE, "r", "i");
        const H5Handle dataset(H5Dcreate2(file, "/numbers", type, space, H5P_DEFAULT, properties, H5P_DEFAULT),
                               H5Dclose);
        if (!storage.complete) {
            const std::vector<hsize_t> start(3, 0);
            const std::vector<hsize_t> block{1, dimensions[1], dimensions[2]};
            H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr);
        }
        const hsize_t count = static_cast<hsize_t>((storage.complete ? extents()[0] : 1) * row_size());
        const H5Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
        ASSERT_GE(H5Dwrite(dataset, h5_memory_type<cfloat>(), memory, space, H5P_DEFAULT, values().data()), 0);
    }

    /// Whether HDF5 is not needed; what was read is right then.
    bool is_read_straight(Index first = 0, Index count = 6) const {
        std::vector<cfloat> read(static_cast<std::size_t>(count * row_size()));
        const bool straight = read_straight(H5File::open(path), {first, count, extents()}, read);
        if (straight) {
            EXPECT_TRUE(std::equal(read.begin(), read.end(), values().begin() + first * row_size()));
        }
        return straight;
    }

    static bool read_straight(const H5File& file, const Hdf5Rows& rows, std::vector<cfloat>& to) {
        const Hdf5Stored stored = call_there(file, dataset_look_there, "/numbers").stored;
        return read_hdf5_straight(file, "/numbers", stored, rows, sizeof(cfloat),
                                  reinterpret_cast<std::byte*>(to.data()));
    }

    void expect_values() const {
        const H5File file = H5File::open(path);
        EXPECT_TRUE(file.read<cfloat>("/numbers") == values());
        for (const auto& [first, count] : {std::pair<Index, Index>{0, 1}, {1, 4}, {3, 2}, {4, 1}}) {
            const std::vector<cfloat> rows = file.read_rows<cfloat>("/numbers", first, count);
            ASSERT_EQ(static_cast<Index>(rows.size()), count * row_size());
            EXPECT_TRUE(std::equal(rows.begin(), rows.end(), values().begin() + first * row_size())) << first;
        }
        const std::vector<cfloat> within = file.read_rows<cfloat>("/numbers", 20, 200, 3);
        const auto begin = values().begin() + 3 * row_size() + 20 * extents()[2];
        EXPECT_TRUE(std::equal(within.begin(), within.end(), begin, begin + 200 * extents()[2]));
        const std::vector<cdouble> wide = file.read<cdouble>("/numbers");
        EXPECT_TRUE(std::equal(wide.begin(), wide.end(), values().begin(),
                               [](const cdouble& a, const cfloat& b) { return a == cdouble(b); }));
    }

    void damage(Index from_end, const std::string& bytes) const {
        std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
        file.seekp(-from_end, std::ios::end);
        file.write(bytes.data(), static_cast<Index>(bytes.size()));
    }

    test::TemporaryFolder folder;
    std::string path = folder / "a.h5";
};

TEST_F(Hdf5StraightRead, EveryLayoutGivesTheSameNumbers) {
    const std::vector<hsize_t> tile{2, 64, 50};
    const std::vector<hsize_t> whole{6, 301, 103};
    for (const Storage& storage :
         {Storage{}, Storage{.user_block_bytes = 1024}, Storage{.chunk = tile}, Storage{.chunk = {1, 1, 103}},
          Storage{.chunk = whole, .deflate = true}, Storage{.chunk = tile, .deflate = true},
          Storage{.chunk = tile, .shuffle = true}, Storage{.chunk = tile, .shuffle = true, .deflate = true}}) {
        write(storage);
        EXPECT_TRUE(is_read_straight());
        EXPECT_TRUE(is_read_straight(1, 5));
        expect_values();
    }
}

TEST_F(Hdf5StraightRead, EndsOnRequest) {
    CancelSource source;
    const CancelToken token(source);
    const CancelBinding bound(token);
    for (const Storage& storage : {Storage{}, Storage{.chunk = {2, 64, 50}}}) {
        write(storage);
        EXPECT_TRUE(is_read_straight());
    }
    source.request();
    for (const Storage& storage : {Storage{}, Storage{.chunk = {2, 64, 50}}}) {
        write(storage);
        EXPECT_THROW(is_read_straight(), Cancelled);
    }
}

TEST_F(Hdf5StraightRead, WhatHasToBeConvertedOrCheckedIsLeftToHdf5) {
    const std::vector<hsize_t> tile{2, 64, 50};
    for (const Storage& storage : {Storage{.big_endian = true}, Storage{.chunk = tile, .big_endian = true},
                                   Storage{.chunk = tile, .checksum = true}}) {
        write(storage);
        EXPECT_FALSE(is_read_straight());
        expect_values();
    }
}

TEST_F(Hdf5StraightRead, WhatWasNeverWrittenIsZero) {
    const Storage row_by_row{.chunk = {1, 301, 103}, .complete = false};
    write(row_by_row);
    EXPECT_FALSE(is_read_straight());
    const std::vector<cfloat> read = H5File::open(path).read<cfloat>("/numbers");
    EXPECT_TRUE(std::equal(read.begin(), read.begin() + row_size(), values().begin()));
    EXPECT_TRUE(std::all_of(read.begin() + row_size(), read.end(), [](const cfloat& v) { return v == cfloat(0); }));
}

TEST_F(Hdf5StraightRead, AFileThatIsStillOpenForWritingIsLeftToHdf5) {
    H5File file = H5File::create(path);
    file.write("/numbers", extents(), values());
    std::vector<cfloat> read(values().size());
    EXPECT_FALSE(read_straight(file, {0, extents()[0], extents()}, read));
    EXPECT_TRUE(file.read<cfloat>("/numbers") == values());
}

TEST_F(Hdf5StraightRead, AFileThatEndsTooEarlyIsLeftToHdf5) {
    write({});
    const H5File file = H5File::open(path);
    std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
    std::vector<cfloat> read(values().size());
    EXPECT_FALSE(read_straight(file, {0, extents()[0], extents()}, read));
}

TEST_F(Hdf5StraightRead, DeflatedNumbersThatAreDamagedAreRefused) {
    write({.chunk = {6, 301, 103}, .deflate = true});
    damage(static_cast<Index>(std::filesystem::file_size(path)) / 2, std::string(64, '\xff'));
    EXPECT_FALSE(is_read_straight());
    expect_error<InputError>([&] { H5File::open(path).read<cfloat>("/numbers"); }, {path, "reading dataset /numbers"});
}

}  // namespace
}  // namespace recon
