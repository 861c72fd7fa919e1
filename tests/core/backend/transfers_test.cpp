// Numbers on their way between host and backend, so many that they go by pieces.
#include <gtest/gtest.h>

#include "core/backend/backend.hpp"
#include "core/backend/host_stack.hpp"
#include "core/backend/transfer_by_pieces.hpp"
#include "core/base/error.hpp"
#include "tests/support/backends.hpp"

namespace recon {
namespace {

class Transfers : public test::EveryBackend {};

/// Exact in single precision.
cfloat number(std::size_t i) { return {static_cast<float>(i % (std::size_t{1} << 24)), -static_cast<float>(i % 1001)}; }

TEST_P(Transfers, ManyNumbersComeBackAsTheyWere) {
    constexpr std::size_t count = 5'000'003;  // more than the pinned memory of a GPU's queue holds at once
    std::vector<cfloat> numbers(count);
    for (std::size_t i = 0; i < count; ++i) {
        numbers[i] = number(i);
    }
    for (const Precision precision : {Precision::single, Precision::double_}) {
        Array array(*backend_, {{"n", static_cast<Index>(count)}}, precision);
        upload(numbers, array);
        EXPECT_EQ(download<float>(array), numbers);
        const std::vector<cdouble> wide = download<double>(array);
        EXPECT_TRUE(
            std::equal(wide.begin(), wide.end(), numbers.begin(), [](cdouble a, cfloat b) { return a == cdouble(b); }));
    }
}

TEST_P(Transfers, PiecesHoldEachNumberOnce) {
    for (const std::size_t count : {std::size_t{1}, std::size_t{1000}, (std::size_t{1} << 21) + 5}) {
        Array array(*backend_, {{"n", static_cast<Index>(count)}}, Precision::single);
        upload_by_pieces(array, number);
        std::vector<cfloat> found(count);
        std::vector<char> times(count);
        download_by_pieces(array, [&](std::size_t i, cfloat value) {
            found[i] = value;
            ++times[i];
        });
        EXPECT_EQ(found, download<float>(array));
        EXPECT_EQ(found.back(), number(count - 1));
        EXPECT_EQ(times, std::vector<char>(count, 1));
    }
}

TEST_P(Transfers, SlicesMayLieApartOnTheHost) {
    std::vector<cfloat> numbers(23);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = number(i);
    }
    const Shape shape{{"x", 3}, {"coil", 3}};
    const HostStack stack(*backend_, numbers, shape, 10);
    Array all(*backend_, shape, Precision::single), last(*backend_, {{"x", 3}}, Precision::single);
    stack.load(0, all);
    stack.load(2, last);
    std::vector<cfloat> expected;
    for (const std::size_t i : {0, 1, 2, 10, 11, 12, 20, 21, 22}) {
        expected.push_back(number(i));
    }
    EXPECT_EQ(download<float>(all), expected);
    EXPECT_EQ(download<float>(last), (std::vector<cfloat>{expected.end() - 3, expected.end()}));
    EXPECT_EQ(stack.elements(1, std::vector<Index>{2}), std::vector<cdouble>{number(12)});
    EXPECT_THROW(HostStack(*backend_, numbers, shape, 9), ShapeError);
}

INSTANTIATE_TEST_SUITE_P(, Transfers, test::every_backend(), test::backend_name);

}  // namespace
}  // namespace recon
