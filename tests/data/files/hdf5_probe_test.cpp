#include "data/files/hdf5_probe.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>

#include "core/base/error.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/files/hdf5_handle.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

using test::expect_error;

class Hdf5Probe : public ::testing::Test {
protected:
    template <class Fill>
    void make(const Fill& fill) const {
        H5File file = H5File::create(path);
        file.write("/plain", std::vector<float>{1, 2});
        fill(file);
        file.close();
    }
    void expect_refused(const std::vector<std::string>& parts) const {
        expect_error<InputError>([&] { H5File::open(path); }, parts);
    }

    test::TemporaryFolder folder;
    const std::string path = folder / "a.h5";
};

TEST_F(Hdf5Probe, WhatIsUsualIsTaken) {
    make([&](H5File& file) {
        file.write("/group/texts", std::vector<std::string>{"a", "longer"});
        file.write_attribute("/plain", "unit", std::string("1/m"));
        file.write("/large", std::vector<double>(300'000, 1));
        H5Lcreate_soft("/plain", file.id(), "/also", H5P_DEFAULT, H5P_DEFAULT);
        H5Lcreate_soft("/nothing", file.id(), "/nowhere", H5P_DEFAULT, H5P_DEFAULT);
        H5Lcreate_hard(file.id(), "/group", file.id(), "/same", H5P_DEFAULT, H5P_DEFAULT);
    });
    EXPECT_TRUE(H5File::open(path).has_dataset("/also"));
    EXPECT_TRUE(H5File::open(path).has_dataset("/same/texts"));
}

TEST_F(Hdf5Probe, ACircleIsRefusedWhereverItIs) {
    make([&](H5File& file) {
        file.create_group("/a/b");
        H5Lcreate_hard(file.id(), "/a", file.id(), "/a/b/again", H5P_DEFAULT, H5P_DEFAULT);
    });
    expect_refused({"a.h5", "in a circle", "/a/b/again"});
}

TEST_F(Hdf5Probe, DepthIsLimited) {
    make([&](H5File& file) {
        std::string deep;
        for (int level = 0; level < 300; ++level) {
            deep += "/g";
        }
        file.create_group(deep);
    });
    expect_refused({"a.h5", "deeper than 32 levels"});
}

/// Also where nobody looks for it: a name that is given on the command line is opened without looking first.
TEST_F(Hdf5Probe, LinksIntoOtherFilesAreRefused) {
    make([&](H5File& file) {
        H5Lcreate_external("other.h5", "/secret", file.id(), "/outside", H5P_DEFAULT, H5P_DEFAULT);
    });
    expect_refused({"a.h5", "/outside", "link into another file"});
}

TEST_F(Hdf5Probe, NumbersInOtherFilesAreRefused) {
    const hsize_t extent = 4;
    for (const bool is_virtual : {false, true}) {
        make([&](H5File& file) {
            const hid_t properties = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &extent, nullptr);
            ASSERT_GE(is_virtual ? H5Pset_virtual(properties, space, "other.h5", "/secret", space)
                                 : H5Pset_external(properties, "/etc/passwd", 0, 16),
                      0);
            H5Dclose(H5Dcreate2(file.id(), "/stored", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, properties, H5P_DEFAULT));
            H5Sclose(space);
            H5Pclose(properties);
        });
        expect_refused({"a.h5", "/stored", "lie in other files"});
    }
}

/// A file of one chunk of 4 floats, with the bytes that the index of chunks says it has.
void write_with_chunk_bytes(const std::string& path, std::uint32_t bytes) {
    {
        const H5Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
        const hsize_t count = 4;
        const H5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
        const H5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        H5Pset_chunk(properties, 1, &count);
        const H5Handle dataset(
            H5Dcreate2(file, "chunked", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose);
        const std::array<float, 4> numbers{1, 2, 3, 4};
        H5Dwrite(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
    }
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    const std::string contents{std::istreambuf_iterator<char>(file), {}};
    const std::size_t node = contents.find(std::string("TREE\x01", 5));
    ASSERT_NE(node, std::string::npos);
    file.clear();
    file.seekp(static_cast<std::streamoff>(node + 24));  // the node's head, then the first key
    file.write(reinterpret_cast<const char*>(&bytes), sizeof(bytes));
}

TEST_F(Hdf5Probe, AChunkSmallerThanItsElementsIsRefused) {
    write_with_chunk_bytes(path, 16);
    EXPECT_EQ(H5File::open(path).read<float>("/chunked"), (std::vector<float>{1, 2, 3, 4}));
    write_with_chunk_bytes(path, 8);
    expect_refused({"a.h5", "/chunked", "8 bytes", "16", "damaged"});
}

TEST_F(Hdf5Probe, AFileThatHasChangedIsLookedAtAnew) {
    make([](H5File&) {});
    EXPECT_NO_THROW(H5File::open(path));
    make([&](H5File& file) {
        H5Lcreate_external("other.h5", "/secret", file.id(), "/outside", H5P_DEFAULT, H5P_DEFAULT);
    });
    expect_refused({"a.h5", "/outside"});
}

TEST_F(Hdf5Probe, OtherFilesAreNoneOfItsBusiness) {
    std::ofstream(path) << "text";
    EXPECT_NO_THROW(require_sound_hdf5(path));
    EXPECT_NO_THROW(require_sound_hdf5(folder / "missing"));
}

}  // namespace
}  // namespace recon
