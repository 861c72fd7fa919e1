// Every operator of a reconstruction, made on the CPU and on the GPU from the same numbers: the same results.
#include "core/backend/cpu/cpu_backend.hpp"
#include "core/operators/encoding.hpp"
#include "core/operators/sampling/fourier_sums_choice.hpp"
#include "core/operators/toeplitz_of_samples.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

struct Case {
    const char* name;
    PerAxis<Index> matrix_size;
    Index coil_count;
    SumsMethod sums;
    Precision precision;
    bool weighted;
    bool off_resonance;
    double tolerance;  ///< of the sums
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class OperatorsAgree : public test::OnGpu<::testing::TestWithParam<Case>> {
protected:
    static constexpr Index sample_count = 1500;

    struct Results {
        std::vector<cdouble> forward, adjoint, normal;
    };

    Results results_on(Backend& backend) const {
        const Case& c = GetParam();
        const SumsOptions options{c.sums, c.tolerance, c.precision};
        const Shape image = Shape::image(c.matrix_size);
        const VoxelGrid grid = VoxelGrid::image(c.matrix_size);
        const Trajectory trajectory = test::random_trajectory(sample_count, c.matrix_size, 3);
        std::vector<double> factors;
        for (Index m = 0; c.weighted && m < sample_count; ++m) {
            factors.push_back(0.5 + static_cast<double>(m % 16) / 16);  // their squares are exact in single precision
        }
        Encoding::Parts parts;
        parts.sums =
            make_fourier_sums(backend, trajectory, choose_sums(backend, options, sample_count, grid, c.coil_count));
        parts.coils = std::make_shared<CoilSensitivity>(
            test::random_array(backend, image.with_axis("coil", c.coil_count), c.precision, 4));
        if (c.weighted) {
            Array array(backend, Shape::samples(sample_count), c.precision);
            upload(std::vector<cdouble>(factors.begin(), factors.end()), array);
            parts.sample_factors = std::make_shared<const Array>(std::move(array));
            for (double& factor : factors) {
                factor *= factor;
            }
        }
        const ToeplitzSamples samples_of_toeplitz{
            trajectory, c.matrix_size, factors, {c.sums, c.tolerance, Precision::double_}, c.precision};
        if (c.off_resonance) {
            std::vector<float> hz(image.element_count());
            std::vector<float> times_s(sample_count);
            for (std::size_t n = 0; n < hz.size(); ++n) {
                hz[n] = static_cast<float>(static_cast<Index>(n * n) % 71) - 35;
            }
            for (Index m = 0; m < sample_count; ++m) {
                times_s[m] = 5e-6F * static_cast<float>(m);
            }
            std::vector<float> rates(hz.size());
            for (std::size_t n = 0; n < rates.size(); ++n) {
                rates[n] = static_cast<float>(static_cast<Index>(n * 7) % 40);
            }
            const OffResonanceMaps maps{hz, rates};
            parts.sums = std::make_shared<SegmentedSums>(
                backend, parts.sums, maps, TimeSegments::fit(RateHistogram::of(maps), times_s, c.tolerance));
            parts.toeplitz =
                toeplitz_of_samples(backend, samples_of_toeplitz, maps,
                                    TimeSegments::fit(RateHistogram::of_pairs(maps), times_s, c.tolerance));
        } else {
            parts.toeplitz = toeplitz_of_samples(backend, samples_of_toeplitz);
        }
        const Encoding encoding(backend, std::move(parts));
        const Array x = test::random_array(backend, encoding.domain(), c.precision, 5);
        const Array y = test::random_array(backend, encoding.codomain(), c.precision, 6);
        Array samples(backend, encoding.codomain(), c.precision);
        Array voxels(backend, encoding.domain(), c.precision);
        Results results;
        encoding.forward(x, samples);
        results.forward = download<double>(samples);
        encoding.adjoint(y, voxels);
        results.adjoint = download<double>(voxels);
        encoding.normal(x, voxels);
        results.normal = download<double>(voxels);
        return results;
    }
};

TEST_P(OperatorsAgree, OnForwardAdjointAndNormal) {
    const auto cpu = make_cpu_backend(0);
    const Results there = results_on(gpu());
    const Results here = results_on(*cpu);
    const double tolerance = 3 * GetParam().tolerance;  // each side has its own error of that size
    EXPECT_LT(test::relative_difference(there.forward, here.forward), tolerance);
    EXPECT_LT(test::relative_difference(there.adjoint, here.adjoint), tolerance);
    EXPECT_LT(test::relative_difference(there.normal, here.normal), tolerance);
}

constexpr Precision single = Precision::single;
constexpr Precision fine = Precision::double_;

INSTANTIATE_TEST_SUITE_P(
    , OperatorsAgree,
    ::testing::Values(Case{"exact", {13, 12, 11}, 3, SumsMethod::exact, single, false, false, 1e-6},
                      Case{"exact_weighted_2d", {21, 20, 1}, 2, SumsMethod::exact, single, true, false, 1e-6},
                      Case{"exact_double", {9, 1, 17}, 4, SumsMethod::exact, fine, true, false, 1e-12},
                      Case{"nufft", {13, 12, 11}, 3, SumsMethod::nufft, single, false, false, 1e-6},
                      Case{"nufft_weighted_2d", {21, 20, 1}, 5, SumsMethod::nufft, single, true, false, 1e-5},
                      Case{"nufft_double", {16, 15, 7}, 2, SumsMethod::nufft, fine, true, false, 1e-10},
                      Case{"off_resonance", {17, 16, 1}, 2, SumsMethod::nufft, single, true, true, 1e-5},
                      Case{"off_resonance_double", {10, 9, 5}, 1, SumsMethod::exact, fine, false, true, 1e-9}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace recon
