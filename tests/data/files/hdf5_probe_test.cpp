#include "data/files/hdf5_probe.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <filesystem>
#include <fstream>

#include "core/base/error.hpp"
#include "data/files/hdf5_file.hpp"
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
