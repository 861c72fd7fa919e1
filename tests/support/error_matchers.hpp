#pragma once

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace recon::test {

/// Runs `action`, which must throw an Expected whose message contains every one of `parts`.
template <class Expected, class Action>
void expect_error(Action&& action, const std::vector<std::string>& parts) {
    try {
        action();
    } catch (const Expected& error) {
        for (const std::string& part : parts) {
            EXPECT_THAT(error.what(), ::testing::HasSubstr(part));
        }
        return;
    } catch (const std::exception& error) {
        ADD_FAILURE() << "another type of error: " << error.what();
        return;
    }
    ADD_FAILURE() << "no error";
}

}  // namespace recon::test
