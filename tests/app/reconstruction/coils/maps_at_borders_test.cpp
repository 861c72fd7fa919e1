// Which of two sets of maps is taken where the object touches opposite borders of the field of view.
#include <gtest/gtest.h>

#include "app/reconstruction/coils/coil_calibration.hpp"
#include "app/reconstruction/coils/coil_estimation.hpp"
#include "core/mri/coils/cartesian_kspace.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/border_object.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

/// Samples at half cycles per FOV, noise-free.
Frame frame_of(const test::BorderObject& object) {
    const std::vector<cdouble> images = object.coil_images();
    const CalibrationKspace kspace = cartesian_kspace(std::span<const cdouble>(images), object.matrix,
                                                      CalibrationRegion::of_radius(object.matrix, 16), 2);
    const Shape box = kspace.region.box();
    const PerAxis<Index> half = kspace.region.half_extent();
    Trajectory trajectory;
    for (Index i = 0; i < box.element_count(); ++i) {
        trajectory.k[0].push_back(0.5 * static_cast<double>(i % box.extent(0) - half[0]));
        trajectory.k[1].push_back(0.5 * static_cast<double>(i / box.extent(0) - half[1]));
        trajectory.k[2].push_back(0);
    }
    Frame frame;
    frame.trajectory = std::make_shared<const Trajectory>(std::move(trajectory));
    frame.kspace.assign(kspace.values.begin(), kspace.values.end());
    return frame;
}

class MapsAtBorders : public test::EveryBackend {
protected:
    static constexpr PerAxis<Index> matrix_{64, 64, 1};
    static constexpr Index coil_count_ = 8;

    std::vector<cfloat> maps(const Frame& frame) const {
        CoilOptions options;
        options.crop = 0;
        return CoilEstimation(frame, {frame.kspace, coil_count_}, matrix_, options).maps(*backend_);
    }
    /// Those of whole cycles.
    std::vector<cfloat> maps_that_repeat(const Frame& frame) const {
        const CalibrationRegion region = CalibrationRegion::covered_by(*frame.trajectory, matrix_, 12).region;
        const CalibrationProblem problem(*backend_,
                                         calibration_samples(region, *frame.trajectory, {frame.kspace, coil_count_}),
                                         {}, calibration_sums);
        const CalibrationImages images = problem.on_host(problem.coil_images());
        return espirit_maps(*backend_, images.kspace(), matrix_, {.crop = 0});
    }
};

TEST_P(MapsAtBorders, AreThoseOfAWiderFieldOfViewWhereTheObjectTouchesThem) {
    const test::BorderObject object{matrix_, coil_count_};
    const Frame frame = frame_of(object);
    EXPECT_GT(object.map_error(maps_that_repeat(frame)), 0.04);
    EXPECT_LT(object.map_error(maps(frame)), 0.02);
}

/// Not a bit else.
TEST_P(MapsAtBorders, AreThoseThatRepeatWhereItDoesNot) {
    const test::BorderObject object{matrix_, coil_count_, 0.08};
    const Frame frame = frame_of(object);
    EXPECT_EQ(maps(frame), maps_that_repeat(frame));
}

INSTANTIATE_TEST_SUITE_P(, MapsAtBorders, test::every_backend(), test::backend_name);

TEST(CalibrationImagesTest, TouchOppositeBordersWhereBothEndsOfAnAxisHoldSignal) {
    const auto touch = [](int axis, Index first, Index last) {  // a bar between these planes of 32
        CalibrationImages images{CalibrationRegion::of_radius({32, 32, 32}, 12), {32, 32, 32}, {}};
        for (Index i = 0; i < 32 * 32 * 32; ++i) {
            const PerAxis<Index> at{i % 32, i / 32 % 32, i / 1024};
            bool inside = true;
            for (int other = 0; other < 3; ++other) {
                inside = inside &&
                         (other == axis ? at[axis] >= first && at[axis] <= last : at[other] >= 8 && at[other] < 24);
            }
            images.values.emplace_back(inside ? 1 : 0.05);
        }
        return images.touch_opposite_borders();
    };
    for (int axis = 0; axis < 3; ++axis) {
        EXPECT_TRUE(touch(axis, 0, 31)) << axis;
        EXPECT_FALSE(touch(axis, 2, 29)) << axis;
        EXPECT_FALSE(touch(axis, 0, 29)) << axis << ": one border";
        EXPECT_FALSE(touch(axis, 2, 31)) << axis << ": the other";
    }
    const CalibrationImages slice{CalibrationRegion::of_radius({4, 4, 1}, 2), {4, 4, 1}, std::vector<cdouble>(16, 0)};
    EXPECT_FALSE(slice.touch_opposite_borders()) << "nothing there, and an axis of one voxel";
}

}  // namespace
}  // namespace recon
