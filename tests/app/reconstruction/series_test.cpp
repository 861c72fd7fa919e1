// Frames of a series: each as if it were alone, whatever they share and however they are read.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "app/reconstruction/check/run_check.hpp"
#include "app/reconstruction/frames/frame_series.hpp"
#include "app/reconstruction/reconstruction.hpp"
#include "core/base/error.hpp"
#include "data/formats/mrd/mrd_writer.hpp"
#include "data/formats/recon_h5/recon_hdf5_writer.hpp"
#include "data/reading/scan_reader.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/cpu_team.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/random.hpp"
#include "tests/support/sample_scan.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

using Order = std::vector<std::size_t>;

constexpr PerAxis<Index> matrix_size{6, 5, 3};

Scan series(Index frame_count) {
    return test::sample_scan({.matrix = matrix_size, .coils = 3, .readouts = 9, .samples = 11, .frames = frame_count});
}

/// Frames 0, 2, 4, ... on one trajectory, the others on another.
Scan interleaved_series(Index frame_count) {
    Scan scan = series(frame_count);
    const auto other = std::make_shared<const Trajectory>(test::random_trajectory(99, matrix_size, 8));
    for (std::size_t i = 0; i < scan.frames.size(); ++i) {
        scan.frames[i].density_weights = scan.frames[0].density_weights;
        scan.frames[i].trajectory = i % 2 == 1 ? other : scan.frames[i].trajectory;
    }
    return scan;
}

ReconstructOptions quick() {
    ReconstructOptions options;
    options.cg = {.iterations = 4, .stop = 0};
    options.measure_accuracy = false;
    return options;
}

class Series : public test::EveryBackend {
protected:
    std::vector<FrameResult> reconstructed(Scan scan, const ReconstructOptions& options) {
        RunControl control;
        return reconstruct(scan, *backend_, options, control);
    }
    std::vector<std::string> origins(const std::vector<FrameResult>& results) {
        std::vector<std::string> names;
        for (const FrameResult& result : results) {
            names.push_back(result.q_origin);
        }
        return names;
    }
    /// Every frame as by itself, to the last bit.
    void expect_as_alone(const Scan& scan, const ReconstructOptions& options) {
        const std::vector<FrameResult> together = reconstructed(scan, options);
        for (std::size_t i = 0; i < scan.frames.size(); ++i) {
            Scan alone = scan;
            alone.frames = {scan.frames[i]};
            EXPECT_EQ(together[i].label, scan.frames[i].label);
            EXPECT_EQ(together[i].image, reconstructed(alone, options)[0].image) << "frame " << i;
        }
    }
};

TEST_P(Series, InterleavedTrajectoriesAreComputedOnceEach) {
    const Scan scan = interleaved_series(5);
    const std::vector<std::string> expected{"computed", "computed", "shared", "shared", "shared"};
    EXPECT_EQ(origins(reconstructed(scan, quick())), expected);
    expect_as_alone(scan, quick());
}

TEST_P(Series, WeightsOfTheirOwnKeepFramesApart) {
    ReconstructOptions options = quick();
    options.weighting = SampleWeighting::density;
    Scan scan = series(4);
    scan.frames[2].density_weights = scan.frames[0].density_weights;
    const std::vector<std::string> expected{"computed", "computed", "shared", "computed"};
    EXPECT_EQ(origins(reconstructed(scan, options)), expected);
    expect_as_alone(scan, options);
}

/// Echoes on one trajectory: with off-resonance Q depends on when the samples were taken.
TEST_P(Series, SampleTimesOfTheirOwnKeepFramesApart) {
    ReconstructOptions options = quick();
    options.tolerance = 1e-4;
    options.off_resonance.correct = true;
    Scan scan = series(4);
    for (Frame& frame : scan.frames) {
        frame.density_weights = {};
    }
    for (const std::size_t late : {1, 3}) {
        for (std::size_t s = 0; s < scan.frames[late].sample_times_s.size(); ++s) {
            scan.frames[late].sample_times_s[s] += 10e-3F;
        }
    }
    const std::vector<std::string> expected{"computed", "computed", "shared", "shared"};
    EXPECT_EQ(origins(reconstructed(scan, options)), expected);
    expect_as_alone(scan, options);
}

INSTANTIATE_TEST_SUITE_P(, Series, test::every_backend(), test::backend_name);

TEST(OrderOfWork, PutsFramesThatShareNextToEachOther) {
    EXPECT_EQ(order_of_work(series(3)), (Order{0, 1, 2}));
    EXPECT_EQ(order_of_work(interleaved_series(5)), (Order{0, 2, 4, 1, 3}));
    Scan scan = interleaved_series(6);
    for (Frame& frame : scan.frames) {
        frame.density_weights = {};
        frame.sample_times_s = {};
    }
    scan.frames[2].density_weights = std::vector<float>(99, 1);
    EXPECT_EQ(order_of_work(scan), (Order{0, 4, 2, 1, 3, 5}));
    Scan slices = series(4);
    for (const std::size_t i : {0, 1, 2, 3}) {
        slices.frames[i].label = {.repetition = static_cast<Index>(i / 2), .slice = static_cast<Index>(i % 2)};
        slices.frames[i].density_weights = slices.frames[0].density_weights;
        slices.frames[i].sample_times_s = slices.frames[0].sample_times_s;
    }
    EXPECT_EQ(order_of_work(slices), (Order{0, 1, 2, 3}));
    slices.off_resonance_slices = {0, 1};
    EXPECT_EQ(order_of_work(slices), (Order{0, 2, 1, 3})) << "each with a field map of its own";
}

struct Format {
    const char* name;
    void (*write)(const Scan&, const std::string&);
    friend std::ostream& operator<<(std::ostream& out, const Format& format) { return out << format.name; }
};

class FramesOnDemand : public ::testing::TestWithParam<Format> {
protected:
    Scan read(KspaceReading when, ScanReadOptions options = {}) const {
        options.kspace = when;
        return read_scan(path, options);
    }
    void expect_same_kspace(const ScanReadOptions& options) const {
        const Scan at_once = read(KspaceReading::at_once, options);
        Scan on_demand = read(KspaceReading::on_demand, options);
        ASSERT_EQ(on_demand.frames.size(), at_once.frames.size());
        for (std::size_t i = at_once.frames.size(); i-- > 0;) {  // in an order that is not the file's
            Frame& frame = on_demand.frames[i];
            EXPECT_TRUE(frame.kspace.empty());
            EXPECT_EQ(frame.trajectory->k, at_once.frames[i].trajectory->k);
            EXPECT_EQ(frame.density_weights, at_once.frames[i].density_weights);
            EXPECT_EQ(frame.sample_times_s, at_once.frames[i].sample_times_s);
            for (int again = 0; again < 2; ++again) {
                frame.load();
                EXPECT_EQ(frame.kspace, at_once.frames[i].kspace) << "frame " << i;
                frame.release();
                EXPECT_TRUE(frame.kspace.empty());
            }
        }
    }

    test::TemporaryFolder folder;
    std::string path = folder / "scan.h5";
};

TEST_P(FramesOnDemand, AreThoseReadAtOnce) {
    GetParam().write(interleaved_series(4), path);
    expect_same_kspace({});
    ScanReadOptions options;
    options.selection = FrameSelection("contrast=1-2");
    expect_same_kspace(options);
}

TEST_P(FramesOnDemand, SamplesBeyondTheBandAreDroppedWhenTheyAreLoaded) {
    GetParam().write(interleaved_series(4), path);
    ScanReadOptions options;
    options.matrix_size = {4, 5, 3};
    options.out_of_band = OutOfBand::drop;
    ASSERT_LT(read(KspaceReading::at_once, options).frames[0].sample_count(), 99);
    expect_same_kspace(options);
}

TEST_P(FramesOnDemand, ShareWhatTheyHaveInCommon) {
    Scan written = interleaved_series(4);
    for (std::size_t i = 1; i < 4; ++i) {
        written.frames[i].density_weights = std::vector<float>(written.frames[0].density_weights);
        written.frames[i].trajectory = std::make_shared<const Trajectory>(*written.frames[i].trajectory);
    }
    GetParam().write(written, path);
    const Scan scan = read(KspaceReading::on_demand);
    EXPECT_EQ(scan.frames[2].trajectory, scan.frames[0].trajectory);
    EXPECT_EQ(scan.frames[3].trajectory, scan.frames[1].trajectory);
    EXPECT_NE(scan.frames[1].trajectory, scan.frames[0].trajectory);
    EXPECT_EQ(scan.frames[3].density_weights.data(), scan.frames[0].density_weights.data());
}

TEST_P(FramesOnDemand, GiveTheImagesOfFramesInMemory) {
    GetParam().write(interleaved_series(4), path);  // with a noise scan: coils are prewhitened
    const auto images = [&](KspaceReading when, int rank_count) {
        Scan scan = read(when);
        RunControl control;
        std::vector<std::vector<cfloat>> result;
        for (const FrameResult& frame : reconstruct(scan, test::cpu_team(rank_count), quick(), control)) {
            result.push_back(frame.image);
        }
        for (const Frame& frame : scan.frames) {
            EXPECT_EQ(frame.kspace.empty(), when == KspaceReading::on_demand) << "is released after its turn";
        }
        return result;
    };
    EXPECT_EQ(images(KspaceReading::on_demand, 1), images(KspaceReading::at_once, 1));
    EXPECT_EQ(images(KspaceReading::on_demand, 3), images(KspaceReading::at_once, 3));
}

/// For its zeros, for coils that fall silent before they are mixed, and for its image; the first stays in memory.
TEST_P(FramesOnDemand, AreReadThriceAtMost) {
    GetParam().write(interleaved_series(4), path);
    Scan scan = read(KspaceReading::on_demand);
    std::vector<int> reads(scan.frames.size(), 0);
    for (std::size_t i = 0; i < reads.size(); ++i) {
        scan.frames[i].read_kspace = [&reads, i, read = scan.frames[i].read_kspace] {
            ++reads[i];
            return read();
        };
    }
    ReconstructOptions options = quick();
    RunControl control;
    const auto backend = make_cpu_backend(1);
    {
        recon::Run run(*backend, only_rank(), control);
        check_before_run(scan, options.coils, {}, {}, run);
    }
    reconstruct(scan, *backend, options, control);
    EXPECT_EQ(reads, (std::vector<int>{1, 3, 3, 3}));
}

TEST_P(FramesOnDemand, AreCheckedWhenTheyAreLoaded) {
    Scan written = series(3);
    written.frames[1].kspace[99 + 11 + 3] = cfloat(0, std::numeric_limits<float>::quiet_NaN());
    GetParam().write(written, path);
    const std::vector<std::string> parts{"1 of 297 values of the k-space data",
                                         "contrast 1, coil 1, readout 1, sample 3"};
    test::expect_error<InputError>([&] { read(KspaceReading::at_once); }, parts);
    Scan scan = read(KspaceReading::on_demand);
    EXPECT_NO_THROW(scan.frames[0].load());
    test::expect_error<InputError>([&] { scan.frames[1].load(); }, parts);
    EXPECT_NO_THROW(scan.frames[2].load());
    for (const int rank_count : {1, 3}) {
        RunControl control;
        test::expect_error<InputError>(
            [&] {
                Scan again = read(KspaceReading::on_demand);
                reconstruct(again, test::cpu_team(rank_count), quick(), control);
            },
            parts);
    }
}

INSTANTIATE_TEST_SUITE_P(, FramesOnDemand, ::testing::Values(Format{"recon", write_scan}, Format{"mrd", write_mrd}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(TransformKspace, ActsOnFramesInMemoryAndOnThoseToCome) {
    Scan scan;
    scan.frames.resize(2);
    scan.frames[0].kspace = {cfloat(1, 0)};
    scan.frames[1].read_kspace = [] { return std::vector<cfloat>{cfloat(2, 0)}; };
    transform_kspace(scan, [](Index frame, std::vector<cfloat>& kspace) { kspace[0] += cfloat(0, 10.0F + frame); });
    transform_kspace(scan, [](Index, std::vector<cfloat>& kspace) { kspace[0] *= 2; });
    EXPECT_EQ(scan.frames[0].kspace[0], cfloat(2, 20));
    EXPECT_TRUE(scan.frames[1].kspace.empty());
    scan.frames[1].load();
    EXPECT_EQ(scan.frames[1].kspace[0], cfloat(4, 22));
    scan.frames[0].release();
    EXPECT_EQ(scan.frames[0].kspace.size(), 1U) << "there is nowhere to read it again";
}

}  // namespace
}  // namespace recon
