// Ranks that are processes, with threads in their place that share nothing: the bytes of ranks that share a scan, and
// where frames are divided those of one.
#include <gtest/gtest.h>

#include <thread>

#include "app/reconstruction/coils/coil_preparation.hpp"
#include "app/reconstruction/frames/frame_division.hpp"
#include "app/reconstruction/reconstruction.hpp"
#include "core/processes/process_communicator.hpp"
#include "tests/support/cpu_team.hpp"
#include "tests/support/loopback_transport.hpp"
#include "tests/support/random.hpp"
#include "tests/support/scans/scan_in_parts.hpp"

namespace recon {
namespace {

using RankResults = std::vector<FrameResult>;

/// What rank 0 of so many processes gets.
RankResults by_processes(int size, const std::function<Scan()>& make_scan, const ReconstructOptions& options) {
    const auto groups = test::make_loopback_groups(size);
    RankResults of_root;
    std::vector<std::jthread> threads;
    for (const auto& group : groups) {
        threads.emplace_back([&, &group = *group] {
            Scan scan = make_scan();
            Team team = Team::of_one(make_cpu_backend(1));
            team.processes = &group;
            team.groups = divide_ranks(scan, size, options, MemoryBudget::unlimited, PartialImage::discard);
            team.ranks.front() = make_process_communicator(group, team.groups.ranks_of(team.group()));
            if (can_be_held_in_parts(scan) && team.rank_count() > 1) {
                hold_part(scan, *team.ranks.front());
            }
            RunControl control;
            RankResults results = reconstruct(scan, team, options, control);
            if (group.rank() == 0) {
                of_root = std::move(results);
            } else {
                EXPECT_TRUE(results.empty() || results.front().image.empty());
            }
            group.end({}, [](const std::string& line) { ADD_FAILURE() << line; });
        });
    }
    threads.clear();
    return of_root;
}

RankResults by_threads(int size, const std::function<Scan()>& make_scan, const ReconstructOptions& options) {
    Scan scan = make_scan();
    RunControl control;
    return reconstruct(scan, test::cpu_team(size), options, control);
}

ReconstructOptions of_division(RankDivision divide) {
    ReconstructOptions options;
    options.cg = {.iterations = 4, .stop = 0};
    options.divide = divide;
    options.baseline = true;
    return options;
}

void expect_same_bytes(const RankResults& found, const RankResults& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i].label, expected[i].label);
        EXPECT_EQ(found[i].image, expected[i].image) << i;
        EXPECT_EQ(found[i].baseline, expected[i].baseline) << i;
        EXPECT_EQ(found[i].data_residual, expected[i].data_residual) << i;
        ASSERT_EQ(found[i].extras.size(), expected[i].extras.size());
        for (std::size_t extra = 0; extra < found[i].extras.size(); ++extra) {
            EXPECT_EQ(found[i].extras[extra].name, expected[i].extras[extra].name);
            EXPECT_EQ(found[i].extras[extra].values, expected[i].extras[extra].values);
        }
    }
}

Scan some_scan(Index coils) { return test::sample_scan({.coils = coils, .readouts = 9, .samples = 11}); }

/// Without coil maps, which are estimated once a slice.
Scan series_without_maps() {
    Scan scan = test::sample_scan({.coils = 3, .readouts = 9, .samples = 11, .frames = 5});
    scan.coil_maps.clear();
    return scan;
}

TEST(ProcessRanks, CoilsAndSamplesDividedHaveTheBytesOfThreads) {
    for (const Index coils : {1, 2, 5}) {
        for (const int size : {2, 3}) {
            const auto scan = [coils] { return some_scan(coils); };
            const ReconstructOptions options = of_division(RankDivision::coils);
            expect_same_bytes(by_processes(size, scan, options), by_threads(size, scan, options));
        }
    }
}

TEST(ProcessRanks, EstimatedMapsAreThoseOfRankZero) {
    const ReconstructOptions options = of_division(RankDivision::coils);
    expect_same_bytes(by_processes(3, series_without_maps, options), by_threads(3, series_without_maps, options));
}

double change_of(const std::vector<cfloat>& found, const std::vector<cfloat>& expected) {
    return test::relative_difference({found.begin(), found.end()}, {expected.begin(), expected.end()});
}

/// With a noise scan, which whitens the coils.
Scan series_in_parts() { return test::scan_in_parts(series_without_maps()); }

Scan whole_of_parts(const std::function<Scan()>& make_scan) {
    Scan scan = make_scan();
    hold_all(scan);
    return scan;
}

void expect_nearly_the_same(const RankResults& found, const RankResults& expected) {
    constexpr double rounding = 2e-4;  // of sums in another order, after the iterations
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i].label, expected[i].label);
        EXPECT_LT(change_of(found[i].image, expected[i].image), rounding) << i;
        EXPECT_LT(change_of(found[i].baseline, expected[i].baseline), rounding) << i;
        EXPECT_NEAR(found[i].data_residual, expected[i].data_residual, rounding);
        EXPECT_EQ(found[i].tolerance.tolerance, expected[i].tolerance.tolerance);
        ASSERT_EQ(found[i].extras.size(), expected[i].extras.size());
        for (std::size_t extra = 0; extra < found[i].extras.size(); ++extra) {
            EXPECT_EQ(found[i].extras[extra].name, expected[i].extras[extra].name);
            if (found[i].extras[extra].name == "coil_maps") {
                EXPECT_LT(change_of(std::get<std::vector<cfloat>>(found[i].extras[extra].values),
                                    std::get<std::vector<cfloat>>(expected[i].extras[extra].values)),
                          rounding);
            }
        }
    }
}

TEST(ProcessRanks, PartsOfTheCoilsGiveTheImageOfOneProcess) {
    const auto of_shape = [](bool has_maps, bool has_noise, bool has_dead_coil) {
        return [=] {
            Scan scan = test::sample_scan({.coils = 5, .readouts = 9, .samples = 11, .frames = 2});
            if (!has_maps) {
                scan.coil_maps.clear();
            }
            if (!has_noise) {
                scan.noise.clear();
            }
            for (Frame& frame : scan.frames) {
                if (has_dead_coil) {
                    std::fill_n(frame.kspace.begin() + 99, 99, cfloat(0));
                }
            }
            return test::scan_in_parts(std::move(scan));
        };
    };
    for (const auto& make_scan : {of_shape(true, false, false), of_shape(false, false, false),
                                  of_shape(true, true, false), of_shape(false, true, true)}) {
        const ReconstructOptions options = of_division(RankDivision::coils);
        const RankResults alone = by_threads(
            1, [&] { return whole_of_parts(make_scan); }, options);
        for (const int size : {2, 4}) {
            const RankResults found = by_processes(size, make_scan, options);
            expect_nearly_the_same(found, alone);
            expect_same_bytes(by_processes(size, make_scan, options), found);
        }
    }
}

/// Their frames are looked at together for the spectrum.
TEST(ProcessRanks, PartsOfTheCoilsOfASeriesTellItsPrior) {
    ReconstructOptions options = of_division(RankDivision::coils);
    options.regularisation.scan = ScanPrior::scan;
    const RankResults alone = by_threads(
        1, [] { return whole_of_parts(series_in_parts); }, options);
    const RankResults found = by_processes(3, series_in_parts, options);
    ASSERT_EQ(found.size(), alone.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_TRUE(found[i].scan && alone[i].scan);
        // Rounding may decide whether the noise has settled, and one more turn moves it by less than that.
        const double settled = found[i].scan->noise_turns == alone[i].scan->noise_turns ? 1e-3 : 0.06;
        EXPECT_NEAR(found[i].scan->noise.sigma / alone[i].scan->noise.sigma, 1, settled);
        EXPECT_NEAR(found[i].scan->predicted_error / alone[i].scan->predicted_error, 1, 1e-2);
    }
}

/// Twenty coils that are mixtures of three.
Scan many_coils_of_few_signals() {
    constexpr Index few = 3, many = 20;
    Scan scan = test::sample_scan({.coils = few, .readouts = 24, .samples = 16});
    const std::vector<cdouble> mixing = test::random_values(few * many, 3);
    const auto mixed = [&](const std::vector<cfloat>& values) {
        const std::size_t length = values.size() / few;
        std::vector<cfloat> result(length * many);
        for (std::size_t to = 0; to < many; ++to) {
            for (std::size_t from = 0; from < few; ++from) {
                for (std::size_t i = 0; i < length; ++i) {
                    result[to * length + i] += cfloat(mixing[to * few + from]) * values[from * length + i];
                }
            }
        }
        return result;
    };
    scan.frames.front().kspace = mixed(scan.frames.front().kspace);
    scan.coil_maps = mixed(scan.coil_maps);
    scan.noise.clear();
    scan.coil_count = many;
    return scan;
}

TEST(ProcessRanks, PartsOfManyCoilsAreCompressedAsAllOfThem) {
    ReconstructOptions options = of_division(RankDivision::coils);
    options.regularisation.scan = ScanPrior::scan;
    options.coils.compression.automatic = true;
    const auto scan_in_parts = [] { return test::scan_in_parts(many_coils_of_few_signals()); };
    Scan scan = many_coils_of_few_signals();
    RunControl control;
    ASSERT_TRUE(prepare_coils(scan, options, control).compression);
    EXPECT_EQ(scan.coil_count, 3);
    expect_nearly_the_same(by_processes(2, scan_in_parts, options), by_threads(1, many_coils_of_few_signals, options));
}

TEST(ProcessRanks, FramesDividedHaveTheBytesOfOneProcess) {
    for (const int size : {2, 4}) {
        const ReconstructOptions options = of_division(RankDivision::frames);
        expect_same_bytes(by_processes(size, series_without_maps, options),
                          by_threads(1, series_without_maps, options));
    }
}

/// Whole, or by coils; with maps that are estimated from one frame, whichever group it belongs to.
TEST(ProcessRanks, GroupsThatDivideFramesAndCoilsGiveTheImageOfOneProcess) {
    const auto in_parts = [](Index frames) {
        return [frames] {
            Scan scan = test::sample_scan({.coils = 5, .readouts = 9, .samples = 11, .frames = frames});
            scan.coil_maps.clear();
            return test::scan_in_parts(std::move(scan));
        };
    };
    const auto whole = [&](Index frames) { return [=] { return whole_of_parts(in_parts(frames)); }; };
    const ReconstructOptions options = of_division(RankDivision::frames_and_coils);
    for (const auto& [size, frames] : {std::pair{4, 2}, {5, 2}, {6, 2}, {6, 3}, {4, 5}}) {
        for (const std::function<Scan()>& make_scan : {std::function<Scan()>(in_parts(frames)), {whole(frames)}}) {
            const RankResults alone = by_threads(1, whole(frames), options);
            const RankResults found = by_processes(size, make_scan, options);
            expect_nearly_the_same(found, alone);
            expect_same_bytes(by_processes(size, make_scan, options), found);
        }
    }
}

/// A group is to its frames what so many ranks by themselves are to theirs.
TEST(ProcessRanks, TwoGroupsOfTwoHaveTheBytesOfTwoRanks) {
    Scan first = test::sample_scan({.coils = 5, .readouts = 9, .samples = 11, .frames = 2});
    const auto scan = [&] { return test::scan_in_parts(first); };
    expect_same_bytes(by_processes(4, scan, of_division(RankDivision::frames_and_coils)),
                      by_processes(2, scan, of_division(RankDivision::coils)));
}

}  // namespace
}  // namespace recon
