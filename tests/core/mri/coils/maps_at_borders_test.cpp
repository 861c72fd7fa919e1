// ESPIRiT where the object touches opposite borders of the field of view.
#include <gtest/gtest.h>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/mri/coils/cartesian_kspace.hpp"
#include "core/mri/coils/espirit.hpp"
#include "tests/support/border_object.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

struct BothMaps {
    double whole, half;  ///< sines of the angle to the true ones
};

BothMaps errors_of(const test::BorderObject& object) {
    const std::unique_ptr<Backend> backend = make_cpu_backend(0);
    const std::vector<cdouble> images = object.coil_images();
    const CalibrationRegion region = CalibrationRegion::of_radius(object.matrix, 12);
    const auto kspace = [&](Index points_per_cycle) {
        return cartesian_kspace(std::span<const cdouble>(images), object.matrix, region, points_per_cycle);
    };
    const recon::Espirit whole(kspace(1), {.crop = 0});
    const recon::Espirit half = whole.of_wider_field_of_view(kspace(2));
    return {object.map_error(whole.maps(*backend, object.matrix)),
            object.map_error(half.maps(*backend, object.matrix))};
}

TEST(MapsAtBorders, OfWholeCyclesRepeatAndOfHalfCyclesNeedNot) {
    const BothMaps errors = errors_of({{64, 64, 1}, 8});
    EXPECT_GT(errors.whole, 0.04);
    EXPECT_LT(errors.half, 0.02);
}

TEST(MapsAtBorders, AwayFromThemBothAreRight) {
    const BothMaps errors = errors_of({{64, 64, 1}, 8, 0.1});
    EXPECT_LT(errors.whole, 0.02);
    EXPECT_LT(errors.half, 0.02);
}

TEST(MapsAtBorders, AreCroppedAsThoseOfWholeCycles) {
    const std::unique_ptr<Backend> backend = make_cpu_backend(0);
    const test::BorderObject object{{48, 48, 1}, 6, 0.15};
    const std::vector<cdouble> images = object.coil_images();
    const CalibrationRegion region = CalibrationRegion::of_radius(object.matrix, 12);
    const auto kspace = [&](Index points_per_cycle) {
        return cartesian_kspace(std::span<const cdouble>(images), object.matrix, region, points_per_cycle);
    };
    const recon::Espirit whole(kspace(1), {.crop = 0.97});
    EspiritReport of_whole, of_half;
    const std::vector<cfloat> maps = whole.maps(*backend, object.matrix, {}, &of_whole);
    const std::vector<cfloat> wider =
        whole.of_wider_field_of_view(kspace(2)).maps(*backend, object.matrix, {}, &of_half);
    EXPECT_GT(of_whole.cropped_part, 0.05);
    for (std::size_t i = 0; i < maps.size(); ++i) {
        ASSERT_EQ(maps[i] == cfloat(0), wider[i] == cfloat(0)) << i;
    }
    // fewer of the singular vectors: noise of points half a cycle apart is that of fewer columns
    EXPECT_EQ(of_half.cropped_part, of_whole.cropped_part);
    EXPECT_LT(of_half.rank, of_whole.rank);
}

/// Every other point of half cycles is one of whole cycles.
TEST(MapsAtBorders, HalfCyclesHoldTheWholeOnes) {
    for (const PerAxis<Index>& matrix : {PerAxis<Index>{20, 17, 1}, PerAxis<Index>{12, 10, 9}}) {
        const std::vector<cfloat> images = test::coil_images(matrix, 1);
        const std::vector<cdouble> wide(images.begin(), images.end());
        const CalibrationRegion region = CalibrationRegion::of_radius(matrix, 4);
        const CalibrationKspace whole = cartesian_kspace(std::span<const cdouble>(wide), matrix, region);
        const CalibrationKspace halves = cartesian_kspace(std::span<const cdouble>(wide), matrix, region, 2);
        const Shape box = whole.region.box(), half_box = halves.region.box();
        ASSERT_EQ(half_box.extent(0), 2 * box.extent(0) - 1);
        EXPECT_EQ(halves.step(), 0.5);
        std::vector<cdouble> found;
        for (Index z = 0; z < half_box.extent(2); z += 2) {
            for (Index y = 0; y < half_box.extent(1); y += 2) {
                for (Index x = 0; x < half_box.extent(0); x += 2) {
                    found.push_back(halves.values[(z * half_box.extent(1) + y) * half_box.extent(0) + x]);
                }
            }
        }
        EXPECT_LT(test::relative_difference(found, whole.values), 1e-12);
    }
}

}  // namespace
}  // namespace recon
