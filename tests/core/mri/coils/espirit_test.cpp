#include "core/mri/coils/espirit.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <chrono>
#include <thread>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/cancel.hpp"
#include "core/base/error.hpp"
#include "core/mri/coils/cartesian_kspace.hpp"
#include "core/mri/coils/coil_maps.hpp"
#include "tests/support/coil_images.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

struct CalibrationCase {
    PerAxis<Index> matrix;
    Index coils;
    double radius;
    friend std::ostream& operator<<(std::ostream& out, const CalibrationCase& c) {
        return out << c.matrix[0] << "x" << c.matrix[1] << "x" << c.matrix[2] << ", " << c.coils << " coils";
    }
};

std::unique_ptr<Backend> cpu() { return make_cpu_backend(0); }

CalibrationKspace calibration_of(const CalibrationCase& c) {
    return cartesian_kspace(test::coil_images(c.matrix, c.coils), c.matrix,
                            CalibrationRegion::of_radius(c.matrix, c.radius));
}

double sum_of_squares(const std::vector<cfloat>& maps, Index voxel, Index coil_count) {
    const Index voxel_count = static_cast<Index>(maps.size()) / coil_count;
    double sum = 0;
    for (Index c = 0; c < coil_count; ++c) {
        sum += std::norm(cdouble(maps[c * voxel_count + voxel]));
    }
    return sum;
}

class MapsOfKnownCoils : public ::testing::TestWithParam<CalibrationCase> {};

/// Without noise the error is that of representing a coil by a kernel of 4 to 6 points: some tenths of a percent, more
/// at the rim of the object. Small images have no more than a few voxels in their rim, and kernels of 2 or 3 points.
TEST_P(MapsOfKnownCoils, AreReturnedByEspirit) {
    const CalibrationCase c = GetParam();
    const std::vector<cfloat> maps = espirit_maps(*cpu(), calibration_of(c), c.matrix, {.crop = 0});
    const bool is_small = c.radius < 8;
    EXPECT_LT(test::map_error(maps, c.matrix, c.coils), is_small ? 0.15 : 0.015);
    for (Index voxel = 0; voxel < c.matrix[0] * c.matrix[1] * c.matrix[2]; ++voxel) {
        ASSERT_NEAR(sum_of_squares(maps, voxel, c.coils), 1, 1e-4);
    }
}

/// Averaging over a neighbourhood takes the coils there for equal. It is about 1 / radius of the field of view wide,
/// over which these coils change by 0.7 of that at most.
TEST_P(MapsOfKnownCoils, AreReturnedByWalsh) {
    const CalibrationCase c = GetParam();
    const std::vector<cfloat> maps = walsh_maps(*cpu(), calibration_of(c), c.matrix);
    EXPECT_LT(test::map_error(maps, c.matrix, c.coils), 1 / c.radius);
}

TEST_P(MapsOfKnownCoils, AreAbsoluteWithABodyCoil) {
    const CalibrationCase c = GetParam();
    const std::vector<cdouble> object = test::object(c.matrix);
    const std::vector<cfloat> body(object.begin(), object.end());
    const std::vector<cfloat> maps = body_coil_maps(calibration_of(c), body, c.matrix);
    const std::vector<cdouble> truth = test::true_maps(c.matrix, c.coils);
    double error = 0;
    double all = 0;
    for (std::size_t i = 0; i < maps.size(); ++i) {
        if (object[i % object.size()] != cdouble(0)) {
            error += std::norm(cdouble(maps[i]) - truth[i]);
            all += std::norm(truth[i]);
        }
    }
    EXPECT_LT(std::sqrt(error / all), 1.2 / c.radius);  // phases and scale included
}

INSTANTIATE_TEST_SUITE_P(, MapsOfKnownCoils,
                         ::testing::Values(CalibrationCase{{64, 64, 1}, 8, 12}, CalibrationCase{{49, 61, 1}, 5, 12},
                                           CalibrationCase{{30, 28, 26}, 6, 8}, CalibrationCase{{1, 40, 37}, 4, 10},
                                           CalibrationCase{{97, 1, 1}, 3, 12}, CalibrationCase{{24, 20, 6}, 4, 6}));

class Espirit : public ::testing::Test {
protected:
    static constexpr CalibrationCase case_{{64, 64, 1}, 8, 12};
    CalibrationKspace with_noise(double deviation) const {
        CalibrationKspace calibration = calibration_of(case_);
        const std::vector<cdouble> noise = test::random_values(static_cast<Index>(calibration.values.size()), 5);
        double square = 0;
        for (const cdouble value : noise) {
            square += std::norm(value);
        }
        const double scale = deviation / std::sqrt(square / static_cast<double>(noise.size()));
        for (std::size_t i = 0; i < noise.size(); ++i) {
            calibration.values[i] += scale * noise[i];
        }
        return calibration;
    }
};

TEST_F(Espirit, KnowsTheNoise) {
    constexpr double deviation = 5;
    EspiritReport report;
    espirit_maps(*cpu(), with_noise(deviation), case_.matrix, {}, &report);
    // from some hundred patches that overlap
    EXPECT_NEAR(report.noise, deviation, 0.25 * deviation);
    EXPECT_GT(report.rank, 10);
    EXPECT_LT(report.rank, report.column_count / 2);
}

TEST_F(Espirit, CropsWhatIsNoiseAndNoneOfTheObject) {
    EspiritReport report;
    const std::vector<cfloat> maps = espirit_maps(*cpu(), with_noise(3), case_.matrix, {}, &report);
    const std::vector<cdouble> object = test::object(case_.matrix);
    Index kept_outside = 0;
    Index outside = 0;
    Index lost = 0;
    for (Index voxel = 0; voxel < 64 * 64; ++voxel) {
        const double squares = sum_of_squares(maps, voxel, case_.coils);
        EXPECT_TRUE(squares == 0 || std::abs(squares - 1) < 1e-4) << squares;
        lost += object[voxel] != cdouble(0) && squares == 0 ? 1 : 0;
        outside += object[voxel] == cdouble(0) ? 1 : 0;
        kept_outside += object[voxel] == cdouble(0) && squares > 0 ? 1 : 0;
    }
    EXPECT_EQ(lost, 0);
    EXPECT_GT(report.cropped_part, 0);
    EXPECT_LT(kept_outside, outside);
    EXPECT_LT(test::map_error(maps, case_.matrix, case_.coils), 0.03);
}

TEST_F(Espirit, ThePhaseIsThatOfThePrincipalComponent) {
    // The maps of one scan turned as a whole are the same maps: the object's phase is the reference's.
    CalibrationKspace calibration = calibration_of(case_);
    const std::vector<cfloat> maps = espirit_maps(*cpu(), calibration, case_.matrix, {.crop = 0});
    for (cdouble& value : calibration.values) {
        value *= std::polar(3.0, 1.0);
    }
    const std::vector<cfloat> turned = espirit_maps(*cpu(), calibration, case_.matrix, {.crop = 0});
    EXPECT_LT(test::relative_difference({turned.begin(), turned.end()}, {maps.begin(), maps.end()}), 1e-4);
    // and smooth: neighbours differ by little, but where the reference sees nothing
    double steps = 0;
    for (std::size_t i = 1; i < maps.size(); ++i) {
        steps += i % 64 == 0 ? 0 : std::norm(maps[i] - maps[i - 1]);
    }
    EXPECT_LT(std::sqrt(steps / (64 * 64)), 0.15);
}

TEST_F(Espirit, GivesTheSameBytesOnAnyNumberOfThreads) {
    const int before = omp_get_max_threads();
    std::vector<std::vector<cfloat>> maps;
    for (const int threads : {1, 2, 3}) {
        omp_set_num_threads(threads);
        maps.push_back(espirit_maps(*cpu(), with_noise(3), case_.matrix, {}));
    }
    omp_set_num_threads(before);
    EXPECT_EQ(maps[0], maps[1]);
    EXPECT_EQ(maps[0], maps[2]);
}

TEST_F(Espirit, DoesNotDependOnTheScale) {
    CalibrationKspace calibration = with_noise(3);
    const std::vector<cfloat> maps = espirit_maps(*cpu(), calibration, case_.matrix, {});
    for (const double scale : {1e-20, 1e15}) {
        CalibrationKspace scaled = calibration;
        for (cdouble& value : scaled.values) {
            value *= scale;
        }
        const std::vector<cfloat> same = espirit_maps(*cpu(), scaled, case_.matrix, {});
        EXPECT_LT(test::relative_difference({same.begin(), same.end()}, {maps.begin(), maps.end()}), 1e-4) << scale;
    }
}

TEST_F(Espirit, NeedsSignal) {
    CalibrationKspace calibration = calibration_of(case_);
    std::fill(calibration.values.begin(), calibration.values.end(), cdouble(0));
    test::expect_error<InputError>([&] { espirit_maps(*cpu(), calibration, case_.matrix, {}); }, {"coil maps", "zero"});
    test::expect_error<InputError>([&] { walsh_maps(*cpu(), calibration, case_.matrix); }, {"coil maps", "zero"});
}

/// A thousand columns, a million voxels of 16 coils: seconds, in the midst of which a stop is asked for.
class CoilMapsOfManyCoils : public ::testing::TestWithParam<int> {
protected:
    using Clock = std::chrono::steady_clock;

    /// @return how long it took to stop, at most 0 if it had ended before
    template <class Maps>
    static Clock::duration stops_within(const CalibrationKspace& calibration, Maps&& maps) {
        CancelSource source;
        const CancelToken token(source);
        const CancelBinding bound(token);
        Clock::time_point asked;
        std::thread user([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(GetParam()));
            asked = Clock::now();
            source.request();
        });
        try {
            maps(calibration);
        } catch (const Cancelled&) {
        }
        const auto ended = Clock::now();
        user.join();
        return ended - asked;
    }
};

TEST_P(CoilMapsOfManyCoils, AreStoppedAtOnce) {
    static const CalibrationKspace flat = calibration_of({{64, 64, 1}, 32, 12});
    const auto espirit = stops_within(flat, [](const auto& calibration) {
        espirit_maps(*cpu(), calibration, {64, 64, 1}, {});
    });
    static const CalibrationKspace solid = calibration_of({{32, 32, 32}, 16, 10});
    const auto walsh = stops_within(solid, [](const auto& calibration) {
        walsh_maps(*cpu(), calibration, {96, 96, 96});
    });
    for (const auto taken : {espirit, walsh}) {
        EXPECT_LT(taken, std::chrono::milliseconds(1000));
        if (GetParam() < 100) {  // later, fast machines have ended
            EXPECT_GT(taken, Clock::duration(0)) << "too quick to be stopped";
        }
    }
}

INSTANTIATE_TEST_SUITE_P(AfterMilliseconds, CoilMapsOfManyCoils, ::testing::Values(5, 20, 80, 200),
                         ::testing::PrintToStringParamName());

TEST(CalibrationRegionTest, IsWhatTheTrajectoryCovers) {
    Trajectory radial;  // spokes at the Nyquist distance up to radius 8 = spokes / pi
    constexpr int spokes = 25;
    for (int spoke = 0; spoke < spokes; ++spoke) {
        for (double r = -30; r <= 30; r += 0.5) {
            radial.k[0].push_back(r * std::cos(pi * spoke / spokes));
            radial.k[1].push_back(r * std::sin(pi * spoke / spokes));
            radial.k[2].push_back(0);
        }
    }
    // 95 % of the points within 3/4 cycle of a sample: a little less than twice the radius of the Nyquist condition
    const MeasuredRegion measured = CalibrationRegion::covered_by(radial, {60, 60, 1}, 24);
    const CalibrationRegion& region = measured.region;
    EXPECT_GT(region.radius[0], 8);
    EXPECT_LT(region.radius[0], 16);
    EXPECT_EQ(region.radius[2], 0);
    EXPECT_EQ(region.box(), Shape({{"kx", 2 * static_cast<Index>(region.radius[0]) + 1},
                                   {"ky", 2 * static_cast<Index>(region.radius[1]) + 1},
                                   {"kz", 1}}));
    EXPECT_EQ(CalibrationRegion::covered_by(radial, {60, 8, 1}, 6).region.radius[1], 4);  // half of the matrix
    EXPECT_GE(measured.part, 0.95);
    EXPECT_EQ(measured.part, region.part_covered_by(radial)) << "a second look sees what the first saw";
}

TEST(CalibrationRegionTest, LinesThatAreLeftOutAreNotCovered) {
    const auto part_with_every = [](int step) {
        Trajectory lines;
        for (int y = -32; y < 32; y += step) {
            for (int x = -32; x < 32; ++x) {
                lines.k[0].push_back(x);
                lines.k[1].push_back(y);
                lines.k[2].push_back(0);
            }
        }
        const MeasuredRegion measured = CalibrationRegion::covered_by(lines, {64, 64, 1}, 12);
        EXPECT_EQ(measured.part, measured.region.part_covered_by(lines));
        return measured.part;
    };
    constexpr double of_the_disc = 0.12;  // what lines through the middle of a small one hold more than others
    EXPECT_EQ(part_with_every(1), 1);
    EXPECT_NEAR(part_with_every(2), 1.0 / 2, of_the_disc);
    EXPECT_NEAR(part_with_every(3), 1.0 / 3, of_the_disc);
}

/// Every third line, and a block of all within six; at 7 there is none.
TEST(CalibrationRegionTest, EndsWhereCartesianLinesDo) {
    Trajectory lines;
    for (int i = 0; i < 32 * 32; ++i) {
        const int y = i % 32 - 16, z = i / 32 - 16;
        if (std::max(std::abs(y), std::abs(z)) <= 6 || (y % 3 == 0 && z % 3 == 0)) {
            lines.k[0].insert(lines.k[0].end(), {-16, -8, 0, 8});
            lines.k[1].insert(lines.k[1].end(), 4, y);
            lines.k[2].insert(lines.k[2].end(), 4, z);
        }
    }
    const MeasuredRegion measured = CalibrationRegion::covered_by(lines, {1, 32, 32}, 12);
    EXPECT_EQ(measured.region.radius[1], 6.5);
    EXPECT_EQ(measured.part, 1);
}

}  // namespace
}  // namespace recon
