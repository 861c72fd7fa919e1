// Coil maps of each slice in the scan's own file.
#include "data/reading/maps_of_slices.hpp"

#include <gtest/gtest.h>
#include <ismrmrd/dataset.h>

#include <limits>
#include <random>

#include "core/base/error.hpp"
#include "data/describe_scan.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/files/write_bytes.hpp"
#include "data/formats/mrd/mrd_writer.hpp"
#include "data/formats/npy/npy_array.hpp"
#include "data/formats/npy/zip_archive.hpp"
#include "data/reading/scan/frame_labels.hpp"
#include "data/reading/scan_reader.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/sample_scan.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

using test::expect_error;

TEST(MapsOfSlices, AreToldByTheSlowestAxis) {
    const std::vector<Index> of_one{4, 1, 6, 5};
    EXPECT_EQ(slices_of_maps({4, 6, 5}, of_one), 1);
    EXPECT_EQ(slices_of_maps({1, 4, 1, 6, 5}, of_one), 1);
    EXPECT_EQ(slices_of_maps({3, 4, 6, 5}, of_one), 3);
    EXPECT_EQ(slices_of_maps({1, 3, 4, 1, 6, 5}, of_one), 3);
    EXPECT_EQ(slices_of_maps({4, 3, 6, 5}, of_one), 0);
    EXPECT_EQ(slices_of_maps({2, 3, 4, 6, 5}, of_one), 0);
    EXPECT_EQ(slices_of_maps({4, 5, 6}, of_one), 0);
    EXPECT_EQ(slices_of_maps({}, of_one), 0);
}

/// As many sets as frames, which are of one slice by their labels: the frames are slices, and nobody has said so.
TEST(MapsOfSlices, AreNotTakenForFramesThatMayBeSlices) {
    Scan scan = test::sample_scan({.frames = 2});
    scan.path = "scan.npz";
    for (Frame& frame : scan.frames) {
        frame.label = {.repetition = &frame - scan.frames.data()};
    }
    const auto values_of = [&](std::size_t slices) {
        return std::vector<cfloat>(slices * static_cast<std::size_t>(scan.coil_count) *
                                   static_cast<std::size_t>(Shape::image(scan.geometry.matrix_size).element_count()));
    };
    expect_error<InputError>(
        [&] {
            take_coil_maps(scan, {.values = values_of(2), .slices = {0, 1}}, "maps.npy");
        },
        {"maps.npy: has coil maps of 2 slices, expected one set", "the 2 frames of scan.npz"});
    take_coil_maps(scan, {.values = values_of(3), .slices = {0, 1, 2}}, "maps.npy");
    EXPECT_EQ(scan.coil_maps.size(), values_of(1).size());
}

class MapsOfSlicesInAScan : public ::testing::TestWithParam<std::string> {
protected:
    static constexpr Index coil_count = 3, samples = 28;
    const std::vector<Index> extents_{3, coil_count, 3, 5, 6};  ///< as many slices as coils and partitions

    MapsOfSlicesInAScan() {
        scan_.coil_maps.clear();
        scan_.frames[0].label = {.slice = 0};
        scan_.frames[1].label = {.slice = 2};
        std::mt19937 random(5);
        std::uniform_real_distribution<float> uniform(-1, 1);
        for (Index i = 0; i < 3 * of_slice_; ++i) {
            maps_.emplace_back(uniform(random), uniform(random));
        }
    }
    /// The scan with these maps, [slice coil z y x].
    void write(const std::vector<Index>& extents, const std::vector<cfloat>& maps) const {
        if (GetParam() == "mrd") {
            write_mrd(scan_, path_);
            ISMRMRD::Dataset dataset(path_.c_str(), "dataset", true);
            ISMRMRD::NDArray<cfloat> array({extents.rbegin(), extents.rend()});
            std::copy(maps.begin(), maps.end(), array.begin());
            dataset.appendNDArray("csm", array);
            return;
        }
        std::vector<cfloat> kspace;
        for (const Frame& frame : scan_.frames) {
            kspace.insert(kspace.end(), frame.kspace.begin(), frame.kspace.end());
        }
        std::vector<double> positions;
        for (std::size_t s = 0; s < samples; ++s) {
            for (const std::vector<double>& k : scan_.frames[0].trajectory->k) {
                positions.push_back(k[s]);
            }
        }
        const std::vector<Index> of_kspace{2, coil_count, samples}, of_positions{samples, 3}, of_labels{2, 5};
        const std::vector<Index> labels = rows_of_labels(scan_.frames);
        if (GetParam() == "recon") {
            H5File file = H5File::create(path_);
            file.write("/kspace", of_kspace, kspace);
            file.write_attribute("/kspace", "axes", std::vector<std::string>{"frame", "coil", "sample"});
            file.write("/trajectory", of_positions, positions);
            file.write_attribute("/trajectory", "unit", std::string("cycles/FOV"));
            file.write("/frame_labels", of_labels, labels);
            file.write("/coil_maps", extents, maps);
            file.close();
            return;
        }
        write_bytes(path_, zip_bytes({{"kspace.npy", npy_bytes<cfloat>(of_kspace, kspace)},
                                      {"trajectory.npy", npy_bytes<double>(of_positions, positions)},
                                      {"trajectory_unit.npy", npy_text_bytes("cycles/FOV")},
                                      {"frame_labels.npy", npy_bytes<Index>(of_labels, labels)},
                                      {"coil_maps.npy", npy_bytes<cfloat>(extents, maps)}},
                                     path_));
    }
    static ScanReadOptions options() {
        ScanReadOptions options;
        if (GetParam() != "mrd") {  // a file of the others need not say it
            options.matrix_size = PerAxis<Index>{6, 5, 3};
        }
        return options;
    }
    void expect_refusal(const std::vector<Index>& extents, const std::vector<cfloat>& maps,
                        const std::vector<std::string>& parts) const {
        write(extents, maps);
        expect_error<InputError>([&] { read_scan(path_, options()); }, parts);
    }

    static constexpr Index voxel_count = 6 * 5 * 3;
    const Index of_slice_ = voxel_count * coil_count;
    Scan scan_ = test::sample_scan({.coils = coil_count, .frames = 2});
    test::TemporaryFolder folder_;
    std::string path_ = folder_ / (GetParam() == "npz" ? "scan.npz" : "scan.h5");
    std::vector<cfloat> maps_;
};

TEST_P(MapsOfSlicesInAScan, AreThoseOfItsFrames) {
    write(extents_, maps_);
    for (const char* const selection : {"slice=0-2", "slice=2"}) {
        for (const KspaceReading kspace : {KspaceReading::at_once, KspaceReading::on_demand, KspaceReading::in_parts}) {
            ScanReadOptions reading = options();
            reading.selection = FrameSelection(selection);
            reading.kspace = kspace;
            const Scan read = read_scan(path_, reading);
            EXPECT_EQ(read.coil_map_slices.size(), read.frames.size());
            ASSERT_EQ(std::ssize(read.coil_maps), std::ssize(read.frames) * of_slice_);
            const Index of_coil = std::ssize(read.frames) * voxel_count;
            for (const Frame& frame : read.frames) {
                for (Index coil = 0; coil < coil_count; ++coil) {
                    const auto found =
                        read.coil_maps.begin() + coil * of_coil + offset_of_coil_map(read, frame.label.slice);
                    const auto wanted = maps_.begin() + frame.label.slice * of_slice_ + coil * voxel_count;
                    EXPECT_TRUE(std::equal(found, found + voxel_count, wanted)) << frame.label.slice << " " << coil;
                }
            }
        }
    }
}

TEST_P(MapsOfSlicesInAScan, AreNoProblemOfItsDescription) {
    const auto has_problem = [&] {
        return describe_scan(*open_scan(path_), options()).find("problem") != std::string::npos;
    };
    write(extents_, maps_);
    EXPECT_FALSE(has_problem());
    scan_.frames[1].label = {.repetition = 1};
    write(extents_, maps_);
    EXPECT_TRUE(has_problem());
}

TEST_P(MapsOfSlicesInAScan, OneSetIsReadAsItWas) {
    const std::vector<cfloat> one(maps_.begin(), maps_.begin() + of_slice_);
    write({coil_count, 3, 5, 6}, one);
    const Scan read = read_scan(path_, options());
    EXPECT_EQ(read.coil_maps, one);
    EXPECT_TRUE(read.coil_map_slices.empty());
}

TEST_P(MapsOfSlicesInAScan, ThatDoNotFitAreRefused) {
    std::vector<cfloat> two = maps_;
    two.resize(static_cast<std::size_t>(2 * of_slice_));
    expect_refusal({2, coil_count, 3, 5, 6}, two, {"coil maps of the slices 0, 1", "expected those of 2"});
    std::vector<cfloat> wrong = maps_;
    wrong[static_cast<std::size_t>(of_slice_)] = std::numeric_limits<float>::infinity();
    expect_refusal(extents_, wrong, {"slice 1", "not finite", "voxel x 0, y 0, z 0"});
    std::fill_n(wrong.begin() + of_slice_, of_slice_, cfloat(0));
    expect_refusal(extents_, wrong, {"slice 1", "all zero"});
    if (GetParam() != "mrd") {  // whose `csm` may be of another matrix, and is not used then
        expect_refusal({coil_count, 2, 3, 5, 6}, two, {"[3, 2, 3, 5, 6]", "3 coils times [3, 5, 6]", "of each slice"});
    }
}

/// Frames that nobody labelled may well be the slices, and which is which nobody knows.
TEST_P(MapsOfSlicesInAScan, OfFramesThatAreNoSlicesAreRefused) {
    scan_.frames[1].label = {.repetition = 1};
    expect_refusal(extents_, maps_, {"coil maps of 3 slices", "expected one set", "slice 0"});
}

INSTANTIATE_TEST_SUITE_P(, MapsOfSlicesInAScan, ::testing::Values("recon", "npz", "mrd"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace recon
