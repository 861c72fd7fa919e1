// Calibration from non-Cartesian samples, and maps from it, on every backend.
#include <gtest/gtest.h>

#include "app/reconstruction/coils/calibration_fit.hpp"
#include "app/reconstruction/coils/coil_calibration.hpp"
#include "app/reconstruction/coils/coil_estimation.hpp"
#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/fourier/direct_sums.hpp"
#include "core/mri/coils/cartesian_kspace.hpp"
#include "core/mri/echo_centre.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/coil_images.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

struct Case {
    std::string trajectory;
    PerAxis<Index> matrix;
    Index coils;
};

void PrintTo(const Case& c, std::ostream* out) {
    *out << c.trajectory << " " << c.matrix[0] << "x" << c.matrix[1] << "x" << c.matrix[2];
}

/// Positions of a simulated trajectory, with the samples of the test's own coil images there.
/// @param phase  of the object at a voxel
Frame frame_of(
    Backend& backend, const Case& c,
    const std::function<cfloat(Index voxel)>& phase = [](Index) { return cfloat(1); }) {
    SimulationOptions options;
    options.trajectory = c.trajectory;
    options.request.matrix_size = c.matrix;
    options.coil_count = 1;
    options.request.undersampling = 1;
    Frame frame = simulate_scan(options).scan.frames.front();
    const VoxelGrid grid = VoxelGrid::image(c.matrix);
    const auto sums = backend.make_exact_sums(*frame.trajectory, grid, Precision::double_);
    Array images(backend, grid.shape.with_axis("coil", c.coils), Precision::double_);
    std::vector<cfloat> values = test::coil_images(c.matrix, c.coils);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] *= phase(static_cast<Index>(i) % grid.shape.element_count());
    }
    upload(values, images);
    Array samples(backend, Shape::samples(frame.sample_count()).with_axis("coil", c.coils), Precision::double_);
    sums->forward(images, samples);
    frame.kspace = download<float>(samples);
    return frame;
}

std::vector<cdouble> wide(const std::vector<cfloat>& values) { return {values.begin(), values.end()}; }

class CoilMaps : public ::testing::TestWithParam<std::tuple<test::BackendFactory, Case>> {
protected:
    const Case& c() const { return std::get<1>(GetParam()); }
    std::vector<cfloat> maps(Backend& backend, const Frame& frame, const CoilOptions& options) const {
        return CoilEstimation(frame, {frame.kspace, c().coils}, c().matrix, options).maps(backend);
    }
    CalibrationImages gridded_images(const CalibrationSamples& samples) const {
        const CalibrationProblem problem(*backend_, samples, {}, calibration_sums);
        return problem.on_host(problem.coil_images());
    }
    std::unique_ptr<Backend> backend_ = std::get<0>(GetParam()).make();
};

/// Points a cycle and more within the region: fitted to a percent of the energy there. (The maps need less: see below.)
TEST_P(CoilMaps, CalibrationIsTheCartesianKspaceOfTheCoils) {
    const Frame frame = frame_of(*backend_, c());
    const CalibrationRegion region = CalibrationRegion::of_radius(c().matrix, 6);
    const CalibrationKspace gridded =
        gridded_images(calibration_samples(region, *frame.trajectory, {frame.kspace, c().coils})).kspace();
    const CalibrationKspace truth = cartesian_kspace(test::coil_images(c().matrix, c().coils), c().matrix, region);
    const PerAxis<Index> half = region.half_extent();
    const Shape box = region.box();
    std::vector<cdouble> of_gridded;
    std::vector<cdouble> of_truth;
    for (Index i = 0; i < static_cast<Index>(truth.values.size()); ++i) {
        const Index point = i % box.element_count();
        const PerAxis<double> k{static_cast<double>(point % box.extent(0) - half[0]),
                                static_cast<double>(point / box.extent(0) % box.extent(1) - half[1]),
                                static_cast<double>(point / box.extent(0) / box.extent(1) - half[2])};
        if (region.contains(k, -1)) {
            of_gridded.push_back(gridded.values[i]);
            of_truth.push_back(truth.values[i]);
        }
    }
    EXPECT_LT(test::relative_difference(of_gridded, of_truth), 0.02);
}

TEST_P(CoilMaps, AreThoseOfTheCoils) {
    const Frame frame = frame_of(*backend_, c());
    const bool is_3d = c().matrix[2] > 1;
    EXPECT_LT(test::map_error(maps(*backend_, frame, {.method = CoilMapMethod::espirit}), c().matrix, c().coils),
              is_3d ? 0.05 : 0.03);
    EXPECT_LT(test::map_error(maps(*backend_, frame, {.method = CoilMapMethod::walsh}), c().matrix, c().coils),
              is_3d ? 0.15 : 0.08);
}

/// Of the calibration data right maps leave little, maps of other places or other coils most.
TEST_P(CoilMaps, AreJudgedByTheCalibrationData) {
    const Frame frame = frame_of(*backend_, c());
    const CalibrationRegion region = CalibrationRegion::of_radius(c().matrix, 8);
    const CalibrationKspace calibration =
        gridded_images(calibration_samples(region, *frame.trajectory, {frame.kspace, c().coils})).kspace();
    const std::vector<cdouble> truth = test::true_maps(misfit_matrix(region, c().matrix), c().coils);
    std::vector<cfloat> maps(truth.begin(), truth.end());
    const auto misfit_of = [&](const std::vector<cfloat>& some) {
        return calibration_misfit(*backend_, calibration, some, c().matrix);
    };
    EXPECT_LT(misfit_of(maps), 0.12);
    std::vector<cfloat> conjugated = maps;
    for (cfloat& value : conjugated) {
        value = std::conj(value);
    }
    EXPECT_GT(misfit_of(conjugated), 0.3);
    std::rotate(maps.begin(), maps.begin() + std::ssize(maps) / c().coils, maps.end());
    EXPECT_GT(misfit_of(maps), 0.3);
}

/// So small a region that ESPIRiT's kernel is a point or two: its maps hardly change from voxel to voxel. Walsh's are
/// taken, unless ESPIRiT's were asked for; of volumes ESPIRiT's may be the better ones yet.
TEST_P(CoilMaps, AreWalshsWhereTheseFitBetter) {
    const Frame frame = frame_of(*backend_, c());
    const bool is_volume = c().matrix[2] > 1;
    const double radius = is_volume ? 2.4 : 1.3;
    const auto error = [&](const CoilOptions& options) {
        return test::map_error(maps(*backend_, frame, options), c().matrix, c().coils);
    };
    const double of_walsh = error({.method = CoilMapMethod::walsh, .calibration_radius = radius});
    const double of_espirit = error({.method = CoilMapMethod::espirit, .calibration_radius = radius});
    const bool walsh_is_better = of_espirit > 1.15 * of_walsh;
    EXPECT_TRUE(walsh_is_better || is_volume);
    EXPECT_EQ(error({.calibration_radius = radius}), walsh_is_better ? of_walsh : of_espirit);
}

/// Few planes, and as much of a coil's map along z as in other scans.
TEST(CoilMapsOfAThinSlab, AreThoseOfTheCoils) {
    const auto backend = make_cpu_backend(0);
    const CoilOptions options;
    for (const Index planes : {4, 6}) {
        const Case slab{"stack-of-spirals", {24, 24, planes}, 6};
        const Frame frame = frame_of(*backend, slab);
        const CoilEstimation estimation(frame, {frame.kspace, slab.coils}, slab.matrix, options);
        EXPECT_LT(test::map_error(estimation.maps(*backend), slab.matrix, slab.coils), 0.12) << planes;
    }
}

TEST_P(CoilMaps, DoNotDependOnTheScaleOfTheData) {
    const CoilOptions options{.crop = 0};
    const Frame frame = frame_of(*backend_, c());
    const std::vector<cdouble> expected = wide(maps(*backend_, frame, options));
    for (const float scale : {1e-25F, 1e20F}) {  // their squares are beyond single precision
        Frame scaled = frame;
        for (cfloat& value : scaled.kspace) {
            value *= scale;
        }
        // rounding of single precision in ten iterations, divided by the smallest singular value that counts, 1e-3
        EXPECT_LT(test::relative_difference(wide(maps(*backend_, scaled, options)), expected), 1e-3) << scale;
    }
}

TEST_P(CoilMaps, AreThoseOfTheCpu) {
    const auto cpu = make_cpu_backend(0);
    const Frame frame = frame_of(*cpu, c());
    const CoilOptions options{.crop = 0};
    EXPECT_LT(test::relative_difference(wide(maps(*backend_, frame, options)), wide(maps(*cpu, frame, options))), 1e-4);
}

/// A phase ramp over the object moves its echo away from k = 0. There the samples lie less densely, and a part of the
/// region is beyond the band in three dimensions: up to three times the error of AreThoseOfTheCoils is allowed.
TEST_P(CoilMaps, FollowTheEcho) {
    const PerAxis<double> echo{9, c().matrix[2] > 1 ? 0.0 : -4.0, 0};
    const VoxelGrid grid = VoxelGrid::image(c().matrix);
    const auto ramp = [&](Index voxel) {
        const double x = grid.position(0, voxel % c().matrix[0]);
        const double y = grid.position(1, voxel / c().matrix[0] % c().matrix[1]);
        return std::polar(1.0F, static_cast<float>(2 * pi * (echo[0] * x + echo[1] * y)));
    };
    const Frame frame = frame_of(*backend_, c(), ramp);
    const PerAxis<double> found = echo_centre(*frame.trajectory, {frame.kspace, c().coils}, c().matrix);
    for (int axis = 0; axis < 3; ++axis) {  // the object and the coils have phases, too
        EXPECT_NEAR(found[axis], echo[axis], 2.5);
    }
    const bool is_3d = c().matrix[2] > 1;
    EXPECT_LT(test::map_error(maps(*backend_, frame, {.method = CoilMapMethod::espirit}), c().matrix, c().coils),
              is_3d ? 0.15 : 0.05);

    // Relative to a body coil, which sees the ramp as well, they are the same as without it, phases included, but for
    // twice that error. (A ramp left in would make the difference sqrt(2).)
    CoilOptions still, moved;
    for (const cdouble value : test::object(c().matrix)) {
        still.body_coil_image.emplace_back(value);
        moved.body_coil_image.push_back(still.body_coil_image.back() * ramp(std::ssize(moved.body_coil_image)));
    }
    EXPECT_LT(test::relative_difference(wide(maps(*backend_, frame, moved)),
                                        wide(maps(*backend_, frame_of(*backend_, c()), still))),
              is_3d ? 0.3 : 0.1);
}

/// A field that winds the phase up by more than a turn while the centre is sampled: samples by exact sums. Maps are as
/// good as without it; those that leave it out are worse.
TEST_P(CoilMaps, AllowForOffResonance) {
    Frame frame = frame_of(*backend_, c());
    const VoxelGrid grid = VoxelGrid::image(c().matrix);
    std::vector<float> map_hz;
    for (Index voxel = 0; voxel < grid.shape.element_count(); ++voxel) {
        const double x = grid.position(0, voxel % c().matrix[0]);
        const double y = grid.position(1, voxel / c().matrix[0] % c().matrix[1]);
        map_hz.push_back(static_cast<float>(100 + 300 * x + 500 * y * y));
    }
    std::vector<float> times_s;  // from the centre outwards, as on a spiral, and the same on every readout
    for (Index m = 0; m < frame.sample_count(); ++m) {
        const auto& k = frame.trajectory->k;
        times_s.push_back(static_cast<float>(0.003 + 5e-4 * std::hypot(k[0][m], k[1][m], k[2][m])));
    }
    frame.sample_times_s = times_s;
    const OffResonanceMaps off_resonance{map_hz, {}};
    const auto sums =
        backend_->make_off_resonance_sums(*frame.trajectory, grid, times_s, off_resonance, Precision::double_);
    Array images(*backend_, grid.shape.with_axis("coil", c().coils), Precision::double_);
    upload(test::coil_images(c().matrix, c().coils), images);
    Array samples(*backend_, Shape::samples(frame.sample_count()).with_axis("coil", c().coils), Precision::double_);
    sums->forward(images, samples);
    frame.kspace = download<float>(samples);

    const bool is_3d = c().matrix[2] > 1;
    for (const CoilMapMethod method : {CoilMapMethod::espirit, CoilMapMethod::walsh}) {
        const CoilOptions options{.method = method};
        const CoilEstimation allowing(frame, {frame.kspace, c().coils}, c().matrix, options, off_resonance);
        const double bound = method == CoilMapMethod::espirit ? (is_3d ? 0.05 : 0.03) : (is_3d ? 0.15 : 0.08);
        backend_->memory().restart_peak();
        const std::size_t before = backend_->memory().in_use();
        const double error = test::map_error(allowing.maps(*backend_), c().matrix, c().coils);
        EXPECT_LE(backend_->memory().peak() - before,
                  allowing.backend_bytes(*backend_, backend_->memory().piece_bytes()) + (std::size_t{512} << 10));
        EXPECT_LT(error, bound) << static_cast<int>(method);
        const double worse = method == CoilMapMethod::walsh && is_3d ? 1.02 : 1.2;  // its resolution is most of that
        EXPECT_GT(test::map_error(maps(*backend_, frame, options), c().matrix, c().coils), worse * error)
            << static_cast<int>(method);
    }
}

TEST_P(CoilMaps, NeedSignalAtTheCentre) {
    Frame frame = frame_of(*backend_, c());
    std::fill(frame.kspace.begin(), frame.kspace.end(), cfloat(0));
    test::expect_error<InputError>([&] { maps(*backend_, frame, {}); }, {"coil maps", "none holds signal"});
}

TEST_P(CoilMaps, TakeTheMemoryThatIsForecast) {
    const Frame frame = frame_of(*backend_, c());
    const CoilOptions options;
    const CoilEstimation estimation(frame, {frame.kspace, c().coils}, c().matrix, options);
    const std::size_t before = backend_->memory().in_use();
    backend_->memory().restart_peak();
    estimation.maps(*backend_);
    const std::size_t used = backend_->memory().peak() - before;
    const std::size_t forecast = estimation.backend_bytes(*backend_, backend_->memory().piece_bytes());
    EXPECT_LE(used, forecast + (std::size_t{512} << 10));  // small things, as in the forecast of all
    EXPECT_EQ(backend_->memory().in_use(), before);
}

/// On a finer matrix than the calibration's, where its voxels take more than gridding does.
TEST_P(CoilMaps, OfManyVoxelsTakeTheMemoryThatIsForecast) {
    const Frame frame = frame_of(*backend_, c());
    PerAxis<Index> matrix = c().matrix;
    for (Index& extent : matrix) {
        extent *= extent > 1 ? (c().matrix[2] > 1 ? 4 : 12) : 1;
    }
    for (const CoilMapMethod method : {CoilMapMethod::espirit, CoilMapMethod::walsh}) {
        const CoilOptions options{.method = method};
        const CoilEstimation estimation(frame, {frame.kspace, c().coils}, matrix, options);
        const std::size_t before = backend_->memory().in_use();
        backend_->memory().restart_peak();
        estimation.maps(*backend_);
        const std::size_t used = backend_->memory().peak() - before;
        const std::size_t forecast = estimation.backend_bytes(*backend_, backend_->memory().piece_bytes());
        EXPECT_LE(used, forecast) << static_cast<int>(method);
        EXPECT_GT(used, forecast / 2) << static_cast<int>(method);  // of the method that takes less, too
    }
}

INSTANTIATE_TEST_SUITE_P(, CoilMaps,
                         ::testing::Combine(test::every_backend(), ::testing::Values(Case{"radial", {48, 48, 1}, 6},
                                                                                     Case{"spiral", {50, 44, 1}, 4},
                                                                                     Case{"radial", {22, 20, 24}, 4})),
                         [](const auto& info) {
                             const PerAxis<Index>& n = std::get<1>(info.param).matrix;
                             return std::get<0>(info.param).name + "_" + std::get<1>(info.param).trajectory +
                                    std::to_string(n[0]) + "x" + std::to_string(n[1]) + "x" + std::to_string(n[2]);
                         });

}  // namespace
}  // namespace recon
