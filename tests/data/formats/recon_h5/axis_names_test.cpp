#include "data/formats/recon_h5/axis_names.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>

#include "core/base/error.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

const std::vector<std::string> axes{"readout", "sample"};

/// A file with a dataset of that shape, of which nothing was written.
void make_file(const std::string& path, const std::vector<hsize_t>& extents) {
    const std::vector<hsize_t> chunk(extents.size(), 1);
    const int rank = static_cast<int>(extents.size());
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(rank, extents.data(), nullptr);
    const hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(layout, rank, chunk.data());
    const hid_t dataset = H5Dcreate2(file, "kspace", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, layout, H5P_DEFAULT);
    ASSERT_GE(dataset, 0);
    H5Dclose(dataset);
    H5Pclose(layout);
    H5Sclose(space);
    H5Fclose(file);
}

void expect_refused(const std::string& path, const std::string& part) {
    const H5File file = H5File::open(path);
    test::expect_error<InputError>([&] { NamedAxes(file, "/kspace", axes, {{"sample"}, axes}); }, {part});
}

TEST(NamedAxesOfDatasets, AreCountedBeforeTheyAreMultiplied) {
    const test::TemporaryFolder folder;
    make_file(folder / "a.h5", {3, hsize_t{1} << 62});
    expect_refused(folder / "a.h5", "more elements than can be counted");
    make_file(folder / "b.h5", {3, hsize_t{1} << 40});
    expect_refused(folder / "b.h5", "claims to be");
    make_file(folder / "c.h5", {3, 0});
    expect_refused(folder / "c.h5", "is empty");
}

}  // namespace
}  // namespace recon
