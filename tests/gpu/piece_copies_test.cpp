#include "gpu/device/piece_copies.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>
#include <vector>

namespace recon {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 20;

class PieceCopiesOf : public ::testing::TestWithParam<std::size_t> {
protected:
    std::vector<char> from = std::vector<char>(GetParam()), to = std::vector<char>(GetParam());
    PieceCopies copies{from.size(), piece_bytes, [this](std::size_t offset, std::size_t length) {
                           std::memcpy(to.data() + offset, from.data() + offset, length);
                       }};

    void SetUp() override {
        for (std::size_t i = 0; i < from.size(); ++i) {
            from[i] = static_cast<char>(i * 2654435761u >> 24);
        }
    }
};

TEST_P(PieceCopiesOf, AreWholeOncePiecesAreWaitedFor) {
    copies.run([&] {
        for (std::size_t piece = 0; piece < copies.piece_count(); ++piece) {
            copies.release(piece + 1);
            copies.wait_for(piece);
            const std::size_t first = piece * piece_bytes, length = std::min(piece_bytes, from.size() - first);
            ASSERT_EQ(std::memcmp(to.data() + first, from.data() + first, length), 0) << piece;
        }
    });
}

TEST_P(PieceCopiesOf, NotReleasedAreNotMade) {
    copies.run([&] {
        copies.release(1);
        copies.wait_for(0);
        for (std::size_t i = piece_bytes; i < from.size(); ++i) {
            ASSERT_EQ(to[i], 0) << i;
        }
        copies.release(copies.piece_count());
        for (std::size_t piece = 0; piece < copies.piece_count(); ++piece) {
            copies.wait_for(piece);
        }
    });
    EXPECT_EQ(from, to);
}

TEST_P(PieceCopiesOf, EndWithWhatTheLeaderThrows) {
    EXPECT_THROW(copies.run([] { throw std::runtime_error("lost"); }), std::runtime_error);
}

INSTANTIATE_TEST_SUITE_P(Sizes, PieceCopiesOf,
                         ::testing::Values(1, piece_bytes, 3 * piece_bytes + 5, 17 * piece_bytes));

}  // namespace
}  // namespace recon
