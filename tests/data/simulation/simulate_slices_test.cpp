#include "data/simulation/simulate_slices.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/base/error.hpp"
#include "data/formats/bart/bart_file.hpp"
#include "data/reading/array_reader.hpp"
#include "data/reading/format.hpp"
#include "data/reading/scan_reader.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

constexpr Index slice_count = 3, coils_of_slices = 4;

SimulationOptions options_of_slices() {
    SimulationOptions options;
    options.request.matrix_size = {20, 18, 1};
    options.request.field_of_view_mm = {200, 180, 100};
    options.trajectory = "radial";
    options.coil_count = coils_of_slices;
    options.snr = std::numeric_limits<double>::infinity();
    options.section = 0.1;
    options.slice_count = slice_count;
    options.slice_distance_mm = 8;
    return options;
}

TEST(SimulateSlices, EachIsTheSliceAtItsPlace) {
    const Simulation slices = simulate_scan(options_of_slices());
    const Index voxels = 20 * 18;
    ASSERT_EQ(slices.scan.frames.size(), 3U);
    ASSERT_EQ(std::ssize(slices.truth), slice_count * voxels);
    ASSERT_EQ(std::ssize(slices.scan.coil_maps), slice_count * coils_of_slices * voxels);
    EXPECT_EQ(slices.scan.coil_map_slices, (std::vector<Index>{0, 1, 2}));
    EXPECT_EQ(slices.scan.geometry.field_of_view_mm, (PerAxis<double>{200, 180, 8}));
    for (Index slice = 0; slice < slice_count; ++slice) {
        SimulationOptions options = options_of_slices();
        options.slice_count = 1;
        options.section = 0.1 + 0.08 * static_cast<double>(slice - 1);
        const Simulation one = simulate_scan(options);
        const Frame& frame = slices.scan.frames[static_cast<std::size_t>(slice)];
        EXPECT_EQ(frame.label.slice, slice);
        EXPECT_EQ(frame.kspace, one.scan.frames[0].kspace);
        EXPECT_EQ(frame.trajectory, slices.scan.frames[0].trajectory);
        ASSERT_TRUE(frame.orientation);
        EXPECT_NEAR(frame.orientation->centre_mm[2], 100 * *options.section, 1e-12);
        EXPECT_TRUE(std::equal(one.truth.begin(), one.truth.end(), slices.truth.begin() + slice * voxels));
        const Index offset = offset_of_coil_map(slices.scan, slice);
        for (Index coil = 0; coil < coils_of_slices; ++coil) {
            const auto from = one.scan.coil_maps.begin() + coil * voxels;
            EXPECT_TRUE(
                std::equal(from, from + voxels, slices.scan.coil_maps.begin() + coil * slice_count * voxels + offset));
        }
    }
    EXPECT_NE(slices.scan.frames[0].kspace, slices.scan.frames[2].kspace);
}

TEST(SimulateSlices, RepetitionsHaveAllSlices) {
    SimulationOptions options = options_of_slices();
    options.frame_count = 2;
    const Simulation series = simulate_scan(options);
    ASSERT_EQ(series.scan.frames.size(), 6U);
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_EQ(series.scan.frames[i].label.repetition, static_cast<Index>(i / 3));
        EXPECT_EQ(series.scan.frames[i].label.slice, static_cast<Index>(i % 3));
    }
}

/// One scanner, one noise: that of the slice at the section, other numbers in each.
TEST(SimulateSlices, NoiseIsOfOneStandardDeviation) {
    SimulationOptions options = options_of_slices();
    const Simulation clean = simulate_scan(options);
    options.snr = 10;
    options.noise_sample_count = 50;
    const Simulation noisy = simulate_scan(options);
    EXPECT_EQ(noisy.scan.noise.size(), 200U);
    std::vector<cfloat> noise_before;
    for (std::size_t i = 0; i < 3; ++i) {
        std::vector<cfloat> noise = noisy.scan.frames[i].kspace;
        double sum = 0;
        for (std::size_t s = 0; s < noise.size(); ++s) {
            noise[s] -= clean.scan.frames[i].kspace[s];
            sum += std::norm(noise[s]);
        }
        const double deviation = std::sqrt(sum / static_cast<double>(noise.size()));
        EXPECT_NEAR(deviation / noisy.noise_standard_deviation, 1, 0.05) << i;
        EXPECT_NE(noise, noise_before);
        noise_before = noise;
    }
}

TEST(SimulateSlices, WhatCannotBeIsRefused) {
    const auto refused = [](auto&& change, const std::vector<std::string>& parts) {
        SimulationOptions options = options_of_slices();
        change(options);
        test::expect_error<UsageError>([&] { simulate_scan(options); }, parts);
    };
    refused([](auto& o) { o.request.matrix_size = {20, 18, 16}; }, {"`slices`", "20 x 18 x 16", "2-D"});
    refused([](auto& o) { o.slice_distance_mm = 50; }, {"`slice_distance`", "-0.4 to 0.6"});
    refused([](auto& o) { o.phantom = "heart"; }, {"`slices`", "heart"});
}

TEST(SimulateSlices, EachHasTheOffResonanceOfItsPlace) {
    SimulationOptions options = options_of_slices();
    options.trajectory = "spiral";
    options.off_resonance = {80, 20};
    const Simulation slices = simulate_scan(options);
    EXPECT_EQ(slices.scan.off_resonance_slices, (std::vector<Index>{0, 1, 2}));
    for (Index slice = 0; slice < slice_count; ++slice) {
        SimulationOptions of_one = options;
        of_one.slice_count = 1;
        of_one.section = 0.1 + 0.08 * static_cast<double>(slice - 1);
        const Simulation one = simulate_scan(of_one);
        const OffResonanceMaps maps = slices.scan.off_resonance(slice);
        EXPECT_TRUE(std::ranges::equal(maps.off_resonance_hz, one.scan.off_resonance_hz));
        EXPECT_TRUE(std::ranges::equal(maps.relaxation_rate_per_s, one.scan.relaxation_rate_per_s));
        EXPECT_EQ(slices.scan.frames[static_cast<std::size_t>(slice)].kspace, one.scan.frames[0].kspace);
    }
    const std::span<const float> first = slices.scan.off_resonance(0).off_resonance_hz;
    EXPECT_FALSE(std::ranges::equal(first, slices.scan.off_resonance(2).off_resonance_hz));
    for (const char* const name : {"recon", "npz", "mrd"}) {
        const test::TemporaryFolder folder;
        const std::string path = folder / (std::string(name) == "npz" ? "scan.npz" : "scan.h5");
        formats().get(name).write_scan(slices.scan, path);
        const Scan read = read_scan(path);
        EXPECT_EQ(read.off_resonance_hz, slices.scan.off_resonance_hz) << name;
        EXPECT_EQ(read.off_resonance_slices, slices.scan.off_resonance_slices) << name;
    }
}

/// By each format that has a place for them, the maps come back as those of their slices.
TEST(SimulateSlices, MapsOfSlicesAreWrittenAndRead) {
    const Simulation slices = simulate_scan(options_of_slices());
    for (const char* const name : {"recon", "npz", "mrd"}) {
        const test::TemporaryFolder folder;
        const std::string path = folder / (std::string(name) == "npz" ? "scan.npz" : "scan.h5");
        formats().get(name).write_scan(slices.scan, path);
        const Scan read = read_scan(path);
        EXPECT_EQ(read.coil_maps, slices.scan.coil_maps) << name;
        EXPECT_EQ(read.coil_map_slices, slices.scan.coil_map_slices) << name;
        ASSERT_EQ(read.frames.size(), 3U) << name;
        if (std::string(name) != "npz") {  // which has no places
            EXPECT_NEAR(read.frames[2].orientation.value().centre_mm[2], 18, 1e-4) << name;
        }
    }
    const test::TemporaryFolder folder;
    formats().get("bart").write_scan(slices.scan, folder / "k.cfl");
    EXPECT_EQ(open_bart(folder / "k-coil-maps.cfl").text(), "READ 20, PHS1 18, COIL 4, SLICE 3");
    ScanReadOptions options;
    options.trajectory_path = folder / "k-trajectory.cfl";
    options.matrix_size = slices.scan.geometry.matrix_size;
    Scan read = read_scan(folder / "k.cfl", options);
    const StoredCoilMaps maps = read_coil_maps(folder / "k-coil-maps.cfl", read.geometry.matrix_size, coils_of_slices);
    take_coil_maps(read, maps, "the maps");
    EXPECT_EQ(read.coil_maps, slices.scan.coil_maps);
}

}  // namespace
}  // namespace recon
