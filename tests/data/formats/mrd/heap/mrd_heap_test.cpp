#include "data/formats/mrd/heap/mrd_heap.hpp"

#include <gtest/gtest.h>
#include <ismrmrd/dataset.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/base/error.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/files/hdf5_handle.hpp"
#include "data/formats/mrd/mrd_hdf5_acquisitions.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/file_contents.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

using test::expect_error;

/// How a table of numbers of variable length is stored.
struct TableStorage {
    hsize_t chunk_rows = 1;
    bool deflate = false;
    hid_t number = H5T_IEEE_F32LE;
    hsize_t user_block_bytes = 0;
};

class MrdHeapTest : public ::testing::Test {
protected:
    /// Lengths from none to some that fill a collection of their own.
    static std::size_t length_of(std::size_t row) { return row % 7 == 3 ? 0 : row % 5 == 4 ? 900 + row : 1 + row % 60; }
    static float number_of(std::size_t row, std::size_t i) { return static_cast<float>(1000 * row + i); }
    static constexpr std::size_t row_count = 500;

    void write(const TableStorage& storage) const {
        std::filesystem::remove(path);
        const H5Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
        H5Pset_userblock(creation, storage.user_block_bytes);
        const H5Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, H5P_DEFAULT), H5Fclose);
        const H5Handle stored = row_type(storage.number);
        const std::array<hsize_t, 2> extents{row_count, 1};
        const std::array<hsize_t, 2> chunk{storage.chunk_rows, 1};
        const H5Handle space(H5Screate_simple(2, extents.data(), nullptr), H5Sclose);
        const H5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        H5Pset_chunk(properties, 2, chunk.data());
        if (storage.deflate) {
            H5Pset_deflate(properties, 1);
        }
        const H5Handle dataset(H5Dcreate2(file, "/table", stored, space, H5P_DEFAULT, properties, H5P_DEFAULT),
                               H5Dclose);
        std::vector<std::vector<float>> numbers(row_count);
        std::vector<Row> rows(row_count);
        for (std::size_t row = 0; row < row_count; ++row) {
            for (std::size_t i = 0; i < length_of(row); ++i) {
                numbers[row].push_back(number_of(row, i));
            }
            rows[row] = {static_cast<float>(row), {numbers[row].size(), numbers[row].data()}};
        }
        ASSERT_GE(H5Dwrite(dataset, row_type(H5T_NATIVE_FLOAT), H5S_ALL, H5S_ALL, H5P_DEFAULT, rows.data()), 0);
    }

    /// @return false if it was left to HDF5; else the numbers are right, each row's
    bool visit(const std::vector<Index>& wanted, std::size_t one_more_in_row = row_count) const {
        const H5File file = H5File::open(path);
        std::vector<std::size_t> counts;
        for (const Index row : wanted) {
            const auto i = static_cast<std::size_t>(row);
            counts.push_back(length_of(i) + (i == one_more_in_row ? 1 : 0));
        }
        std::vector<std::vector<float>> read(wanted.size());
        const bool straight =
            MrdHeap(file, "/table", "data").visit(wanted, counts, [&](std::size_t row, std::span<const float> numbers) {
                read[row].assign(numbers.begin(), numbers.end());
            });
        for (std::size_t i = 0; straight && i < wanted.size(); ++i) {
            const auto row = static_cast<std::size_t>(wanted[i]);
            EXPECT_EQ(read[i].size(), length_of(row));
            for (std::size_t n = 0; n < read[i].size(); ++n) {
                EXPECT_EQ(read[i][n], number_of(row, n)) << row;
            }
        }
        return straight;
    }

    static std::vector<Index> all_rows() {
        std::vector<Index> rows(row_count);
        for (std::size_t i = 0; i < row_count; ++i) {
            rows[i] = static_cast<Index>(i);
        }
        return rows;
    }

    test::TemporaryFolder folder;
    std::string path = folder / "a.h5";

private:
    struct Row {
        float other;
        hvl_t data;
    };
    static H5Handle row_type(hid_t number) {
        const H5Handle numbers(H5Tvlen_create(number), H5Tclose);
        H5Handle type(H5Tcreate(H5T_COMPOUND, sizeof(Row)), H5Tclose);
        H5Tinsert(type, "other", offsetof(Row, other), number);
        H5Tinsert(type, "data", offsetof(Row, data), numbers);
        return type;
    }
};

TEST_F(MrdHeapTest, RowsOfAnyLengthAreRead) {
    for (const hsize_t chunk_rows : {1, 7, 500}) {
        write({.chunk_rows = chunk_rows});
        EXPECT_TRUE(visit(all_rows()));
        EXPECT_TRUE(visit({0, 4, 5, 17, 18, 333, 499}));
        EXPECT_TRUE(visit({3}));
        EXPECT_TRUE(visit({}));
    }
}

TEST_F(MrdHeapTest, OtherTablesAreLeftToHdf5) {
    for (const TableStorage& storage :
         {TableStorage{.deflate = true}, TableStorage{.number = H5T_IEEE_F32BE}, TableStorage{.number = H5T_IEEE_F64LE},
          TableStorage{.user_block_bytes = 512}}) {
        write(storage);
        EXPECT_FALSE(visit(all_rows()));
    }
}

TEST_F(MrdHeapTest, ARowOfAnotherLengthThanAnnouncedIsLeftToHdf5) {
    write({});
    EXPECT_FALSE(visit(all_rows(), 2));
    EXPECT_FALSE(visit(all_rows(), 3)) << "a row without numbers";
    EXPECT_FALSE(visit(all_rows(), 499)) << "a row with a collection of its own";
}

TEST_F(MrdHeapTest, AnErrorOfTheVisitorArrives) {
    write({});
    const H5File file = H5File::open(path);
    const std::vector<Index> rows{0};
    const std::vector<std::size_t> counts{length_of(0)};
    EXPECT_THROW(MrdHeap(file, "/table", "data")
                     .visit(rows, counts, [](std::size_t, std::span<const float>) { throw InputError("no"); }),
                 InputError);
}

/// Many acquisitions as libismrmrd writes them, past the size from which threads share the work.
class MrdManyAcquisitions : public ::testing::Test {
protected:
    static constexpr int count = 2000;
    static std::uint16_t samples_of(int i) { return static_cast<std::uint16_t>(i % 3 == 0 ? 5 : 120); }

    void SetUp() override {
        ISMRMRD::Dataset dataset(path.c_str(), "dataset", true);
        for (int i = 0; i < count; ++i) {
            ISMRMRD::Acquisition acquisition(samples_of(i), 4, 2);
            for (std::uint16_t s = 0; s < samples_of(i); ++s) {
                acquisition.traj(0, s) = static_cast<float>(i);
                acquisition.traj(1, s) = static_cast<float>(s);
                for (std::uint16_t c = 0; c < 4; ++c) {
                    acquisition.data(s, c) = cfloat(static_cast<float>(i), static_cast<float>(1000 * c + s));
                }
            }
            dataset.appendAcquisition(acquisition);
        }
    }

    test::TemporaryFolder folder;
    std::string path = folder / "scan.h5";
};

TEST_F(MrdManyAcquisitions, AreAllReadInTheirPlaces) {
    const H5File file = H5File::open(path);
    const MrdHdf5Acquisitions acquisitions(file, "/dataset/data");
    std::vector<Index> wanted;
    for (Index i = 0; i < count; i += i % 4 == 0 ? 1 : 2) {
        wanted.push_back(i);
    }
    std::vector<int> wrong(wanted.size(), 1);
    acquisitions.visit(wanted, MrdAcquisitions::Part::data,
                       [&](std::size_t place, std::span<const float> trajectory, std::span<const cfloat> data) {
                           const int i = static_cast<int>(wanted[place]);
                           const std::size_t samples = samples_of(i);
                           wrong[place] = trajectory.empty() && data.size() == 4 * samples ? 0 : 1;
                           for (std::size_t n = 0; n < data.size(); ++n) {
                               const cfloat expected(static_cast<float>(i),
                                                     static_cast<float>(1000 * (n / samples) + n % samples));
                               wrong[place] += data[n] == expected ? 0 : 1;
                           }
                       });
    EXPECT_EQ(std::count(wrong.begin(), wrong.end(), 0), std::ssize(wanted));
    acquisitions.visit(wanted, MrdAcquisitions::Part::trajectory,
                       [&](std::size_t place, std::span<const float> trajectory, std::span<const cfloat> data) {
                           const int i = static_cast<int>(wanted[place]);
                           wrong[place] = data.empty() && trajectory.size() == std::size_t{2} * samples_of(i) ? 0 : 1;
                           for (std::size_t n = 0; n < trajectory.size(); ++n) {
                               const auto expected = static_cast<float>(n % 2 == 0 ? i : static_cast<int>(n / 2));
                               wrong[place] += trajectory[n] == expected ? 0 : 1;
                           }
                       });
    EXPECT_EQ(std::count(wrong.begin(), wrong.end(), 0), std::ssize(wanted));
}

TEST_F(MrdManyAcquisitions, AFileThatEndsTooEarlyOrIsDamagedIsRefused) {
    const auto read = [](const MrdAcquisitions& acquisitions) {
        const std::vector<Index> all = [] {
            std::vector<Index> rows(count);
            std::generate(rows.begin(), rows.end(), [i = Index{0}]() mutable { return i++; });
            return rows;
        }();
        acquisitions.visit(all, MrdAcquisitions::Part::data,
                           [](std::size_t, std::span<const float>, std::span<const cfloat>) {});
    };
    std::string bytes = test::contents_of(path);
    const std::size_t late_collection = bytes.rfind("GCOL");
    ASSERT_NE(late_collection, std::string::npos);
    bytes[late_collection] = 'X';
    const std::string damaged = folder / "damaged.h5";
    std::ofstream(damaged, std::ios::binary) << bytes;
    const H5File damaged_file = H5File::open(damaged);
    const MrdHdf5Acquisitions damaged_acquisitions(damaged_file, "/dataset/data");
    expect_error<InputError>([&] { read(damaged_acquisitions); }, {damaged, "reading acquisitions", "/dataset/data"});

    const H5File file = H5File::open(path);
    const MrdHdf5Acquisitions acquisitions(file, "/dataset/data");
    std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
    expect_error<InputError>([&] { read(acquisitions); }, {path, "/dataset/data"});
}

}  // namespace
}  // namespace recon
