#include "data/reading/scan/frame_selection.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "data/reading/scan/frame_labels.hpp"
#include "tests/support/error_matchers.hpp"

namespace recon {
namespace {

using test::expect_error;

FrameLabel label(Index contrast, Index slice) {
    FrameLabel result;
    result.contrast = contrast;
    result.slice = slice;
    return result;
}

TEST(FrameSelectionTest, PartsMustAllMatchAndValuesMayBeRangesOrRepeated) {
    EXPECT_TRUE(FrameSelection().selects(label(3, 4)));
    const FrameSelection selection("contrast=0,slice=2-4,slice=7");
    EXPECT_TRUE(selection.selects(label(0, 2)));
    EXPECT_TRUE(selection.selects(label(0, 4)));
    EXPECT_TRUE(selection.selects(label(0, 7)));
    EXPECT_FALSE(selection.selects(label(0, 5)));
    EXPECT_FALSE(selection.selects(label(1, 2)));
    const FrameSelection short_form("contrast=0,slice=2-4,7");
    EXPECT_TRUE(short_form.selects(label(0, 7)));
    EXPECT_FALSE(short_form.selects(label(7, 2)));
    FrameLabel other;
    other.repetition = 1;
    other.set = 2;
    other.phase = 3;
    EXPECT_TRUE(FrameSelection("repetition=1,set=2,phase=3").selects(other));
    EXPECT_FALSE(FrameSelection("phase=2").selects(other));
}

TEST(FrameSelectionTest, NothingPickedListsWhatThereIs) {
    const std::vector<FrameLabel> labels{label(0, 0), label(1, 0), label(1, 5)};
    EXPECT_EQ(FrameSelection("contrast=1").pick(labels, "f"), (std::vector<std::size_t>{1, 2}));
    EXPECT_EQ(FrameSelection().pick(labels, "f").size(), 3);
    expect_error<InputError>([&] { FrameSelection("set=1").pick(labels, "scan.h5"); },
                             {"scan.h5", "set=1", "contrast 0 to 1, slice 0 to 5"});
    EXPECT_EQ(text_of(labels[2]), "contrast 1, slice 5");
}

TEST(FrameSelectionTest, MalformedTextsAreUsageErrors) {
    for (const char* text :
         {"", "contrast", "contrast=", "contrast=a", "contrast=-1", "contrast=1-", "contrast=3-2", "contrast=1.5",
          "contrast=1,", ",", "colour=1", "contrast=99999999999999999999", "=1", "contrast=1 ", "contrast==1"}) {
        expect_error<UsageError>([&] { const FrameSelection selection{std::string(text)}; },
                                 {"`select`", "contrast=0,slice=2-4"});
    }
}

}  // namespace
}  // namespace recon
