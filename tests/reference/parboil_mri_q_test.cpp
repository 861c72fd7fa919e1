#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <vector>

#include "core/cpu/direct_sums.hpp"
#include "tests/support/shared_data.hpp"

namespace recon {
namespace {

template <class T>
std::vector<T> read(std::ifstream& file, std::size_t count) {
    std::vector<T> values(count);
    file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(count * sizeof(T)));
    return values;
}

std::vector<double> read_as_double(std::ifstream& file, std::size_t count) {
    const std::vector<float> values = read<float>(file, count);
    return {values.begin(), values.end()};
}

// Parboil mri-q, small set: its Q at 32768 explicit positions, by its own criterion (tools/compare-output), for the
// real and the imaginary parts apart: |difference| <= 1e-4 max|expected| or |difference| < 0.002 |expected|.
TEST(ParboilMriQ, DirectSumsReproduceThePublishedQ) {
    const std::filesystem::path folder = shared_data_folder() / "parboil-mri-q";
    std::ifstream input(folder / "32_32_32_dataset.bin", std::ios::binary);
    std::ifstream output(folder / "32_32_32_dataset.out", std::ios::binary);
    if (!input || !output) {
        GTEST_SKIP() << "no Parboil mri-q data set in " << folder << "; set RECON_SHARED_DATA";
    }
    const auto counts = read<std::int32_t>(input, 2);
    Trajectory trajectory;
    Positions positions;
    for (auto& component : trajectory.k) {
        component = read_as_double(input, counts[0]);
    }
    for (auto& component : positions.r) {
        component = read_as_double(input, counts[1]);
    }
    const std::vector<double> phi_real = read_as_double(input, counts[0]);
    const std::vector<double> phi_imaginary = read_as_double(input, counts[0]);
    ASSERT_TRUE(input) << "the input file is cut short";
    ASSERT_EQ(read<std::uint32_t>(output, 1)[0], static_cast<std::uint32_t>(counts[1]));
    const std::vector<double> expected_real = read_as_double(output, counts[1]);
    const std::vector<double> expected_imaginary = read_as_double(output, counts[1]);
    ASSERT_TRUE(output) << "the output file is cut short";

    std::vector<cdouble> weights(counts[0]);
    for (std::int32_t m = 0; m < counts[0]; ++m) {
        weights[m] = phi_real[m] * phi_real[m] + phi_imaginary[m] * phi_imaginary[m];
    }
    const std::vector<cdouble> q = direct_adjoint(trajectory, positions, weights);

    double largest_real = 0;
    double largest_imaginary = 0;
    for (std::int32_t n = 0; n < counts[1]; ++n) {
        largest_real = std::max(largest_real, std::abs(expected_real[n]));
        largest_imaginary = std::max(largest_imaginary, std::abs(expected_imaginary[n]));
    }
    const auto passes = [](double found, double expected, double largest) {
        const double difference = std::abs(found - expected);
        return difference <= 1e-4 * largest || difference < 0.002 * std::abs(expected);
    };
    Index failures = 0;
    double error = 0;
    double energy = 0;
    for (std::int32_t n = 0; n < counts[1]; ++n) {
        failures += !passes(q[n].real(), expected_real[n], largest_real);
        failures += !passes(q[n].imag(), expected_imaginary[n], largest_imaginary);
        const cdouble expected{expected_real[n], expected_imaginary[n]};
        error += std::norm(q[n] - expected);
        energy += std::norm(expected);
    }
    EXPECT_EQ(failures, 0);
    // The published values were computed in single precision; 1.06e-6 is what an exact Q is away from them.
    EXPECT_LT(std::sqrt(error / energy), 1e-5);
}

}  // namespace
}  // namespace recon
