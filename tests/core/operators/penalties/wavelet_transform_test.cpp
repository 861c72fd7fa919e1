#include "core/operators/penalties/wavelet_transform.hpp"

#include <cmath>

#include "core/backend/backend.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/operator_properties.hpp"

namespace recon {
namespace {

struct Size {
    PerAxis<Index> matrix;
    Index frames = 0;  ///< 0: no such axis
};

/// Sizes: nothing to filter, odd and unequal, prime, powers of two, a series.
class WaveletsOnEveryBackend : public ::testing::TestWithParam<std::tuple<test::BackendFactory, Size, Precision>> {
protected:
    Shape shape() const {
        const Size& size = std::get<1>(GetParam());
        const Shape image = Shape::image(size.matrix);
        return size.frames > 0 ? image.with_axis("frame", size.frames) : image;
    }
    Precision precision() const { return std::get<2>(GetParam()); }
    /// Twelve filterings, each of which rounds by a few eps.
    double rounding() const { return precision() == Precision::single ? 2e-6 : 4e-15; }
    PerAxis<Index> some_shift() const {
        PerAxis<Index> shift{};
        for (int axis = 0; axis < 3; ++axis) {
            shift[axis] = std::min<Index>(3 + axis, shape().extent(axis) - 1);
        }
        return shift;
    }

    std::unique_ptr<Backend> backend_ = std::get<0>(GetParam()).make();
};

TEST_P(WaveletsOnEveryBackend, AreLinearAndPassTheDotTest) {
    for (const PerAxis<Index>& shift : {PerAxis<Index>{}, some_shift()}) {
        const WaveletTransform transform(*backend_, shape(), precision(), shift);
        EXPECT_LT(test::adjoint_error(transform), 10 * rounding());
        EXPECT_LT(test::linearity_error(transform), rounding());
        EXPECT_LT(test::normal_error(transform), rounding());
    }
}

TEST_P(WaveletsOnEveryBackend, TheAdjointIsTheInverseOnBothSides) {
    const WaveletTransform transform(*backend_, shape(), precision(), some_shift());
    const Array x = test::random_array(*backend_, shape(), precision(), 1);
    Array wx(*backend_, shape(), precision());
    Array back(*backend_, shape(), precision());
    transform.forward(x, wx);
    transform.adjoint(wx, back);
    EXPECT_LT(test::relative_difference(download<double>(back), download<double>(x)), rounding());
    transform.adjoint(x, wx);
    transform.forward(wx, back);
    EXPECT_LT(test::relative_difference(download<double>(back), download<double>(x)), rounding());
}

TEST_P(WaveletsOnEveryBackend, BackendsAgreeWithTheCpu) {
    const auto cpu = make_cpu_backend(1);
    std::vector<std::vector<cdouble>> coefficients;
    for (Backend* backend : {backend_.get(), cpu.get()}) {
        const WaveletTransform transform(*backend, shape(), precision(), some_shift());
        const Array x = test::random_array(*backend, shape(), precision(), 1);
        Array wx(*backend, shape(), precision());
        transform.forward(x, wx);
        coefficients.push_back(download<double>(wx));
    }
    EXPECT_LT(test::relative_difference(coefficients[0], coefficients[1]), rounding());
}

INSTANTIATE_TEST_SUITE_P(, WaveletsOnEveryBackend,
                         ::testing::Combine(test::every_backend(),
                                            ::testing::Values(Size{{1, 1, 1}}, Size{{7, 1, 1}}, Size{{8, 1, 1}},
                                                              Size{{37, 1, 1}}, Size{{16, 9, 1}}, Size{{1, 23, 12}},
                                                              Size{{25, 64, 1}}, Size{{13, 8, 31}},
                                                              Size{{20, 11, 9}, 3}),
                                            ::testing::Values(Precision::single, Precision::double_)),
                         [](const auto& info) {
                             const Size& size = std::get<1>(info.param);
                             return std::get<0>(info.param).name + "_" + std::to_string(size.matrix[0]) + "_" +
                                    std::to_string(size.matrix[1]) + "_" + std::to_string(size.matrix[2]) + "_" +
                                    std::to_string(size.frames) + "_" + std::string(name_of(std::get<2>(info.param)));
                         });

using Wavelets = test::EveryBackend;

/// Two vanishing moments: a straight line has no details, but where the period ends.
TEST_P(Wavelets, AStraightLineHasNoDetailsInside) {
    const Index size = 64;
    const WaveletTransform transform(*backend_, Shape::image({size, 1, 1}), Precision::double_);
    std::vector<cdouble> line(size);
    for (Index n = 0; n < size; ++n) {
        line[n] = {2.0 + 0.25 * static_cast<double>(n), -1.0 * static_cast<double>(n)};
    }
    Array x(*backend_, transform.domain(), Precision::double_);
    Array wx(*backend_, transform.domain(), Precision::double_);
    upload(std::span<const cdouble>(line), x);
    transform.forward(x, wx);
    EXPECT_EQ(transform.low_extent()[0], 4);  // 64, 32, 16, 8
    EXPECT_EQ(transform.shift_range()[0], 16);
    const std::vector<cdouble> c = download<double>(wx);
    for (Index n = 32; n < 63; ++n) {
        EXPECT_LT(std::abs(c[n]), 1e-12) << n;
    }
    EXPECT_GT(std::abs(c[63]), 1);  // the jump from the end to the beginning
}

/// The first voxel of the shifted image is voxel `shift` of the image.
TEST_P(Wavelets, AShiftMovesTheImageBeneathTheTransform) {
    const Shape shape = Shape::image({19, 1, 1});
    const std::vector<cdouble> image = test::random_values(19, 4);
    std::vector<cdouble> moved(19);
    for (Index n = 0; n < 19; ++n) {
        moved[n] = image[(n + 5) % 19];
    }
    Array x(*backend_, shape, Precision::double_);
    Array wx(*backend_, shape, Precision::double_);
    upload(std::span<const cdouble>(image), x);
    WaveletTransform(*backend_, shape, Precision::double_, {5, 0, 0}).forward(x, wx);
    const std::vector<cdouble> shifted = download<double>(wx);
    upload(std::span<const cdouble>(moved), x);
    WaveletTransform(*backend_, shape, Precision::double_).forward(x, wx);
    EXPECT_LT(test::relative_difference(shifted, download<double>(wx)), 1e-14);
}

INSTANTIATE_TEST_SUITE_P(, Wavelets, test::every_backend(), test::backend_name);

}  // namespace
}  // namespace recon
