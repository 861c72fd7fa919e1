#include "core/base/registry.hpp"

#include <gmock/gmock.h>

#include <thread>

namespace recon {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Fruit {
    std::string_view name;
    int stones = 0;
};

Registry<Fruit>& fruits() {
    static Registry<Fruit> registry("fruit");
    return registry;
}

const Registration registered(fruits(), Fruit{"plum", 1});

TEST(Registry, FindsWhatRegisteredItself) {
    ASSERT_NE(fruits().find("plum"), nullptr);
    EXPECT_EQ(fruits().get("plum").stones, 1);
    EXPECT_EQ(fruits().find("pear"), nullptr);
}

TEST(Registry, ARegistrationLastsAsLongAsItsObject) {
    {
        const Registration pear(fruits(), Fruit{"pear", 0});
        EXPECT_THAT(fruits().names(), ElementsAre("pear", "plum"));
    }
    EXPECT_THAT(fruits().names(), ElementsAre("plum"));
}

TEST(Registry, RefusesANameTwiceAndAnEmptyOne) {
    EXPECT_THROW(fruits().add({"plum", 2}), Error);
    EXPECT_THROW(fruits().add({"", 2}), Error);
    EXPECT_EQ(fruits().get("plum").stones, 1);
}

TEST(Registry, AnUnknownNameIsToldWithTheKnownOnes) {
    try {
        fruits().get("walnut");
        FAIL() << "found";
    } catch (const UsageError& error) {
        EXPECT_STREQ(error.what(), "unknown fruit 'walnut'; there are: plum");
    }
}

TEST(Registry, ANameThatIsNearlyRightIsSuggested) {
    const std::vector<std::string> names{"anatomical", "identity", "roughness", "tv", "wavelet"};
    EXPECT_THAT(unknown_name_text("prior", "wavlet", names), HasSubstr("did you mean 'wavelet'?"));
    EXPECT_THAT(unknown_name_text("prior", "rough", names), HasSubstr("did you mean 'roughness'?"));
    EXPECT_THAT(unknown_name_text("prior", "vt", names), HasSubstr("did you mean 'tv'?"));
    EXPECT_THAT(unknown_name_text("prior", "inof", {"info"}), HasSubstr("did you mean 'info'?"));
    EXPECT_THAT(unknown_name_text("prior", "t", names), HasSubstr("did you mean 'tv'?"));
    EXPECT_THAT(unknown_name_text("prior", "spline", names), HasSubstr("'spline'; there are: anatomical, identity"));
}

TEST(Registry, ServesSeveralThreadsAtOnce) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([i] {
            const std::string name = "kind " + std::to_string(i);
            for (int round = 0; round < 200; ++round) {
                const Registration one(fruits(), Fruit{name, i});
                EXPECT_EQ(fruits().get(name).stones, i);
                EXPECT_EQ(fruits().get("plum").stones, 1);
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_THAT(fruits().names(), ElementsAre("plum"));
}

}  // namespace
}  // namespace recon
