// Series of frames and the cache of Q, as a user meets them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "core/base/memory_budget.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/formats/mrd/mrd_writer.hpp"
#include "data/formats/recon_h5/recon_hdf5_writer.hpp"
#include "tests/support/program.hpp"
#include "tests/support/random.hpp"
#include "tests/support/sample_scan.hpp"

namespace recon {
namespace {

namespace fs = std::filesystem;

class SeriesOfFrames : public ::testing::Test {
protected:
    test::ProgramRun run(const std::string& options) const {
        return test::run_recon("--device cpu --scan " + (folder / "scan.h5") + " --out " + (folder / "image.h5") +
                               " --json " + (folder / "run.json") + " --no-accuracy-check --prior none " + options);
    }
    nlohmann::json record_of(const std::string& options) const {
        const test::ProgramRun done = run(options);
        EXPECT_EQ(done.exit_code, 0) << done.output;
        return test::read_json(folder / "run.json");
    }
    std::vector<cfloat> image() const { return H5File::open(folder / "image.h5").read<cfloat>("/image"); }
    std::vector<fs::path> entries(const std::string& of) const {
        std::vector<fs::path> found;
        for (const auto& entry : fs::directory_iterator(of)) {
            found.push_back(entry.path());
        }
        return found;
    }

    test::TemporaryFolder folder;
};

class CacheOfQ : public SeriesOfFrames {
protected:
    void SetUp() override {
        // Exact sums of 5000 samples on 48 x 48 x 24 differences: some hundredths of a second, against 2 ms of reading.
        const auto made = test::run_recon("simulate --matrix 24 --coils 2 --out " + (folder / "scan.h5"));
        ASSERT_EQ(made.exit_code, 0) << made.output;
    }
    const std::string options = "--sums exact --iterations 3 ";
    const std::string cache = "--cache " + (folder / "cache") + " ";
};

TEST_F(CacheOfQ, TheImageHasTheSameBytesWithIt) {
    EXPECT_EQ(record_of(options + "--no-cache")["q"], "computed");
    const std::vector<cfloat> expected = image();
    EXPECT_EQ(record_of(options + cache)["q"], "stored");
    EXPECT_EQ(image(), expected);
    ASSERT_EQ(entries(folder / "cache").size(), 1U);
    const nlohmann::json third = record_of(options + cache);
    EXPECT_EQ(third["q"], "cached");
    EXPECT_EQ(image(), expected);
    EXPECT_EQ(record_of(options + cache + "--no-cache")["q"], "computed");
    EXPECT_EQ(record_of(options + cache + "--weights density")["q"], "stored") << "another Q";
}

TEST_F(CacheOfQ, ADamagedEntryIsReportedAndReplaced) {
    record_of(options + cache);
    const std::vector<cfloat> expected = image();
    fs::resize_file(entries(folder / "cache").at(0), 5000);
    const test::ProgramRun again = run(options + cache);
    EXPECT_EQ(again.exit_code, 0);
    EXPECT_NE(again.output.find("entry of the cache is ignored"), std::string::npos) << again.output;
    EXPECT_EQ(image(), expected);
    EXPECT_EQ(record_of(options + cache)["q"], "cached");
}

TEST_F(CacheOfQ, LiesInTheUsersCacheFolderUnlessTold) {
    record_of(options);
    EXPECT_EQ(record_of(options)["q"], "cached");
}

TEST_F(CacheOfQ, AFolderThatCannotBeIsAWarning) {
    std::ofstream(folder / "file") << "no folder";
    const test::ProgramRun done = run(options + "--cache " + (folder / "file") + "/cache");
    EXPECT_EQ(done.exit_code, 0) << done.output;
    const std::string warning = "nothing can be kept in this cache";
    const std::size_t first = done.output.find(warning);
    ASSERT_NE(first, std::string::npos) << done.output;
    EXPECT_EQ(done.output.find(warning, first + 1), std::string::npos) << "once";
}

TEST_F(CacheOfQ, SizesThatCannotBeReadAreRefused) {
    const test::ProgramRun done = run("--cache-size much");
    EXPECT_EQ(done.exit_code, 2) << done.output;
    EXPECT_NE(done.output.find("--cache-size much: expected a size"), std::string::npos) << done.output;
    EXPECT_EQ(record_of(options + cache + "--cache-size 1k")["q"], "stored");
    EXPECT_EQ(record_of(options + cache + "--cache-size 1k")["q"], "stored") << "there was no room for it";
}

TEST_F(SeriesOfFrames, ABadFrameAnywhereEndsTheRunBeforeAnOutputAppears) {
    Scan scan = test::sample_scan({.coils = 3, .readouts = 9, .samples = 11, .frames = 4});
    scan.frames[3].kspace[5] = cfloat(std::numeric_limits<float>::infinity(), 0);
    write_scan(scan, folder / "scan.h5");
    const test::ProgramRun done = run("--iterations 2");
    EXPECT_EQ(done.exit_code, 3) << done.output;
    EXPECT_NE(done.output.find("contrast 3, coil 0, readout 0, sample 5"), std::string::npos) << done.output;
    for (const fs::path& file : entries(folder.path())) {
        EXPECT_EQ(file.filename(), "scan.h5");
    }
}

struct SeriesFormat {
    const char* name;
    void (*write)(const Scan&, const std::string&);
};

class LongSeries : public SeriesOfFrames, public ::testing::WithParamInterface<SeriesFormat> {};

/// 64 coils: k-space is by far the largest thing in memory.
TEST_P(LongSeries, TakesTheMemoryOfAShortOne) {
    const test::SampleScanShape shape{.matrix = {16, 16, 1}, .coils = 64, .readouts = 16, .samples = 1000};
    const double frame_bytes = 64 * 16 * 1000 * sizeof(cfloat);  // 8.2 MB
    const auto peak_of = [&](Index frame_count) {
        {
            test::SampleScanShape of_series = shape;
            of_series.frames = frame_count;
            Scan scan = test::sample_scan(of_series);
            for (Frame& frame : scan.frames) {
                frame.density_weights = {};
            }
            scan.noise.clear();
            scan.off_resonance_hz.clear();
            GetParam().write(scan, folder / "scan.h5");
        }
        const nlohmann::json record = record_of("--no-cache --iterations 2 --threads 1");
        EXPECT_EQ(record["frames"].size(), static_cast<std::size_t>(frame_count));
        EXPECT_LT(record["memory_peak_bytes"].get<double>(), 1.05 * record["memory_forecast_bytes"].get<double>());
        return record["memory_peak_bytes"].get<double>();
    };
    const double of_three = peak_of(3);
    const double of_twelve = peak_of(12);
    RecordProperty("bytes_per_frame", std::to_string((of_twelve - of_three) / 9));
    // Nine more frames held in memory would be nine; what an allocator does with freed memory is part of one.
    EXPECT_LT(of_twelve - of_three, 0.5 * frame_bytes);
}

INSTANTIATE_TEST_SUITE_P(, LongSeries,
                         ::testing::Values(SeriesFormat{"recon", write_scan}, SeriesFormat{"mrd", write_mrd}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace recon
