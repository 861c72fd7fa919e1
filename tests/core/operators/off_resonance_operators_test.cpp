// Time segments against the sums with the frequency in the exponent: what --tol promises, on every backend.
#include <gtest/gtest.h>

#include "core/operators/encoding.hpp"
#include "core/operators/toeplitz_of_samples.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/operator_properties.hpp"
#include "tests/support/shared_data.hpp"
#include "tests/support/sums/off_resonance_case.hpp"

namespace recon {
namespace {

struct OperatorCase {
    const char* name;
    PerAxis<Index> matrix_size;
    Index readout_count;
    Index readout_length;
    Precision precision;
    double tolerance;
    bool measured;  ///< the map, of shared data
    bool decays;
};

void PrintTo(const OperatorCase& c, std::ostream* out) { *out << c.name; }

class OffResonanceOperators : public ::testing::TestWithParam<std::tuple<test::BackendFactory, OperatorCase>> {
protected:
    void SetUp() override {
        const OperatorCase& c = the_case();
        scan_ = test::simulated_off_resonance(c.matrix_size, c.readout_count, c.readout_length);
        if (c.measured) {
            const auto folder = shared_data_folder() / "fieldmaps";
            scan_.frequency_hz = test::measured_field_map(folder, c.matrix_size[2]);
            if (scan_.frequency_hz.empty()) {
                GTEST_SKIP() << "no measured field map in " << folder;
            }
        }
        if (c.decays) {
            scan_.decay_per_s = test::simulated_decay_map(c.matrix_size);
        }
        exact_ = backend_->make_off_resonance_sums(scan_.trajectory, grid(), scan_.sample_times_s, scan_.maps(),
                                                   c.precision);
    }

    const OperatorCase& the_case() const { return std::get<1>(GetParam()); }
    VoxelGrid grid() const { return VoxelGrid::image(the_case().matrix_size); }
    Precision precision() const { return the_case().precision; }
    SumsOptions options(Precision precision) const { return {SumsMethod::automatic, the_case().tolerance, precision}; }

    std::unique_ptr<FourierSums> make_segmented() const {
        const SumsChoice choice = choose_sums(*backend_, options(precision()), scan_.sample_count(), grid(), 1);
        return std::make_unique<SegmentedSums>(
            *backend_, make_fourier_sums(*backend_, scan_.trajectory, choice), scan_.maps(),
            TimeSegments::fit(RateHistogram::of(scan_.maps()), scan_.sample_times_s, the_case().tolerance));
    }

    std::vector<cdouble> random_image_through(const FourierSums& sums) const {
        const Array image = test::random_array(*backend_, grid().shape, precision(), 4);
        Array samples(*backend_, Shape::samples(scan_.sample_count()), precision());
        sums.forward(image, samples);
        return download<double>(samples);
    }
    std::vector<cdouble> random_samples_through(const FourierSums& sums) const {
        const Array samples = test::random_array(*backend_, Shape::samples(scan_.sample_count()), precision(), 5);
        Array image(*backend_, grid().shape, precision());
        sums.adjoint(samples, image);
        return download<double>(image);
    }

    std::unique_ptr<Backend> backend_ = std::get<0>(GetParam()).make();
    test::OffResonanceCase scan_;
    std::unique_ptr<FourierSums> exact_;
};

TEST_P(OffResonanceOperators, ForwardAndAdjointMeetTheTolerance) {
    const std::shared_ptr<const FourierSums> segmented = make_segmented();
    EXPECT_LT(test::relative_difference(random_image_through(*segmented), random_image_through(*exact_)),
              the_case().tolerance);
    EXPECT_LT(test::relative_difference(random_samples_through(*segmented), random_samples_through(*exact_)),
              the_case().tolerance);
    const Encoding encoding(*backend_, {segmented, std::make_shared<CoilSensitivity>(), nullptr, nullptr});
    // Rounding alone, as for the sums in each segment; FINUFFT's bound in single precision.
    EXPECT_LT(test::adjoint_error(encoding), precision() == Precision::single ? 1e-4 : 1e-11);
}

TEST_P(OffResonanceOperators, ToeplitzIsAdjointOfForward) {
    std::vector<double> weights(scan_.sample_count());
    for (std::size_t m = 0; m < weights.size(); ++m) {
        weights[m] = 0.5 + static_cast<double>(m % 16) / 16;  // exact in single precision, as are their products
    }
    const auto toeplitz = toeplitz_of_samples(
        *backend_, {scan_.trajectory, the_case().matrix_size, weights, options(Precision::double_), precision()},
        scan_.maps(),
        TimeSegments::fit(RateHistogram::of_pairs(scan_.maps()), scan_.sample_times_s, the_case().tolerance));
    const Array image = test::random_array(*backend_, grid().shape, precision(), 4);
    Array result(*backend_, grid().shape, precision());
    toeplitz->apply(image, std::nullopt, result, Accumulate::no);
    Array samples(*backend_, Shape::samples(scan_.sample_count()), precision());
    Array expected(*backend_, grid().shape, precision());
    Array factors(*backend_, samples.shape(), precision());
    upload(std::vector<cdouble>(weights.begin(), weights.end()), factors);
    exact_->forward(image, samples);
    backend_->multiply(Conjugate::no, factors, samples, Accumulate::no, samples);
    exact_->adjoint(samples, expected);
    EXPECT_LT(test::relative_difference(download<double>(result), download<double>(expected)), the_case().tolerance);
}

constexpr Precision single = Precision::single;
constexpr Precision fine = Precision::double_;

const std::vector<OperatorCase> cases{
    {"plane", {64, 64, 1}, 4, 750, single, 1e-3, false, false},
    {"plane_double", {64, 64, 1}, 4, 750, fine, 1e-6, false, false},
    {"plane_double_1e9", {32, 31, 1}, 4, 400, fine, 1e-9, false, false},
    {"plane_with_decay", {48, 47, 1}, 4, 500, single, 1e-5, false, true},
    {"odd_plane", {1, 33, 20}, 1, 60, fine, 1e-6, false, true},
    {"measured_plane", {64, 64, 1}, 4, 750, single, 1e-5, true, false},
    {"measured_plane_double", {64, 64, 1}, 4, 750, fine, 1e-6, true, false},
    {"volume", {64, 64, 16}, 1, 160, single, 1e-4, false, false},
    {"measured_volume", {64, 64, 16}, 1, 160, single, 1e-4, true, false},
};

INSTANTIATE_TEST_SUITE_P(, OffResonanceOperators, ::testing::Combine(test::every_backend(), ::testing::ValuesIn(cases)),
                         [](const auto& info) {
                             return std::get<0>(info.param).name + "_" + std::get<1>(info.param).name;
                         });

}  // namespace
}  // namespace recon
