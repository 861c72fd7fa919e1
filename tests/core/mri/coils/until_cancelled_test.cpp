#include "core/mri/coils/until_cancelled.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>

namespace recon {
namespace {

TEST(UntilCancelled, GivesWhatTheWorkGives) {
    EXPECT_EQ(*until_cancelled([] { return std::make_unique<int>(7); }), 7);
}

TEST(UntilCancelled, ThrowsWhatTheWorkThrows) {
    EXPECT_THROW(until_cancelled([]() -> int { throw std::out_of_range("there is no more"); }), std::out_of_range);
}

TEST(UntilCancelled, DoesNotWaitForTheWorkOnceAStopIsDue) {
    CancelSource source;
    const CancelToken token(source);
    const CancelBinding bound(token);
    const auto end = std::make_shared<std::atomic<bool>>(false);
    const auto work = [&source, end] {
        source.request();
        end->wait(false);
        return 0;
    };
    EXPECT_THROW(until_cancelled(work), Cancelled);
    *end = true;  // the thread ends after all
    end->notify_all();
}

}  // namespace
}  // namespace recon
