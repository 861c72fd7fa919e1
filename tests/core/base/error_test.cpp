#include "core/base/error.hpp"

#include <gtest/gtest.h>

namespace recon {
namespace {

TEST(BackendUnavailableError, HasItsReasonApartFromTheAdvice) {
    const BackendUnavailable none("no driver; none at all", "use `device` cpu");
    EXPECT_STREQ(none.what(), "no driver; none at all; use `device` cpu");
    EXPECT_EQ(BackendUnavailable(none).reason(), "no driver; none at all");
    EXPECT_STREQ(BackendUnavailable("no driver").what(), "no driver");
}

}  // namespace
}  // namespace recon
