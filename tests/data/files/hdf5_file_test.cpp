#include "data/files/hdf5_file.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/base/error.hpp"
#include "data/files/atomic_output.hpp"
#include "data/files/hdf5_handle.hpp"
#include "data/files/hdf5_types.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/file_contents.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

using test::expect_error;
using Texts = std::vector<std::string>;

class Hdf5FileTest : public ::testing::Test {
protected:
    test::TemporaryFolder folder;
    std::string path = folder / "a.h5";
};

TEST_F(Hdf5FileTest, WhatIsWrittenIsRead) {
    const std::vector<cfloat> complex{{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}, {11, 12}};
    const std::vector<double> reals{0.1, -2, 1e300};
    const Texts texts{"", "k-space", "μ"};
    {
        H5File file = H5File::create(path);
        file.write("/deep/below/complex", {2, 3}, complex);
        file.write("/reals", reals);
        file.write("/integers", std::vector<Index>{Index{1} << 40, -1});
        file.write("/texts", texts);
        file.write("/empty", std::vector<float>{});
        file.write("/one", {}, std::vector{2.5});
        file.create_group("/group");
        file.write_attribute("/group", "name", "value");
        file.write_attribute("/deep/below/complex", "axes", Texts{"y", "x"});
        file.write_attribute("/", "version", 1);
        file.write_attribute("/", "voxel_size_mm", std::vector<double>{1, 2, 3});
        file.close();
    }
    const H5File file = H5File::open(path);
    EXPECT_EQ(file.read<cfloat>("/deep/below/complex"), complex);
    EXPECT_EQ(file.read<cdouble>("/deep/below/complex")[5], cdouble(11, 12));
    EXPECT_EQ(file.read_rows<cfloat>("/deep/below/complex", 1, 1), (std::vector<cfloat>{{7, 8}, {9, 10}, {11, 12}}));
    EXPECT_EQ(file.read<double>("/reals"), reals);
    EXPECT_EQ(file.read<cdouble>("/reals")[1], cdouble(-2));
    EXPECT_EQ(file.read<Index>("/integers")[0], Index{1} << 40);
    EXPECT_EQ(file.read<double>("/integers")[1], -1);
    EXPECT_EQ(file.read<std::string>("/texts"), texts);
    EXPECT_TRUE(file.read<float>("/empty").empty());
    EXPECT_EQ(file.read<double>("/one"), std::vector<double>{2.5});
    EXPECT_EQ(file.read_attribute_scalar<std::string>("/group", "name"), "value");
    EXPECT_EQ(file.read_attribute<std::string>("/deep/below/complex", "axes"), (Texts{"y", "x"}));
    EXPECT_EQ(file.read_attribute_scalar<Index>("/", "version"), 1);
    EXPECT_EQ(file.names_in("/"), (Texts{"deep", "empty", "group", "integers", "one", "reals", "texts"}));
    EXPECT_EQ(file.attribute_names("/"), (Texts{"version", "voxel_size_mm"}));
    EXPECT_TRUE(file.has_group("/deep/below"));
    EXPECT_FALSE(file.has_dataset("/deep/below"));
    EXPECT_FALSE(file.has_dataset("/deep/above/complex"));
    EXPECT_EQ(file.dataset_info("/deep/below/complex").text(), "complex64 [2, 3]");
}

TEST_F(Hdf5FileTest, OtherNamesOfComplexMembersAreRead) {
    const cfloat value(3, -4);
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(cfloat));
    H5Tinsert(type, "real", 0, H5T_NATIVE_FLOAT);
    H5Tinsert(type, "imag", sizeof(float), H5T_NATIVE_FLOAT);
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t dataset = H5Dcreate2(file, "z", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value);
    H5Dclose(dataset);
    H5Sclose(space);
    H5Tclose(type);
    H5Fclose(file);
    EXPECT_EQ(H5File::open(path).read<cdouble>("/z"), std::vector<cdouble>{cdouble(3, -4)});
}

/// As converters of raw data write them, which keep the integers of the scanner.
TEST_F(Hdf5FileTest, ComplexNumbersOfIntegersAreRead) {
    const std::array<std::int16_t, 4> values{3, -4, 32767, -32768};
    H5Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    const H5Handle type = h5_complex_type(H5T_NATIVE_INT16, "r", "i");
    const hsize_t count = 2;
    const H5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    H5Handle dataset(H5Dcreate2(file, "z", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
    H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    dataset.close();
    file.close();
    EXPECT_EQ(H5File::open(path).read<cfloat>("/z"), (std::vector<cfloat>{{3, -4}, {32767, -32768}}));
}

TEST_F(Hdf5FileTest, ErrorsNameFileObjectFoundAndExpected) {
    {
        H5File file = H5File::create(path);
        file.write("/complex", {2}, std::vector<cfloat>{1, 2});
        file.write_attribute("/", "two", std::vector<double>{1, 2});
    }
    const H5File file = H5File::open(path);
    expect_error<InputError>([&] { file.read<float>("/complex"); },
                             {path, "/complex", "complex64 [2]", "expected real numbers"});
    expect_error<InputError>([&] { file.read<std::string>("/complex"); }, {"expected text"});
    expect_error<InputError>([&] { file.read<float>("/none"); }, {path, "no dataset /none"});
    expect_error<InputError>([&] { file.read_rows<cfloat>("/complex", 1, 2); }, {"rows 1 to 2"});
    expect_error<InputError>([&] { file.read_attribute<double>("/", "none"); }, {"no attribute none"});
    expect_error<InputError>([&] { file.read_attribute_scalar<double>("/", "two"); }, {"2 values, expected 1"});
    H5File out = H5File::create(folder / "b.h5");
    EXPECT_THROW(out.write("/x", {3}, std::vector<float>{1, 2}), ShapeError);
    out.write("/x", std::vector<float>{1});
    expect_error<InputError>([&] { out.write("/x", std::vector<float>{1}); }, {"b.h5", "/x", "exists"});
}

TEST_F(Hdf5FileTest, UnreadableFilesAreInputErrors) {
    expect_error<InputError>([&] { H5File::open(folder / "none.h5"); }, {"none.h5", "no such file"});
    std::ofstream(folder / "text.h5") << "not HDF5";
    expect_error<InputError>([&] { H5File::open(folder / "text.h5"); }, {"text.h5", "not an HDF5 file"});
    EXPECT_FALSE(H5File::looks_like_hdf5(folder.path()));
    {
        H5File file = H5File::create(path);
        file.write("/x", std::vector<double>(1000));
    }
    std::filesystem::resize_file(path, 3000);
    EXPECT_TRUE(H5File::looks_like_hdf5(path));
    expect_error<InputError>([&] { H5File::open(path); }, {path, "truncated"});
    expect_error<InputError>([&] { H5File::create(folder / "no/such/folder.h5"); }, {"folder.h5"});
}

TEST_F(Hdf5FileTest, ClaimedSizesBeyondTheFileAreRefused) {
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t chunked = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t chunk[] = {16};
    H5Pset_chunk(chunked, 1, chunk);
    for (const auto& [name, extent] : {std::pair<const char*, hsize_t>{"large", hsize_t{1} << 32},
                                       {"absurd", hsize_t{1} << 40},
                                       {"overflow", hsize_t{1} << 62}}) {
        const hid_t space = H5Screate_simple(1, &extent, nullptr);
        H5Dclose(H5Dcreate2(file, name, H5T_NATIVE_FLOAT, space, H5P_DEFAULT, chunked, H5P_DEFAULT));
        H5Sclose(space);
    }
    H5Pclose(chunked);
    H5Fclose(file);
    const H5File opened = H5File::open(path);
    for (const char* name : {"/large", "/absurd", "/overflow"}) {
        expect_error<InputError>([&] { opened.read<cfloat>(name); }, {path, name, "damaged"});
    }
}

TEST_F(Hdf5FileTest, HoldsTheSameBytesWheneverItIsWritten) {
    const auto written = [&] {
        H5File file = H5File::create(path);
        file.write("/group/numbers", std::vector<double>{1, 2});
        file.write_attribute("/group", "name", "value");
        file.close();
        return test::contents_of(path);
    };
    const std::string first = written();
    const std::time_t now = std::time(nullptr);
    while (std::time(nullptr) < now + 1) {  // HDF5 keeps times in seconds
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    EXPECT_EQ(written(), first);
}

TEST_F(Hdf5FileTest, OutputAppearsWhenCommittedOnly) {
    std::ofstream(path) << "before";
    const auto content = [&] { return test::contents_of(path); };
    const auto file_count = [&] { return std::distance(std::filesystem::directory_iterator(folder.path()), {}); };
    {
        const AtomicOutput abandoned(path);
        std::ofstream(abandoned.temporary_path()) << "half";
        EXPECT_EQ(file_count(), 2);
    }
    EXPECT_EQ(content(), "before");
    EXPECT_EQ(file_count(), 1);
    AtomicOutput output(path);
    std::ofstream(output.temporary_path()) << "after";
    EXPECT_EQ(content(), "before");
    output.commit();
    EXPECT_EQ(content(), "after");
    EXPECT_EQ(file_count(), 1);
}

TEST_F(Hdf5FileTest, OutputFollowsLinksAndRefusesFolders) {
    std::ofstream(folder / "target") << "before";
    std::filesystem::create_symlink("target", folder / "link");
    AtomicOutput output(folder / "link");
    std::ofstream(output.temporary_path()) << "after";
    output.commit();
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
    EXPECT_EQ(std::filesystem::file_size(folder / "target"), 5);
    expect_error<InputError>([&] { AtomicOutput(folder.path()); }, {"is a folder"});
    expect_error<InputError>([&] { AtomicOutput(folder / "none/a.h5"); }, {"none", "does not exist"});
    AtomicOutput("/dev/null").commit();
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

/// Every byte of an object's header wrong in turn: the object is read, or said to be unreadable, never taken for
/// absent.
TEST_F(Hdf5FileTest, ADamagedDatasetIsNotAnAbsentOne) {
    haddr_t address = 0;
    {
        H5File file = H5File::create(path);
        file.write("/coil_maps", std::vector<float>(100, 1));
        H5O_info_t info{};
        ASSERT_GE(H5Oget_info_by_name(file.id(), "/coil_maps", &info, H5P_DEFAULT), 0);
        address = info.addr;
        file.close();
    }
    for (haddr_t byte = address; byte < address + 8; ++byte) {
        const std::string damaged = folder / "damaged.h5";
        std::filesystem::copy_file(path, damaged, std::filesystem::copy_options::overwrite_existing);
        std::fstream stream(damaged, std::ios::in | std::ios::out | std::ios::binary);
        stream.seekp(static_cast<std::streamoff>(byte));
        stream.put('\x5a');
        stream.close();
        const H5File file = H5File::open(damaged);
        try {
            EXPECT_TRUE(file.has_dataset("/coil_maps")) << "byte " << byte - address;
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find("/coil_maps"), std::string::npos) << error.what();
        }
    }
}

/// HDF5 then leaves the memory as it was, which holds what others have left there.
TEST_F(Hdf5FileTest, WhatWasNeverWrittenAndHasNoFillValueIsZero) {
    constexpr hsize_t count = 1000;
    {
        const H5Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
        const H5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
        const H5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        H5Pset_fill_value(creation, H5T_NATIVE_DOUBLE, nullptr);
        H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
        const H5Handle dataset(H5Dcreate2(file, "never", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT),
                               H5Dclose);
    }
    const H5File file = H5File::open(path);
    for (int again = 0; again < 3; ++again) {
        std::vector<double> values = file.read<double>("/never");
        EXPECT_EQ(values, std::vector<double>(count, 0.0));
        std::ranges::fill(values, 7.0);  // for the next to find
    }
}

/// A datatype of a version that came after the library, as h5py writes it with libver="latest".
TEST_F(Hdf5FileTest, NewerFormsAreToldSo) {
    {
        H5File file = H5File::create(path);
        file.write("/reals", std::vector<double>{1, 2});
        file.close();
    }
    std::fstream bytes(path, std::ios::in | std::ios::out | std::ios::binary);
    std::string all(std::istreambuf_iterator<char>(bytes), {});
    const std::size_t at = all.find(std::string("\x11\x20\x3f\x00\x08\x00", 6));  // version 1, floating, 8 bytes
    ASSERT_NE(at, std::string::npos);
    bytes.seekp(static_cast<std::streamoff>(at));
    bytes.put('\x51');
    bytes.close();
    expect_error<InputError>([&] { H5File::open(path).read<double>("/reals"); },
                             {path, "/reals", "newer form of HDF5", "h5repack", "libver"});
}

TEST_F(Hdf5FileTest, ErrorsAreOneLine) {
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit nothing{0, before.rlim_max};
    H5File file = H5File::create(path);
    setrlimit(RLIMIT_FSIZE, &nothing);
    std::string line;
    try {
        file.write("/large", std::vector<double>(1 << 18, 1));
    } catch (const InputError& error) {
        line = error.what();
    }
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_NE(line.find("failed: File too large"), std::string::npos) << line;
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
}

}  // namespace
}  // namespace recon
