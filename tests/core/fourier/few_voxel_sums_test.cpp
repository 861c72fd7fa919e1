#include "core/fourier/few_voxel_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.hpp"
#include "core/fourier/direct_sums.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

constexpr PerAxis<Index> matrix_size{9, 7, 5};
constexpr Index sample_count = 1501;  // several blocks, the last one short
constexpr Index coil_count = 3;
const std::vector<Index> voxels{4, 0, 314, 77, 200};

class FewVoxelSumsTest : public ::testing::Test {
protected:
    std::vector<double> weights(int seed) const {
        std::vector<double> values(sample_count);
        for (Index m = 0; m < sample_count; ++m) {
            values[m] = 0.2 + static_cast<double>((seed + m * 7) % 13) / 9;
        }
        return values;
    }
    Positions positions() const { return Positions::of(VoxelGrid::image(matrix_size), voxels); }

    /// e of one voxel straight from its definition.
    std::vector<cdouble> factors(Index voxel, cdouble rate_per_s, const std::vector<float>& times_s) const {
        const Positions r = positions();
        std::vector<cdouble> e(sample_count);
        for (Index m = 0; m < sample_count; ++m) {
            double turns = 0;
            for (int axis = 0; axis < 3; ++axis) {
                turns += trajectory_.k[axis][m] * r.r[axis][voxel];
            }
            const cdouble decay = times_s.empty() ? 1 : std::exp(-std::conj(rate_per_s) * cdouble(times_s[m]));
            e[m] = std::polar(1.0, 2 * pi * turns) * decay;
        }
        return e;
    }

    Trajectory trajectory_ = test::random_trajectory(sample_count, matrix_size, 3);
};

TEST_F(FewVoxelSumsTest, SumsAreTheDirectOnes) {
    const std::vector<double> w = weights(1);
    const std::vector<cdouble> samples(w.begin(), w.end());
    const auto direct = direct_adjoint_at(trajectory_, VoxelGrid::image(matrix_size), voxels, samples);
    EXPECT_LT(test::relative_difference(FewVoxelSums(trajectory_, positions()).sums(w), direct), 1e-13);
}

TEST_F(FewVoxelSumsTest, EncodingSumsAreTheDefinition) {
    std::vector<float> times_s(sample_count);
    std::vector<cdouble> rates_per_s;
    for (Index m = 0; m < sample_count; ++m) {
        times_s[m] = 1e-5F * static_cast<float>(m % 500);
    }
    for (std::size_t v = 0; v < voxels.size(); ++v) {
        rates_per_s.emplace_back(10.0 * static_cast<double>(v), 900.0 - 300.0 * static_cast<double>(v));
    }
    const std::vector<double> a = weights(2), b = weights(5);
    std::vector<cfloat> kspace;
    for (const cdouble& value : test::random_values(sample_count * coil_count, 8)) {
        kspace.emplace_back(value);
    }
    constexpr Index lit_count = 2;
    for (const bool off_resonance : {false, true}) {
        const FewVoxelSums sums(trajectory_, positions(), off_resonance ? rates_per_s : std::vector<cdouble>(),
                                times_s);
        const auto found = sums.of_encoding(a, kspace, coil_count, b, lit_count);
        std::vector<cdouble> adjoint, normal;
        std::vector<std::vector<cdouble>> e;
        for (std::size_t v = 0; v < voxels.size(); ++v) {
            e.push_back(factors(v, rates_per_s[v], off_resonance ? times_s : std::vector<float>()));
        }
        for (Index coil = 0; coil < coil_count; ++coil) {
            for (std::size_t v = 0; v < voxels.size(); ++v) {
                cdouble sum = 0;
                for (Index m = 0; m < sample_count; ++m) {
                    sum += a[m] * cdouble(kspace[coil * sample_count + m]) * e[v][m];
                }
                adjoint.push_back(sum);
            }
        }
        for (Index lit = 0; lit < lit_count; ++lit) {
            for (std::size_t v = 0; v < voxels.size(); ++v) {
                cdouble sum = 0;
                for (Index m = 0; m < sample_count; ++m) {
                    sum += b[m] * e[v][m] * std::conj(e[lit][m]);
                }
                normal.push_back(sum);
            }
        }
        EXPECT_LT(test::relative_difference(found.adjoint, adjoint), 1e-12);
        EXPECT_LT(test::relative_difference(found.normal, normal), 1e-12);
    }
}

TEST_F(FewVoxelSumsTest, RefusesListsThatDoNotFit) {
    const FewVoxelSums sums(trajectory_, positions());
    EXPECT_THROW(sums.sums(std::vector<double>(3, 1.0)), ShapeError);
    EXPECT_THROW(sums.of_encoding({}, std::vector<cfloat>(5), 1, {}, 1), ShapeError);
    EXPECT_THROW(FewVoxelSums(trajectory_, positions(), std::vector<cdouble>(voxels.size())), ShapeError);
}

}  // namespace
}  // namespace recon
