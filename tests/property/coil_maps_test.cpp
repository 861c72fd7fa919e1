#include "core/mri/coil_maps.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/cpu/cpu_backend.hpp"
#include "core/error.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

class CoilMaps : public test::EveryBackend {
protected:
    static constexpr Index n = 16;
    static constexpr Index coil_count = 3;

    CoilMaps() {
        for (Index j = 0; j < n; ++j) {
            for (Index i = 0; i < n; ++i) {
                trajectory_.k[0].push_back(static_cast<double>(i - n / 2));
                trajectory_.k[1].push_back(static_cast<double>(j - n / 2));
                trajectory_.k[2].push_back(0);
            }
        }
        weights_.assign(n * n, 1.0);
    }

    /// Maps from k-space of a smooth object seen by coils of constant phase and linear gain.
    std::vector<cdouble> estimate(Backend& backend, double scale, Residency maps_residency = Residency::resident) {
        const auto sums = backend.make_exact_sums(trajectory_, grid_, Precision::single);
        std::vector<cdouble> images;
        for (Index coil = 0; coil < coil_count; ++coil) {
            for (Index y = 0; y < n; ++y) {
                for (Index x = 0; x < n; ++x) {
                    const double r2 = std::pow(x - 8.0, 2) + std::pow(y - 8.0, 2);
                    images.push_back(scale * std::exp(-r2 / 18) * true_gain(coil, x, y));
                }
            }
        }
        Array image(backend, grid_.shape.with_axis("coil", coil_count), Precision::single);
        Array samples(backend, Shape::samples(n * n).with_axis("coil", coil_count), Precision::single);
        upload(images, image);
        sums->forward(image, samples);
        const CoilSensitivity estimated =
            estimate_coil_maps(backend, *sums, trajectory_, download<float>(samples), coil_count, weights_,
                               {.calibration_radius = 8}, alone_, Residency::resident, maps_residency);
        std::vector<cdouble> maps;
        std::optional<Array> buffer;
        for (Index coil = 0; coil < coil_count; ++coil) {
            const std::vector<cdouble> map = download<double>(estimated.map(coil, Precision::single, buffer));
            maps.insert(maps.end(), map.begin(), map.end());
        }
        return maps;
    }

    static cdouble true_gain(Index coil, Index x, Index y) {
        const double gain[coil_count] = {1.0, 1.0 + 0.03 * static_cast<double>(x), 1.4 - 0.03 * static_cast<double>(y)};
        return std::polar(gain[coil], static_cast<double>(coil));
    }

    VoxelGrid grid_ = VoxelGrid::image({n, n, 1});
    Trajectory trajectory_;
    std::vector<double> weights_;
    Division alone_{coil_count};
};

TEST_P(CoilMaps, AreTheGainsOfTheCoilsOverTheirRootSumOfSquares) {
    const std::vector<cdouble> maps = estimate(*backend_, 1);
    for (Index y = 5; y < 12; ++y) {
        for (Index x = 5; x < 12; ++x) {
            double squares = 0;
            double root = 0;
            for (Index coil = 0; coil < coil_count; ++coil) {
                squares += std::norm(maps[(coil * n + y) * n + x]);
                root += std::norm(true_gain(coil, x, y));
            }
            EXPECT_NEAR(squares, 1, 1e-5);
            for (Index coil = 0; coil < coil_count; ++coil) {  // the window of the calibration blurs gains a little
                EXPECT_LT(std::abs(maps[(coil * n + y) * n + x] - true_gain(coil, x, y) / std::sqrt(root)), 0.02);
            }
        }
    }
}

TEST_P(CoilMaps, DoNotDependOnTheScaleOfTheData) {
    const std::vector<cdouble> maps = estimate(*backend_, 1);
    for (const double scale : {1e-25, 1e20}) {  // their squares are beyond single precision
        EXPECT_LT(test::relative_difference(estimate(*backend_, scale), maps), 1e-5) << scale;
    }
}

TEST_P(CoilMaps, AreThoseOfTheCpu) {
    const auto cpu = make_cpu_backend(0);
    EXPECT_LT(test::relative_difference(estimate(*backend_, 1), estimate(*cpu, 1)), 1e-5);
}

TEST_P(CoilMaps, AreTheSameOnTheHost) {
    EXPECT_EQ(estimate(*backend_, 1, Residency::streamed), estimate(*backend_, 1, Residency::resident));
}

TEST_P(CoilMaps, NeedSignalAtTheCentre) {
    const auto sums = backend_->make_exact_sums(trajectory_, grid_, Precision::single);
    const std::vector<cfloat> silence(n * n * coil_count);
    EXPECT_THROW(estimate_coil_maps(*backend_, *sums, trajectory_, silence, coil_count, weights_, {}, alone_),
                 InputError);
}

INSTANTIATE_TEST_SUITE_P(, CoilMaps, test::every_backend(), test::backend_name);

}  // namespace
}  // namespace recon
