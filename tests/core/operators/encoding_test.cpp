#include "core/operators/encoding.hpp"

#include <gtest/gtest.h>

#include "tests/support/backends.hpp"
#include "tests/support/operator_properties.hpp"
#include "tests/support/sums/direct_fourier_sums.hpp"

namespace recon {
namespace {

struct EncodingCase {
    PerAxis<Index> matrix_size;
    Index coil_count;  ///< 0: no coil maps
    bool weighted;
    Precision precision;
};

void PrintTo(const EncodingCase& c, std::ostream* out) {
    *out << Shape::image(c.matrix_size).text() << (c.weighted ? ", weighted, " : ", ") << c.coil_count << " coils, "
         << name_of(c.precision);
}

class EncodingProperties : public ::testing::TestWithParam<std::tuple<test::BackendFactory, EncodingCase>> {
protected:
    static constexpr Index sample_count = 230;
    const EncodingCase& the_case() const { return std::get<1>(GetParam()); }

    Encoding make_encoding() {
        const EncodingCase& c = the_case();
        Encoding::Parts parts;
        parts.sums =
            std::make_shared<test::DirectFourierSums>(trajectory_, VoxelGrid::image(c.matrix_size), c.precision);
        const Shape image = Shape::image(c.matrix_size);
        parts.coils = c.coil_count == 0 ? std::make_shared<CoilSensitivity>()
                                        : std::make_shared<CoilSensitivity>(test::random_array(
                                              *backend_, image.with_axis("coil", c.coil_count), c.precision, 21));
        std::vector<double> weights;
        if (c.weighted) {
            Array factors(*backend_, Shape::samples(sample_count), c.precision);
            std::vector<cdouble> g(sample_count);
            for (Index m = 0; m < sample_count; ++m) {
                g[m] = 0.1 + static_cast<double>(m % 17) / 16;
            }
            upload(g, factors);
            g = download<double>(factors);  // as stored: the weights of Q are their exact squares
            for (const cdouble& value : g) {
                weights.push_back(std::norm(value));
            }
            parts.sample_factors = std::make_shared<Array>(std::move(factors));
        }
        parts.toeplitz =
            backend_->make_toeplitz(image, test::direct_q(*backend_, trajectory_, c.matrix_size, weights), c.precision);
        return Encoding(*backend_, std::move(parts));
    }

    bool single() const { return the_case().precision == Precision::single; }

    std::unique_ptr<Backend> backend_ = std::get<0>(GetParam()).make();
    Trajectory trajectory_ = test::random_trajectory(sample_count, the_case().matrix_size, 3);
};

TEST_P(EncodingProperties, AdjointIsTheAdjoint) {
    // The direct sums are exact; what is left is the rounding of operands to their storage.
    EXPECT_LT(test::adjoint_error(make_encoding()), single() ? 1e-5 : 1e-13);
}

TEST_P(EncodingProperties, IsLinear) { EXPECT_LT(test::linearity_error(make_encoding()), single() ? 1e-6 : 1e-14); }

TEST_P(EncodingProperties, ToeplitzNormalIsAdjointOfForward) {
    // The project's promise: 1e-6 in single and 1e-12 in double precision.
    EXPECT_LT(test::normal_error(make_encoding()), single() ? 1e-6 : 1e-12);
}

TEST_P(EncodingProperties, UnweightedDropsTheSampleFactors) {
    const Encoding plain = make_encoding().unweighted();
    EXPECT_LT(test::adjoint_error(plain), single() ? 1e-5 : 1e-13);
    EXPECT_LT(test::normal_error(plain), single() ? 1e-6 : 1e-12);
}

INSTANTIATE_TEST_SUITE_P(, EncodingProperties,
                         ::testing::Combine(test::every_backend(),
                                            ::testing::Values(EncodingCase{{13, 1, 1}, 0, false, Precision::single},
                                                              EncodingCase{{1, 1, 8}, 2, true, Precision::double_},
                                                              EncodingCase{{7, 10, 1}, 3, false, Precision::single},
                                                              EncodingCase{{8, 1, 5}, 1, true, Precision::double_},
                                                              EncodingCase{{6, 5, 4}, 4, true, Precision::single},
                                                              EncodingCase{{4, 7, 3}, 2, false, Precision::double_},
                                                              EncodingCase{{1, 1, 1}, 1, false, Precision::single})),
                         [](const auto& info) { return std::get<0>(info.param).name + std::to_string(info.index); });

}  // namespace
}  // namespace recon
