// Sums with off-resonance in the exponent, against their definition in double, on every backend.
#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <limits>

#include "core/operators/encoding.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/operator_properties.hpp"
#include "tests/support/sums/direct_off_resonance.hpp"

namespace recon {
namespace {

using test::relative_difference;

struct SumsCase {
    const char* name;
    PerAxis<Index> matrix_size;
    Index sample_count;
    Index image_count;
    Precision precision;
    double frequency_hz;  ///< the map is within +- this; 0: no map
    double decay_per_s;   ///< R2* up to this; 0: no map
    double readout_s = 0.03;
};

void PrintTo(const SumsCase& c, std::ostream* out) { *out << c.name; }

class OffResonanceSums : public ::testing::TestWithParam<std::tuple<test::BackendFactory, SumsCase>> {
protected:
    OffResonanceSums() {
        auto number = [state = 1U]() mutable {
            state = state * 1664525U + 1013904223U;
            return static_cast<double>(state) * 0x1p-32;
        };
        for (Index n = 0; n < grid_.shape.element_count(); ++n) {
            if (c_.frequency_hz > 0) {
                frequency_hz_.push_back(static_cast<float>(c_.frequency_hz * (2 * number() - 1)));
            }
            if (c_.decay_per_s > 0) {
                decay_per_s_.push_back(static_cast<float>(c_.decay_per_s * number()));
            }
        }
        for (Index m = 0; m < c_.sample_count; ++m) {
            times_s_.push_back(static_cast<float>(0.002 + c_.readout_s * number()));
        }
    }

    OffResonanceMaps maps() const { return {frequency_hz_, decay_per_s_}; }
    std::unique_ptr<FourierSums> make_sums() const {
        return backend_->make_off_resonance_sums(trajectory_, grid_, times_s_, maps(), c_.precision);
    }
    Shape image_shape() const { return grid_.shape.with_axis("batch", c_.image_count); }
    Shape sample_shape() const { return Shape::samples(c_.sample_count).with_axis("batch", c_.image_count); }

    /// Single: a factor is within 5e-7 of the hardware's sine and cosine or 2e-7 of a polynomial, with errors of random
    /// sign; runs and tiles of up to 128 add in single precision, sqrt(128 / 6) roundings of 6e-8. Double: the same
    /// roundings, 5e8 times smaller, and those of positions and of the definition itself.
    double tolerance() const { return c_.precision == Precision::single ? 1.5e-6 : 5e-14; }

    SumsCase c_ = std::get<1>(GetParam());
    std::unique_ptr<Backend> backend_ = std::get<0>(GetParam()).make();
    VoxelGrid grid_ = VoxelGrid::image(c_.matrix_size);
    Trajectory trajectory_ = test::random_trajectory(c_.sample_count, c_.matrix_size, 5);
    std::vector<float> frequency_hz_;
    std::vector<float> decay_per_s_;
    std::vector<float> times_s_;
};

TEST_P(OffResonanceSums, ForwardIsTheDefinition) {
    const Array image = test::random_array(*backend_, image_shape(), c_.precision, 6);
    Array samples(*backend_, sample_shape(), c_.precision);
    make_sums()->forward(image, samples);
    for (Index b = 0; b < c_.image_count; ++b) {
        const std::vector<cdouble> expected =
            test::direct_off_resonance_forward(trajectory_, grid_, maps(), times_s_, download<double>(image.slice(b)));
        EXPECT_LT(relative_difference(download<double>(samples.slice(b)), expected), tolerance());
    }
}

TEST_P(OffResonanceSums, AdjointIsTheDefinition) {
    const Array samples = test::random_array(*backend_, sample_shape(), c_.precision, 7);
    Array image(*backend_, image_shape(), c_.precision);
    make_sums()->adjoint(samples, image);
    for (Index b = 0; b < c_.image_count; ++b) {
        const std::vector<cdouble> expected = test::direct_off_resonance_adjoint(trajectory_, grid_, maps(), times_s_,
                                                                                 download<double>(samples.slice(b)));
        EXPECT_LT(relative_difference(download<double>(image.slice(b)), expected), tolerance());
    }
}

TEST_P(OffResonanceSums, MakeAnEncodingWithAdjointAndNormal) {
    const auto coils = std::make_shared<CoilSensitivity>(
        test::random_array(*backend_, grid_.shape.with_axis("coil", 3), c_.precision, 8));
    const Encoding encoding(*backend_, {make_sums(), coils, nullptr, nullptr});
    EXPECT_LT(test::adjoint_error(encoding), 4 * tolerance());
    EXPECT_LT(test::linearity_error(encoding), 4 * tolerance());
    // Forward and adjoint themselves, by batches of coils: equal but for the order of additions.
    EXPECT_LT(test::normal_error(encoding), tolerance());
}

TEST_P(OffResonanceSums, GiveTheSameBytesEveryTime) {
    const Array image = test::random_array(*backend_, image_shape(), c_.precision, 6);
    const Array samples = test::random_array(*backend_, sample_shape(), c_.precision, 7);
    const int usual = omp_get_max_threads();
    std::vector<std::vector<cdouble>> forward, adjoint;
    for (const int threads : {1, 5}) {
        omp_set_num_threads(threads);
        Array to_samples(*backend_, sample_shape(), c_.precision);
        Array to_image(*backend_, image_shape(), c_.precision);
        const auto sums = make_sums();
        sums->forward(image, to_samples);
        sums->adjoint(samples, to_image);
        forward.push_back(download<double>(to_samples));
        adjoint.push_back(download<double>(to_image));
    }
    omp_set_num_threads(usual);
    EXPECT_EQ(forward[0], forward[1]);
    EXPECT_EQ(adjoint[0], adjoint[1]);
}

constexpr Precision in_single = Precision::single;
constexpr Precision in_double = Precision::double_;

// Odd and unequal sizes, axes of one voxel, both sides of the lengths of tiles and runs, 1 to 7 images.
const std::vector<SumsCase> sums_cases{
    {"one_voxel", {1, 1, 1}, 1, 1, in_single, 200, 30},
    {"line", {129, 1, 1}, 517, 1, in_single, 250, 0},
    {"line_along_z_double", {1, 1, 67}, 130, 2, in_double, 250, 0},
    {"plane", {33, 17, 1}, 700, 1, in_single, 250, 0},
    {"plane_without_x", {1, 20, 21}, 513, 3, in_single, 250, 40},
    {"volume", {13, 8, 5}, 1025, 7, in_single, 250, 0},
    {"volume_with_decay", {13, 8, 5}, 1025, 6, in_single, 250, 150},
    {"volume_double", {13, 8, 5}, 640, 5, in_double, 250, 0},
    {"volume_with_decay_double", {9, 10, 11}, 300, 2, in_double, 250, 150},
    {"decay_alone", {16, 16, 1}, 400, 1, in_single, 0, 80},
    {"strong_decay", {16, 16, 1}, 400, 1, in_single, 100, 20000},
    {"no_off_resonance", {16, 15, 1}, 400, 2, in_single, 0, 0},
    {"many_turns", {32, 31, 1}, 600, 1, in_single, 2000, 0, 0.1},
    {"small_phases", {32, 31, 1}, 600, 1, in_single, 1e-3, 0, 1e-4},
};

INSTANTIATE_TEST_SUITE_P(, OffResonanceSums, ::testing::Combine(test::every_backend(), ::testing::ValuesIn(sums_cases)),
                         [](const auto& info) {
                             return std::get<0>(info.param).name + "_" + std::get<1>(info.param).name;
                         });

using OffResonanceSumsOf = test::EveryBackend;

TEST_P(OffResonanceSumsOf, WithoutAMapAreTheExactSums) {
    const VoxelGrid grid = VoxelGrid::image({24, 23, 3});
    const Trajectory trajectory = test::random_trajectory(900, {24, 23, 3}, 5);
    const std::vector<float> times_s(900, 0.01F);
    const auto plain = backend_->make_exact_sums(trajectory, grid, in_single);
    const auto sums = backend_->make_off_resonance_sums(trajectory, grid, times_s, {}, in_single);
    const Array image = test::random_array(*backend_, grid.shape, in_single, 6);
    Array expected(*backend_, Shape::samples(900), in_single);
    Array samples(*backend_, Shape::samples(900), in_single);
    plain->forward(image, expected);
    sums->forward(image, samples);
    EXPECT_LT(relative_difference(download<double>(samples), download<double>(expected)), 2e-6);
}

TEST_P(OffResonanceSumsOf, RefuseWhatDoesNotFit) {
    const VoxelGrid grid = VoxelGrid::image({4, 3, 1});
    const Trajectory trajectory = test::random_trajectory(10, {4, 3, 1}, 5);
    const std::vector<float> times_s(10, 0.01F);
    const std::vector<float> map(12, 100.0F);
    const auto make = [&](const std::vector<float>& times, const OffResonanceMaps& maps) {
        backend_->make_off_resonance_sums(trajectory, grid, times, maps, in_single);
    };
    EXPECT_NO_THROW(make(times_s, {map, map}));
    EXPECT_THROW(make(std::vector<float>(9, 0.01F), {map, {}}), ShapeError);
    EXPECT_THROW(make(times_s, {std::vector<float>(11), {}}), ShapeError);
    EXPECT_THROW(make(times_s, {map, std::vector<float>(13)}), ShapeError);
    EXPECT_THROW(make(times_s, {map, std::vector<float>(12, -1.0F)}), InputError);
    EXPECT_THROW(make(times_s, {std::vector<float>(12, std::numeric_limits<float>::quiet_NaN()), {}}), InputError);
    EXPECT_THROW(make(std::vector<float>(10, std::numeric_limits<float>::infinity()), {map, {}}), InputError);
}

INSTANTIATE_TEST_SUITE_P(, OffResonanceSumsOf, test::every_backend(), test::backend_name);

}  // namespace
}  // namespace recon
