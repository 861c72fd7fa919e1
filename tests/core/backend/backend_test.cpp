#include "core/backend/backend.hpp"

#include <gtest/gtest.h>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

TEST(CpuVectorPrimitives, DotDoesNotDependOnTheNumberOfThreads) {
    const auto dot_with = [](int thread_count) {
        const auto backend = make_cpu_backend(thread_count);
        const Array x = test::random_array(*backend, {{"n", 50001}}, Precision::single, 1);
        const Array y = test::random_array(*backend, {{"n", 50001}}, Precision::single, 2);
        return backend->dot(x, y);
    };
    EXPECT_EQ(dot_with(1), dot_with(2));
}

TEST(CpuMemory, MoreThanThereIsIsAnErrorThatSaysSo) {
    const auto backend = make_cpu_backend(1);
    try {
        const Array huge(*backend, {{"n", Index{1} << 50}}, Precision::single);
        FAIL() << "eight petabytes were handed out";
    } catch (const DeviceError& error) {
        EXPECT_NE(std::string(error.what()).find("asked for"), std::string::npos) << error.what();
        EXPECT_EQ(error.kind(), ErrorKind::device);
    }
}

TEST(ArrayTest, SlicesShareMemoryAndCheckTheirRange) {
    const auto backend = make_cpu_backend(1);
    Array array = test::random_array(*backend, {{"x", 3}, {"y", 5}, {"coil", 4}}, Precision::single, 1);
    const std::vector<cfloat> all = download<float>(array);
    const std::vector<cfloat> coil = download<float>(array.slice(2));
    EXPECT_TRUE(std::equal(coil.begin(), coil.end(), all.begin() + 30));
    EXPECT_EQ(array.view().slices(1, 3).shape(), (Shape{{"x", 3}, {"y", 5}, {"coil", 3}}));
    EXPECT_THROW(array.slice(4), ShapeError);
    EXPECT_THROW(array.view().slices(2, 3), ShapeError);
    EXPECT_THROW(array.view().data<double>(), ShapeError);
}

TEST(ShapeTest, RefusesWhatCannotBe) {
    EXPECT_THROW((Shape{{"x", 0}}), ShapeError);
    EXPECT_THROW((Shape{{"x", Index{1} << 40}, {"y", Index{1} << 40}}), ShapeError);
    EXPECT_EQ(Shape::image({20, 21, 1}).text(), "[x 20, y 21, z 1]");
}

}  // namespace
}  // namespace recon
