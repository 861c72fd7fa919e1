// A format that registers itself from this file, used in every role by the commands.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "app/cli/compare_command.hpp"
#include "app/cli/reconstruct_command.hpp"
#include "app/cli/scan/info_command.hpp"
#include "app/cli/simulate/simulate_command.hpp"
#include "core/base/error.hpp"
#include "data/reading/format.hpp"
#include "data/reading/placed_image_reader.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

using ::testing::HasSubstr;

/// Text: "toy", the matrix, volumes, samples; then where the samples lie, none in an image; then a volume a coil.
struct Toy {
    PerAxis<Index> matrix{1, 1, 1};
    Index volume_count = 1;
    PerAxis<std::vector<double>> k{};
    std::vector<cfloat> values;

    void write(const std::string& path) const {
        std::ofstream file(path);
        file.precision(17);
        file << "toy " << matrix[0] << " " << matrix[1] << " " << matrix[2] << " " << volume_count << " " << k[0].size()
             << "\n";
        for (std::size_t i = 0; i < k[0].size(); ++i) {
            file << k[0][i] << " " << k[1][i] << " " << k[2][i] << "\n";
        }
        for (const cfloat& value : values) {
            file << value.real() << " " << value.imag() << "\n";
        }
    }
    static Toy read(const std::string& path) {
        std::ifstream file(path);
        std::string magic;
        std::size_t sample_count = 0;
        Toy toy;
        file >> magic >> toy.matrix[0] >> toy.matrix[1] >> toy.matrix[2] >> toy.volume_count >> sample_count;
        for (std::size_t i = 0; i < sample_count; ++i) {
            for (std::vector<double>& axis : toy.k) {
                file >> axis.emplace_back();
            }
        }
        for (float real = 0, imaginary = 0; file >> real >> imaginary;) {
            toy.values.emplace_back(real, imaginary);
        }
        return toy;
    }
};

class ToyReader final : public ScanReader {
public:
    explicit ToyReader(std::string path) : path_(std::move(path)) {}
    std::string format() const override { return "toy"; }
    StoredScan read(const ScanReadOptions&) const override {
        Toy toy = Toy::read(path_);
        StoredScan stored;
        stored.scan.path = path_;
        stored.scan.format = format();
        stored.scan.geometry.matrix_size = toy.matrix;
        stored.scan.coil_count = toy.volume_count;
        stored.stated_unit = TrajectoryUnit::cycles_per_fov;
        stored.stated_where = "the format";
        Frame& frame = stored.scan.frames.emplace_back();
        frame.trajectory = std::make_shared<Trajectory>(Trajectory{std::move(toy.k)});
        frame.kspace = std::move(toy.values);
        frame.sample_times_s = std::vector<float>(frame.sample_count(), 1e-3F);
        return stored;
    }

private:
    std::string path_;
};

bool is_toy(const std::string& path) {
    std::ifstream file(path);
    std::string magic;
    return file >> magic && magic == "toy";
}

std::unique_ptr<ScanReader> toy_reader(const std::string& path) { return std::make_unique<ToyReader>(path); }

StoredImage read_toy_image(const std::string& path, const std::string&) {
    Toy toy = Toy::read(path);
    Image image;
    image.geometry.matrix_size = toy.matrix;
    image.frames.assign(toy.volume_count, ImageFrame{});
    image.voxels = std::move(toy.values);
    return {"", std::move(image)};
}

void write_toy_scan(const Scan& scan, const std::string& path) {
    Toy{scan.geometry.matrix_size, scan.coil_count, scan.frames[0].trajectory->k, scan.frames[0].kspace}.write(path);
}

void write_toy_image(const Image& image, const std::string& path) {
    Toy{image.geometry.matrix_size, image.frame_count(), {}, image.voxels}.write(path);
}

const Registration registered_toy(formats(), Format{.name = "toy",
                                                    .title = "a toy",
                                                    .recognises = is_toy,
                                                    .scan_reader = toy_reader,
                                                    .read_image = read_toy_image,
                                                    .write_scan = write_toy_scan,
                                                    .write_image = write_toy_image,
                                                    .write_image_help = "Image as a toy"});

class RegisteredFormat : public ::testing::Test {
protected:
    static void run(void (*add)(CLI::App&), const std::string& arguments) {
        CLI::App app;
        add(app);
        app.parse(arguments);
    }
    std::string file(const std::string& name) const { return folder_ / name; }
    /// In the image's shape, with an edge in the middle.
    std::string image(const std::string& name, Index volume_count, cfloat left, cfloat right) const {
        Toy toy{{8, 7, 1}, volume_count, {}, {}};
        for (Index i = 0; i < 56 * volume_count; ++i) {
            toy.values.push_back(i % 8 < 4 ? left : right);
        }
        toy.write(file(name));
        return file(name);
    }

    test::TemporaryFolder folder_;
};

TEST_F(RegisteredFormat, AFormatFromAFileOfItsOwnIsReadAndWrittenInEveryRole) {
    run(add_simulate_command, "simulate --matrix 8 7 --coils 2 --trajectory cartesian --format toy --out " +
                                  file("some.scan") + " --truth " + file("truth.h5"));
    const Toy scan = Toy::read(file("some.scan"));
    EXPECT_EQ(scan.volume_count, 2);
    ASSERT_EQ(scan.values.size(), 2 * scan.k[0].size());

    run(add_reconstruct_command, "--quiet --device cpu --prior identity,anatomical --lambda 1e-3,1e-3 --scan " +
                                     file("some.scan") + " --out " + file("image.h5") + " --toy " + file("image.toy") +
                                     " --coil-maps " + image("maps", 2, cfloat(0.6F, 0.8F), cfloat(0.6F, 0.8F)) +
                                     " --prior-image " + image("prior", 1, 1, 2) + " --field-map " +
                                     image("map", 1, 5, 6) + " --no-field-map-check --reference " +
                                     image("reference", 1, 1, 2));
    const Image image = read_placed_image(file("image.h5")).image;
    EXPECT_EQ(Toy::read(file("image.toy")).matrix, image.geometry.matrix_size);
    ASSERT_EQ(Toy::read(file("image.toy")).values.size(), image.voxels.size());
    for (std::size_t i = 0; i < image.voxels.size(); ++i) {
        EXPECT_NEAR(std::abs(Toy::read(file("image.toy")).values[i] - image.voxels[i]), 0,
                    1e-6 * std::abs(image.voxels[i]));
    }

    ::testing::internal::CaptureStdout();
    run(add_compare_command, "compare " + file("image.h5") + " " + file("image.toy"));
    EXPECT_THAT(::testing::internal::GetCapturedStdout(), HasSubstr("reference  " + file("image.toy")));
    ::testing::internal::CaptureStdout();
    run(add_info_command, "info " + file("some.scan"));
    EXPECT_THAT(::testing::internal::GetCapturedStdout(), HasSubstr("scan, toy"));
}

TEST_F(RegisteredFormat, MapsThatDoNotFitAreRefused) {
    run(add_simulate_command, "simulate --matrix 8 7 --coils 3 --trajectory cartesian --out " + file("scan.h5"));
    test::expect_error<InputError>(
        [&] {
            run(add_reconstruct_command, "--quiet --device cpu --scan " + file("scan.h5") + " --out " + file("a.h5") +
                                             " --coil-maps " + image("maps", 2, 1, 1));
        },
        {"maps", "2 volumes of 8 x 7 x 1", "3 of 8 x 7 x 1"});
}

TEST_F(RegisteredFormat, TheImageThatNiftiWroteIsReadWhereverAnImageIs) {
    run(add_simulate_command, "simulate --matrix 8 7 --coils 1 --trajectory cartesian --out " + file("scan.h5"));
    const std::string reconstruct = "--quiet --device cpu --prior none --scan " + file("scan.h5") + " --out ";
    run(add_reconstruct_command, reconstruct + file("a.h5") + " --baseline --nifti " + file("a.nii.gz"));
    run(add_reconstruct_command,
        reconstruct + file("b.h5") + " --reference " + file("a.nii.gz") + " --body-coil " + file("a.nii.gz"));
    run(add_reconstruct_command, reconstruct + file("c.h5") + " --coil-maps " + file("a.nii.gz"));
    ::testing::internal::CaptureStdout();
    run(add_compare_command, "compare " + file("a.h5") + " " + file("a.nii.gz") + " --dataset /baseline/image");
    EXPECT_THAT(::testing::internal::GetCapturedStdout(), HasSubstr("a.h5:/baseline/image"));
}

TEST_F(RegisteredFormat, WhatNoFormatKnowsIsToldWithThoseThereAre) {
    std::ofstream(file("text")) << "nothing";
    test::expect_error<InputError>([&] { read_scan(file("text")); },
                                   {"text", "an IMPATIENT folder", "MRD", "recon HDF5", "a toy"});
    test::expect_error<InputError>([&] { read_placed_image(file("text")); },
                                   {"an HDF5 file", "a NIfTI-1 file", "or a toy"});
}

}  // namespace
}  // namespace recon
