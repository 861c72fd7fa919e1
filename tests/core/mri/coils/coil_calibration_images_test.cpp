#include "core/mri/coils/coil_calibration_images.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/random.hpp"

namespace recon {
namespace {

CalibrationKspace random_calibration(const PerAxis<double>& radius, Index coil_count) {
    CalibrationKspace calibration{.region = {radius}, .coil_count = coil_count, .values = {}};
    calibration.values = test::random_values(calibration.region.box().element_count() * coil_count, 4);
    return calibration;
}

/// Windowed, 0 outside the region and the box.
class WindowedKspace {
public:
    explicit WindowedKspace(const CalibrationKspace& calibration)
        : calibration_(calibration), half_(calibration.region.half_extent()) {}

    cdouble at(const PerAxis<Index>& k, Index coil) const {
        PerAxis<double> position{};
        double square = 0;
        Index index = coil;
        for (int axis = 2; axis >= 0; --axis) {
            if (std::abs(k[axis]) > half_[axis]) {
                return 0;
            }
            index = index * (2 * half_[axis] + 1) + k[axis] + half_[axis];
            position[axis] = static_cast<double>(k[axis]);
            square += std::pow(half_[axis] > 0 ? position[axis] / (calibration_.region.radius[axis] + 1) : 0, 2);
        }
        const double window = std::pow(std::cos(pi / 2 * std::min(1.0, std::sqrt(square))), 2);
        return calibration_.region.contains(position) ? window * calibration_.values[index] : 0;
    }

    template <class Function>
    void for_each(Function&& function) const {
        for (Index z = -half_[2]; z <= half_[2]; ++z) {
            for (Index y = -half_[1]; y <= half_[1]; ++y) {
                for (Index x = -half_[0]; x <= half_[0]; ++x) {
                    function(PerAxis<Index>{x, y, z});
                }
            }
        }
    }

private:
    const CalibrationKspace& calibration_;
    PerAxis<Index> half_;
};

class LocalCovariance : public ::testing::TestWithParam<PerAxis<double>> {};

TEST_P(LocalCovariance, IsTheCorrelationOfTheWindowedKspace) {
    constexpr Index coils = 3;
    const CalibrationKspace calibration = random_calibration(GetParam(), coils);
    const WindowedKspace kspace(calibration);
    double energy = 0;
    kspace.for_each([&](const PerAxis<Index>& k) {
        for (Index c = 0; c < coils; ++c) {
            energy += std::norm(kspace.at(k, c));
        }
    });
    const CoilMatrixField field = local_covariance(calibration);
    const PerAxis<Index> degree = field.pairs.degree();
    for (Index qz = -degree[2]; qz <= degree[2]; ++qz) {
        for (Index qy = -degree[1]; qy <= degree[1]; ++qy) {
            for (Index qx = -degree[0]; qx <= degree[0]; ++qx) {
                const PerAxis<Index> q{qx, qy, qz};
                double triangle = 1;
                for (int axis = 0; axis < 3; ++axis) {
                    triangle *= 1 - std::abs(static_cast<double>(q[axis])) / static_cast<double>(degree[axis] + 1);
                }
                for (Index c2 = 0; c2 < coils; ++c2) {
                    for (Index c = 0; c <= c2; ++c) {
                        cdouble sum = 0;
                        kspace.for_each([&](const PerAxis<Index>& k) {
                            sum += kspace.at({k[0] - qx, k[1] - qy, k[2] - qz}, c) * std::conj(kspace.at(k, c2));
                        });
                        const cdouble expected = triangle * sum / energy;
                        EXPECT_LT(
                            std::abs(cdouble(field.pairs.coefficients(q)[CoilMatrixField::pair(c, c2)]) - expected),
                            1e-6)
                            << qx << " " << qy << " " << qz << ", coils " << c << " and " << c2;
                    }
                }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(, LocalCovariance,
                         ::testing::Values(PerAxis<double>{5, 0, 0}, PerAxis<double>{6.5, 4, 0},
                                           PerAxis<double>{3, 4, 2.5}));

}  // namespace
}  // namespace recon
