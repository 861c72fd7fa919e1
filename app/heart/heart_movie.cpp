#include "app/heart/heart_movie.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/base/error.hpp"
#include "data/pictures/stroke_font.hpp"

namespace recon::heart {
namespace {

constexpr double seconds_a_picture = 0.05;
constexpr std::uint8_t black = 255;
constexpr std::uint8_t white = 127;

}  // namespace

ColourPicture picture_of(const Frame& frame) {
    constexpr Index least_pixels = 256, most_pixels = 512;
    const Index n = frame.state.size;
    const Index pixels_a_cell = std::max<Index>(1, (least_pixels + n - 1) / n);
    const Index cells_a_pixel = (n + most_pixels - 1) / most_pixels;
    const Index side = pixels_a_cell > 1 ? n * pixels_a_cell : (n + cells_a_pixel - 1) / cells_a_pixel;

    Picture title(side, text_line_height);
    draw_text(title, 0, 0, side, fmt::format("T = {:.1f}  step {}", frame.time, frame.step));
    ColourPicture picture{side, side + text_line_height, {}};
    picture.colours.reserve(picture.width * picture.height);
    std::transform(title.grey.begin(), title.grey.end(), std::back_inserter(picture.colours),
                   [](float ink) { return ink > 0.5F ? black : white; });
    for (Index y = 0; y < side; ++y) {
        for (Index x = 0; x < side; ++x) {
            const Index row = y * cells_a_pixel / pixels_a_cell, column = x * cells_a_pixel / pixels_a_cell;
            picture.colours.push_back(diverging_place(frame.state.excitation[row * n + column], 0, 1));
        }
    }
    return picture;
}

Movie::Movie(const std::string& folder, Index frame_count) : folder_(folder), frame_count_(frame_count) {
    std::error_code failure;
    std::filesystem::create_directories(folder_, failure);
    if (failure || !std::filesystem::is_directory(folder_)) {
        throw InputError(fmt::format("{}: cannot be made a folder of pictures: {}", folder_,
                                     failure ? failure.message() : "something else has that name"));
    }
}

std::string Movie::path_of_frame(Index number) const { return fmt::format("{}/frame-{:05}.png", folder_, number); }

void Movie::add(const Frame& frame) {
    const ColourPicture picture = picture_of(frame);
    if (!animation_) {
        animation_.emplace(folder_ + "/movie.png", palette_, picture.width, picture.height, frame_count_,
                           seconds_a_picture);
    }
    write_png(path_of_frame(frame.number), picture, palette_);
    animation_->add(picture);
}

void Movie::finish() {
    if (animation_) {
        animation_->finish();
    }
    std::error_code none_left;
    for (Index number = frame_count_; std::filesystem::remove(path_of_frame(number), none_left); ++number) {
    }
}

}  // namespace recon::heart
