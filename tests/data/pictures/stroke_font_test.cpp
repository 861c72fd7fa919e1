#include "data/pictures/stroke_font.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

namespace recon {
namespace {

constexpr Index line_width = 60;

Picture written(const std::string& text, Index width = line_width) {
    Picture picture(width, text_line_height);
    draw_text(picture, 0, 0, width, text);
    return picture;
}

float ink(const Picture& picture) { return std::accumulate(picture.grey.begin(), picture.grey.end(), 0.F); }

/// The first row with ink.
Index first_row(const Picture& picture) {
    const auto at = std::find_if(picture.grey.begin(), picture.grey.end(), [](float grey) { return grey > 0.5F; });
    return (at - picture.grey.begin()) / picture.width;
}

TEST(StrokeFont, EveryCharacterIsADifferentPicture) {
    const std::string characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.,:'%+-=/()[]<>|_";
    std::vector<std::vector<float>> pictures;
    for (const char character : characters) {
        const Picture picture = written(std::string(1, character));
        EXPECT_GT(ink(picture), 1) << character;
        // Nothing is cut off: the frame of the line stays empty.
        for (Index column = 0; column < line_width; ++column) {
            EXPECT_EQ(picture.at(column, 0) + picture.at(column, text_line_height - 1), 0) << character;
        }
        for (std::size_t i = 0; i < pictures.size(); ++i) {
            const bool is_stroke = character == 'l' && characters[i] == 'I';  // I and l are one stroke, as ever
            EXPECT_TRUE(is_stroke || pictures[i] != picture.grey) << character << characters[i];
        }
        pictures.push_back(picture.grey);
    }
}

TEST(StrokeFont, SmallLettersAreLowerAndEdgesAreSmooth) {
    EXPECT_LT(first_row(written("A")), first_row(written("a")));
    EXPECT_EQ(first_row(written("A")), first_row(written("8")));
    const Picture picture = written("S");
    EXPECT_GT(std::count_if(picture.grey.begin(), picture.grey.end(), [](float g) { return g > 0.1F && g < 0.9F; }),
              10);
    EXPECT_LE(*std::max_element(picture.grey.begin(), picture.grey.end()), 1);
}

TEST(StrokeFont, TextIsCentredMadeSmallerAndCut) {
    const Picture wide = written("H", 61);
    for (Index row = 0; row < text_line_height; ++row) {
        for (Index column = 0; column < 61; ++column) {
            EXPECT_NEAR(wide.at(column, row), wide.at(60 - column, row), 1e-5);
        }
    }
    const std::string text = "least squares";
    EXPECT_GT(ink(written(text, 200)), 1.2F * ink(written(text, 80)));
    EXPECT_EQ(written(text + text + text, 40).grey.size(), 40U * text_line_height);
    EXPECT_EQ(ink(written("", 40)), 0);
    EXPECT_EQ(ink(written("\xce\xbc", 40)), 0) << "what is no letter of ours is a blank";
}

TEST(StrokeFont, LeavesWhatIsThere) {
    Picture picture(line_width, text_line_height, 0.7F);
    draw_text(picture, 0, 0, line_width, "x");
    EXPECT_EQ(*std::min_element(picture.grey.begin(), picture.grey.end()), 0.7F);
}

TEST(StrokeFont, TextNeverLeavesItsLine) {
    for (const Index width : {1, 7, 40, 400}) {
        Picture picture(width, text_line_height);
        draw_text(picture, 0, 0, width, "Least squares: 12.5 % (of |b|), \xce\xbc");
        EXPECT_EQ(picture.grey.size(), static_cast<std::size_t>(width * text_line_height));
        EXPECT_EQ(std::accumulate(picture.grey.begin(), picture.grey.end(), 0.0F) > 0, width >= 6);
    }
}

}  // namespace
}  // namespace recon
