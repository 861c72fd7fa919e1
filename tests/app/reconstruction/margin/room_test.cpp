// Objects that go on beyond the field of view: scans of a wider field, given a smaller one.
#include "app/reconstruction/margin/room.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "app/reconstruction/margin/object_reach.hpp"
#include "app/reconstruction/reconstruction.hpp"
#include "core/backend/cpu/cpu_backend.hpp"
#include "core/mri/check/dropped_samples.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/cpu_team.hpp"
#include "tests/support/scans/scan_in_parts.hpp"

namespace recon {
namespace {

struct Cut {
    std::string trajectory = "radial";
    PerAxis<Index> matrix{64, 64, 1};
    Margin off{0, 0, 0};  ///< voxels that the field lacks on each side
    Index coils = 4;
    bool with_maps = true;
    double undersampling = 1, snr = 40, oversampling = 2;
};

/// The head goes to .47 of the wider field along y, .40 along x.
Scan scan_of(const Cut& cut, std::vector<cfloat>* truth = nullptr) {
    SimulationOptions options;
    options.trajectory = cut.trajectory;
    options.request.matrix_size = cut.matrix;
    options.coil_count = cut.coils;
    options.store_coil_maps = cut.with_maps;
    options.snr = cut.snr;
    options.phantom = "tissue";
    options.request.undersampling = cut.undersampling;
    options.request.readout_oversampling = cut.oversampling;
    Simulation simulated = simulate_scan(options);
    Scan scan = std::move(simulated.scan);
    widen(scan, {-cut.off[0], -cut.off[1], -cut.off[2]});
    if (truth != nullptr) {
        *truth = without_margin(std::span<const cfloat>(simulated.truth), scan.geometry.matrix_size, cut.off);
    }
    return scan;
}

double error_of(std::vector<cfloat> image, const std::vector<cfloat>& truth) {
    double product = 0, square = 0, energy = 0, difference = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        product += std::abs(image[i]) * std::abs(truth[i]);
        square += std::norm(image[i]);
        energy += std::norm(truth[i]);
    }
    for (std::size_t i = 0; i < truth.size(); ++i) {
        difference += std::pow(std::abs(image[i]) * product / square - std::abs(truth[i]), 2);
    }
    return std::sqrt(difference / energy);
}

/// Of the image inside of the scan's field.
double error_with(Scan scan, const MarginOptions& options, const std::vector<cfloat>& truth) {
    const PerAxis<Index> field = scan.geometry.matrix_size;
    const auto backend = make_cpu_backend();
    const Margin margin = make_room(scan, options, *backend);
    ReconstructOptions reconstruction;
    reconstruction.regularisation.scan = ScanPrior::scan;
    reconstruction.measure_accuracy = false;
    RunControl control;
    const std::vector<FrameResult> results = reconstruct(scan, test::cpu_team(1), reconstruction, control);
    return error_of(without_margin(std::span<const cfloat>(results.front().image), field, margin), truth);
}

const MarginOptions none{.given = Margin{0, 0, 0}, .automatic = false};

TEST(ObjectReach, IsWhereTheObjectEnds) {
    const auto backend = make_cpu_backend();
    for (const char* const kind : {"radial", "spiral"}) {
        for (const Index off : {Index{0}, Index{4}, Index{8}}) {
            const Scan scan = scan_of({.trajectory = kind, .off = {off, off, 0}, .coils = 1});
            const PerAxis<ObjectReach> reach = object_reach(scan, scan.frames[0], *backend);
            const double scale = 64.0 / static_cast<double>(64 - 2 * off);
            for (const int axis : {0, 1}) {
                const double end = (axis == 0 ? .40 : .47) * scale;
                EXPECT_GT(reach[axis].fields, end - .03) << kind << off;
                EXPECT_LT(reach[axis].fields - reach[axis].doubt, end + .03) << kind << off;
                EXPECT_LT(reach[axis].doubt, .07);
            }
            EXPECT_EQ(reach[2].fields, 0);
        }
    }
}

TEST(ObjectReach, IsWhereTheObjectEndsNearTheWiderFieldsEndOrAllOfItWhereTheObjectFillsIt) {
    const auto backend = make_cpu_backend();
    for (const char* const kind : {"radial", "spiral"}) {
        for (const Index coils : {1, 4}) {
            const Scan nearly = scan_of({.trajectory = kind, .off = {15, 15, 0}, .coils = coils});
            const PerAxis<ObjectReach> of_nearly = object_reach(nearly, nearly.frames[0], *backend);
            EXPECT_GT(of_nearly[0].fields, .40 * 64 / 34 - .05) << kind << coils;
            EXPECT_GT(of_nearly[1].fields, .47 * 64 / 34 - .05) << kind << coils;
            const Scan filled = scan_of({.trajectory = kind, .off = {18, 18, 0}, .coils = coils});
            EXPECT_GT(object_reach(filled, filled.frames[0], *backend)[1].fields, .95) << kind << coils;
        }
    }
}

/// The head moved along x by .55 of the field, to end at .95: its other end tells what is left where there is nothing.
TEST(ObjectReach, BeyondOneSideIsToldBySamplesThatLeaveAliases) {
    const auto backend = make_cpu_backend();
    Scan scan = scan_of({.matrix = {32, 32, 32}, .coils = 8, .undersampling = 24, .snr = 10});
    Frame& frame = scan.frames[0];
    for (std::size_t i = 0; i < frame.kspace.size(); ++i) {
        const double k = frame.trajectory->k[0][i % static_cast<std::size_t>(frame.sample_count())];
        frame.kspace[i] *= cfloat(std::polar(1.0, -2 * std::numbers::pi * .55 * k));
    }
    EXPECT_GT(object_reach(scan, frame, *backend)[0].fields, .85);
}

TEST(ObjectReach, IsUnknownWhereSamplesLieAtWholeCycles) {
    const auto backend = make_cpu_backend();
    const Scan scan = scan_of({.trajectory = "cartesian"});
    const PerAxis<ObjectReach> reach = object_reach(scan, scan.frames[0], *backend);
    EXPECT_GT(reach[0].fields, .35);  // the readouts are sampled twice as densely
    EXPECT_EQ(reach[1].fields, 0);
}

TEST(ObjectReach, IsUnknownAcrossAGapAtTheCentre) {
    const auto backend = make_cpu_backend();
    Scan scan = scan_of({.off = {8, 8, 0}, .coils = 1});
    ASSERT_GT(object_reach(scan, scan.frames[0], *backend)[1].fields, .5);
    const Trajectory& trajectory = *scan.frames[0].trajectory;
    std::vector<Index> around_centre;
    for (Index m = 0; m < trajectory.sample_count(); ++m) {
        if (std::hypot(trajectory.k[0][m], trajectory.k[1][m]) < 1.9) {
            around_centre.push_back(m);
        }
    }
    drop_samples(scan, {around_centre});
    EXPECT_EQ(object_reach(scan, scan.frames[0], *backend)[1].fields, 0);
}

TEST(ObjectReach, IsUnknownInNoise) {
    const auto backend = make_cpu_backend();
    Scan scan = scan_of({});
    std::uint32_t state = 1;
    const auto number = [&] {
        state = state * 1664525 + 1013904223;
        return static_cast<float>(state >> 8) / static_cast<float>(1 << 23) - 1;
    };
    for (cfloat& value : scan.frames[0].kspace) {
        value = {number(), number()};
    }
    for (const ObjectReach& reach : object_reach(scan, scan.frames[0], *backend)) {
        EXPECT_EQ(reach.fields, 0);
    }
}

TEST(Room, IsMadeForObjectsThatAreTwiceAsWideAsTheField) {
    for (const Index off : {14, 17}) {
        std::vector<cfloat> truth;
        const Scan scan = scan_of({.off = {off, off, 0}}, &truth);
        const double without = error_with(scan, none, truth), with = error_with(scan, {}, truth);
        EXPECT_LT(with, .3 * without) << off;
        EXPECT_LT(with, .06) << off;
    }
}

TEST(Room, IsMadeAlongTheAxisThatLacksIt) {
    const auto backend = make_cpu_backend();
    for (const bool with_maps : {false, true}) {
        Scan scan = scan_of({.off = {0, 6, 0}, .with_maps = with_maps});
        const Margin margin = make_room(scan, {}, *backend);
        EXPECT_EQ(margin[0], 0);
        EXPECT_GE(margin[1], 5);  // the head ends 4 voxels beyond
        EXPECT_LE(margin[1], 9);
        EXPECT_EQ(scan.geometry.matrix_size, (PerAxis<Index>{64, 52 + 2 * margin[1], 1}));
    }
}

TEST(Room, IsNotMadeWhereTheObjectEndsInside) {
    const auto backend = make_cpu_backend();
    for (const char* const kind : {"radial", "spiral", "cartesian"}) {
        Scan scan = scan_of({.trajectory = kind});
        EXPECT_TRUE(is_empty(make_room(scan, {}, *backend)));
        EXPECT_EQ(scan.geometry.matrix_size, (PerAxis<Index>{64, 64, 1}));
    }
    Scan volume = scan_of({.trajectory = "cones", .matrix = {32, 32, 32}});
    EXPECT_TRUE(is_empty(make_room(volume, {}, *backend)));
}

/// Readouts that are sampled once a cycle, or little denser, leave aliases all about the object in a wider field, and
/// tell nothing of what is there: one of the field explains them as well. An object that goes on does not.
TEST(Room, IsNotMadeForAliasesOfReadoutsThatAreHardlyOversampled) {
    const auto backend = make_cpu_backend();
    for (const double oversampling : {1.0, 1.33}) {
        for (const Index coils : {1, 8}) {
            Scan inside = scan_of({.coils = coils, .oversampling = oversampling});
            EXPECT_TRUE(is_empty(make_room(inside, {}, *backend))) << oversampling << ' ' << coils;
        }
    }
    for (const Index coils : {1, 8}) {
        Scan wide = scan_of({.off = {17, 17, 0}, .coils = coils, .oversampling = 1.33});
        EXPECT_GT(make_room(wide, {}, *backend)[1], 14) << coils;
    }
}

/// Turns that are missing leave aliases of each coil beyond the field, as an object would.
TEST(Room, IsNotMadeForAliasesThatNoMapsTell) {
    const auto backend = make_cpu_backend();
    for (const double undersampling : {2, 3, 4}) {
        Scan scan = scan_of({.trajectory = "spiral", .coils = 8, .with_maps = false, .undersampling = undersampling});
        EXPECT_TRUE(is_empty(make_room(scan, {}, *backend))) << undersampling;
    }
}

TEST(Room, IsWhatIsGiven) {
    const auto backend = make_cpu_backend();
    Scan inside = scan_of({}), beyond = scan_of({.off = {0, 6, 0}}), left = beyond;
    EXPECT_EQ(make_room(inside, {.given = Margin{3, 0, 0}, .automatic = false}, *backend), (Margin{3, 0, 0}));
    EXPECT_EQ(inside.geometry.matrix_size[0], 70);
    EXPECT_EQ(make_room(inside, {.given = Margin{2, 2, 2}, .automatic = false}, *backend), (Margin{2, 2, 0}));
    EXPECT_TRUE(is_empty(make_room(beyond, none, *backend)));
    EXPECT_TRUE(is_empty(make_room(left, {.given = {}, .automatic = false}, *backend)));
}

TEST(Room, OfSlicesIsThatOfTheWidest) {
    const auto backend = make_cpu_backend();
    Scan scan = scan_of({.off = {0, 6, 0}});
    scan.frames.push_back(scan.frames[0]);
    scan.frames[1].label.slice = 1;
    auto inside = std::make_shared<Trajectory>(*scan.frames[0].trajectory);
    for (double& k : inside->k[1]) {
        k *= 64.0 / 52;  // so the first slice ends within the field
    }
    scan.frames[0].trajectory = inside;
    EXPECT_GT(make_room(scan, {}, *backend)[1], 0);
}

TEST(Room, IsTheSameForProcessesThatHoldParts) {
    const auto backend = make_cpu_backend();
    Scan whole = scan_of({.off = {0, 6, 0}});
    Scan parts = test::scan_in_parts(whole);
    parts.frames[0].load();
    EXPECT_EQ(make_room(parts, {}, *backend), make_room(whole, {}, *backend));
}

class RoomForImages : public ::testing::TestWithParam<Cut> {};

TEST_P(RoomForImages, LeavesAThirdOfTheError) {
    std::vector<cfloat> truth;
    const Scan scan = scan_of(GetParam(), &truth);
    const double without = error_with(scan, none, truth), with = error_with(scan, {}, truth);
    EXPECT_LT(with, without / 3) << without;
    EXPECT_LT(with, .05);
}

INSTANTIATE_TEST_SUITE_P(All, RoomForImages,
                         ::testing::Values(Cut{.off = {0, 6, 0}, .with_maps = true},
                                           Cut{.off = {0, 6, 0}, .with_maps = false}, Cut{.off = {8, 8, 0}, .coils = 1},
                                           Cut{.trajectory = "spiral", .off = {0, 8, 0}},
                                           Cut{.matrix = {32, 32, 32}, .off = {0, 4, 0}}));

}  // namespace
}  // namespace recon
