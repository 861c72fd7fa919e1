#include "core/operators/measured_accuracy.hpp"

#include <gtest/gtest.h>

#include <random>

#include "core/backend/cpu/cpu_backend.hpp"
#include "tests/support/random.hpp"
#include "tests/support/sums/direct_fourier_sums.hpp"

namespace recon {
namespace {

// What docs/accuracy-check.md promises, on operators that are damaged on purpose.

constexpr PerAxis<Index> matrix_size{11, 10, 4};
constexpr Index voxel_count = 440;
constexpr Index sample_count = 700;
constexpr Index coil_count = 3;
constexpr double damage = 1e-4;

/// Noise on a part of the voxels, of so much of the whole array's norm.
void add_noise(ArrayView array, double relative, double part, unsigned seed) {
    std::mt19937 generator(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform(0, 1);
    std::vector<cdouble> values = download<double>(array);
    std::vector<cdouble> noise(values.size());
    double noise_energy = 0, energy = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool damaged = uniform(generator) < part;
        noise[i] = damaged ? cdouble(normal(generator), normal(generator)) : 0;
        noise_energy += std::norm(noise[i]);
        energy += std::norm(values[i]);
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] += noise[i] * (relative * std::sqrt(energy / noise_energy));
    }
    upload(values, array);
}

/// An encoding whose normal product has noise on a part of its voxels.
class DamagedNormal final : public LinearOperator {
public:
    DamagedNormal(const Encoding& encoding, double part, unsigned seed)
        : LinearOperator("damaged", encoding.backend(), encoding.domain(), encoding.domain(), encoding.precision()),
          encoding_(encoding),
          part_(part),
          seed_(seed) {}

private:
    void do_forward(ConstArrayView x, ArrayView y) const override { do_normal(x, y); }
    void do_adjoint(ConstArrayView x, ArrayView y) const override { do_normal(x, y); }
    void do_normal(ConstArrayView x, ArrayView y) const override {
        encoding_.normal(x, y);
        add_noise(y, damage, part_, seed_);
    }

    const Encoding& encoding_;
    double part_;
    unsigned seed_;
};

class MeasuredAccuracyTest : public ::testing::Test {
protected:
    /// @param summed  the trajectory that the operator believes in
    Encoding make_encoding(const Trajectory& summed) const {
        Encoding::Parts parts;
        parts.sums =
            std::make_shared<test::DirectFourierSums>(summed, VoxelGrid::image(matrix_size), Precision::double_);
        parts.coils = std::make_shared<CoilSensitivity>(test::random_array(
            *backend_, Shape::image(matrix_size).with_axis("coil", coil_count), Precision::double_, 21));
        Array factors(*backend_, Shape::samples(sample_count), Precision::double_);
        upload(std::vector<cdouble>(factors_.begin(), factors_.end()), factors);
        parts.sample_factors = std::make_shared<Array>(std::move(factors));
        return Encoding(*backend_, std::move(parts));
    }

    Array adjoint_of_data(const Encoding& encoding) const {
        Array weighted(*backend_, encoding.codomain(), Precision::double_);
        std::vector<cdouble> numbers;
        for (Index i = 0; i < sample_count * coil_count; ++i) {
            numbers.push_back(root_weights_[i % sample_count] * cdouble(kspace_[i]));
        }
        upload(numbers, weighted);
        Array image(*backend_, encoding.domain(), Precision::double_);
        encoding.adjoint(weighted, image);
        return image;
    }

    MeasuredAccuracy measure(const Encoding& encoding, ConstArrayView fhd, const LinearOperator& normal,
                             double seconds) const {
        MeasuredAccuracy accuracy;
        measure_encoding(
            {encoding, trajectory_, factors_, root_weights_, kspace_, {}, {}, fhd, normal, only_rank(), seconds},
            accuracy);
        return accuracy;
    }

    static std::vector<double> numbers(int seed) {
        std::vector<double> values(sample_count);
        for (Index m = 0; m < sample_count; ++m) {
            values[m] = 0.3 + static_cast<double>((m * 5 + seed) % 11) / 8;
        }
        return values;
    }
    static std::vector<cfloat> random_data() {
        std::vector<cfloat> data;
        for (const cdouble& value : test::random_values(sample_count * coil_count, 8)) {
            data.emplace_back(value);
        }
        return data;
    }

    std::unique_ptr<Backend> backend_ = make_cpu_backend();
    Trajectory trajectory_ = test::random_trajectory(sample_count, matrix_size, 3);
    std::vector<double> factors_ = numbers(1);
    std::vector<double> root_weights_ = numbers(4);
    std::vector<cfloat> kspace_ = random_data();
};

TEST_F(MeasuredAccuracyTest, OfASoundOperatorIsItsRounding) {
    const Encoding encoding = make_encoding(trajectory_);
    for (const double seconds : {0.0, 1.0}) {
        const MeasuredAccuracy accuracy = measure(encoding, adjoint_of_data(encoding), encoding, seconds);
        EXPECT_LT(accuracy.fhd, 1e-13);
        EXPECT_LT(accuracy.normal, 1e-13);
    }
}

TEST_F(MeasuredAccuracyTest, FindsEveryErrorThatIsSpreadOverTheImage) {
    const Encoding encoding = make_encoding(trajectory_);
    const Array sound = adjoint_of_data(encoding);
    for (unsigned seed = 0; seed < 50; ++seed) {
        Array fhd = sound.clone();
        add_noise(fhd, damage, 1, seed);
        const MeasuredAccuracy accuracy = measure(encoding, fhd, DamagedNormal(encoding, 1, seed), 0);
        EXPECT_GT(accuracy.fhd, damage / 3) << seed;
        EXPECT_LT(accuracy.fhd, 3 * damage) << seed;
        // four voxels that are not lit, scaled to all of them: less certain than E^H d, which has eight
        EXPECT_GT(accuracy.normal, damage / 5) << seed;
        EXPECT_LT(accuracy.normal, 3 * damage) << seed;
    }
}

TEST_F(MeasuredAccuracyTest, FindsOneSampleThatWasMistaken) {
    Trajectory mistaken = trajectory_;
    mistaken.k[0][123] += 0.05;
    const Encoding sound = make_encoding(trajectory_);
    const Encoding damaged = make_encoding(mistaken);
    const auto normal_product = [&](const Encoding& encoding) {
        const Array image = test::random_array(*backend_, encoding.domain(), Precision::double_, 5);
        Array result(*backend_, encoding.domain(), Precision::double_);
        encoding.normal(image, result);
        return download<double>(result);
    };
    const Array fhd = adjoint_of_data(damaged);
    const double fhd_error = test::relative_difference(download<double>(fhd), download<double>(adjoint_of_data(sound)));
    const double normal_error = test::relative_difference(normal_product(damaged), normal_product(sound));
    const MeasuredAccuracy accuracy = measure(damaged, fhd, damaged, 0);
    EXPECT_GT(accuracy.fhd, fhd_error / 3);
    EXPECT_LT(accuracy.fhd, fhd_error * 3);
    EXPECT_GT(accuracy.normal, normal_error / 5);
    EXPECT_LT(accuracy.normal, normal_error * 5);
}

TEST_F(MeasuredAccuracyTest, FindsErrorsOfAPartOfTheVoxelsAsOftenAsPromised) {
    const Encoding encoding = make_encoding(trajectory_);
    const Array sound = adjoint_of_data(encoding);
    constexpr double part = 0.25;
    constexpr int trials = 300;
    int found_in_fhd = 0, found_in_normal = 0;
    for (unsigned seed = 0; seed < trials; ++seed) {
        Array fhd = sound.clone();
        add_noise(fhd, damage, part, seed);
        const MeasuredAccuracy accuracy = measure(encoding, fhd, DamagedNormal(encoding, part, seed + 1000), 0);
        found_in_fhd += accuracy.fhd > damage / 10 ? 1 : 0;
        found_in_normal += accuracy.normal > damage / 10 ? 1 : 0;
    }
    const auto least = [](int voxels) {
        const double promised = 1 - std::pow(1 - part, voxels);
        return trials * (promised - 4 * std::sqrt(promised * (1 - promised) / trials));
    };
    EXPECT_GT(found_in_fhd, least(8));
    EXPECT_GT(found_in_normal, least(4));  // of which four are not lit
}

TEST_F(MeasuredAccuracyTest, FindsErrorsOfQ) {
    const std::vector<double> weights = numbers(7);
    Array q = test::direct_q(*backend_, trajectory_, matrix_size, weights);
    EXPECT_LT(measured_q_error(q, trajectory_, matrix_size, weights), 1e-13);
    for (unsigned seed = 0; seed < 50; ++seed) {
        Array damaged = q.clone();
        add_noise(damaged, damage, 1, seed);
        EXPECT_GT(measured_q_error(damaged, trajectory_, matrix_size, weights), damage / 3) << seed;
    }
}

}  // namespace
}  // namespace recon
