#include <cmath>
#include <cstring>
#include <limits>

#include "core/backend/cpu/cpu_backend.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

/// Sizes around the lengths at which work is divided.
class GpuVectorPrimitives : public test::OnGpu<::testing::TestWithParam<std::tuple<Index, Precision>>> {
protected:
    Index size() const { return std::get<0>(GetParam()); }
    Precision precision() const { return std::get<1>(GetParam()); }
    Shape shape() const { return {{"n", size()}}; }

    void SetUp() override {
        OnGpu::SetUp();
        if (IsSkipped()) {
            return;
        }
        for (unsigned i = 0; i < 3; ++i) {
            operands_.push_back(test::random_array(gpu(), shape(), precision(), i + 1));
            host_.push_back(download<double>(operands_.back()));
        }
    }
    const Array& x() const { return operands_[0]; }
    const Array& y() const { return operands_[1]; }
    const Array& m() const { return operands_[2]; }

    std::vector<Array> operands_;
    std::vector<std::vector<cdouble>> host_;
};

TEST_P(GpuVectorPrimitives, CopiesConvertThePrecision) {
    const Precision other = precision() == Precision::single ? Precision::double_ : Precision::single;
    Array converted(gpu(), shape(), other);
    gpu().copy(x(), converted);
    EXPECT_LT(test::relative_difference(download<double>(converted), host_[0]), 1e-7);
    const std::vector<cfloat> single = download<float>(x());
    EXPECT_LT(test::relative_difference({single.begin(), single.end()}, host_[0]), 1e-7);
    upload(std::span<const cfloat>(single), converted);
    EXPECT_LT(test::relative_difference(download<double>(converted), host_[0]), 1e-7);
}

TEST_P(GpuVectorPrimitives, OperandsThatDoNotFitAreRefused) {
    Array longer(gpu(), {{"n", size() + 1}}, precision());
    Array finer(gpu(), shape(), precision() == Precision::single ? Precision::double_ : Precision::single);
    const auto cpu = make_cpu_backend(1);
    Array elsewhere(*cpu, shape(), precision());
    for (Array* other : {&longer, &finer, &elsewhere}) {
        EXPECT_THROW(gpu().axpby(1, x(), 1, *other), ShapeError);
        EXPECT_THROW(gpu().axpby(1, x(), 2, *other), ShapeError);
        EXPECT_THROW(gpu().dot(x(), *other), ShapeError);
        EXPECT_THROW(gpu().multiply(Conjugate::no, m(), x(), Accumulate::no, *other), ShapeError);
    }
    EXPECT_THROW(gpu().copy(x(), longer), ShapeError);
    EXPECT_THROW(gpu().copy(x(), elsewhere), ShapeError);
    EXPECT_THROW(gpu().fill(0, elsewhere), ShapeError);
    EXPECT_THROW(gpu().scale(2, elsewhere), ShapeError);
}

INSTANTIATE_TEST_SUITE_P(Sizes, GpuVectorPrimitives,
                         ::testing::Combine(::testing::Values(1, 7, 255, 256, 2049, 50001),
                                            ::testing::Values(Precision::single, Precision::double_)));

using GpuMemory = test::OnGpu<>;

TEST_F(GpuMemory, MoreThanThereIsIsAnErrorThatSaysSoAndLeavesTheDeviceUsable) {
    try {
        const Array huge(gpu(), {{"n", Index{1} << 50}}, Precision::single);
        FAIL() << "eight petabytes were handed out";
    } catch (const DeviceError& error) {
        EXPECT_NE(std::string(error.what()).find("asked for"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("cuda:0"), std::string::npos) << error.what();
        EXPECT_EQ(error.kind(), ErrorKind::device);
    }
    Array small(gpu(), {{"n", 3}}, Precision::single);
    gpu().fill({2, 1}, small);
    EXPECT_EQ(download<float>(small), std::vector<cfloat>(3, cfloat(2, 1)));
}

TEST_F(GpuMemory, WhatIsFreedCanBeUsedAgain) {
    const std::size_t before = gpu().memory_free_bytes();
    const Index count = static_cast<Index>(before / complex_bytes(Precision::single) / 4);
    for (int run = 0; run < 12; ++run) {  // a quarter of the memory each time
        Array array(gpu(), {{"n", count}}, Precision::single);
        EXPECT_LE(gpu().memory_free_bytes(), before - before / 5);
    }
    gpu().synchronize();
    EXPECT_GE(gpu().memory_free_bytes(), before - before / 20);
}

TEST(GpuBackend, AnOrdinalThatDoesNotExistIsUnavailable) {
    EXPECT_THROW(make_cuda_backend(-1), BackendUnavailable);
    EXPECT_THROW(make_cuda_backend(1000), BackendUnavailable);
}

}  // namespace
}  // namespace recon
