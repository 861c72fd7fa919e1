#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "core/base/types.hpp"
#include "data/files/atomic_output.hpp"

namespace recon {

/// Red, green and blue of up to 256 colours.
using Palette = std::array<std::array<std::uint8_t, 3>, 256>;

/// A picture in the colours of a palette, row by row from the top.
struct ColourPicture {
    Index width = 0;
    Index height = 0;
    std::vector<std::uint8_t> colours;  ///< [width height], width fastest; places in the palette
};

/// A PNG of several pictures that browsers show one after the other, again and again [W3C PNG, third edition, 2025];
/// a program that knows nothing of it shows the first. Pictures are written as they come; an existing file is replaced
/// when the new one is complete.
class AnimatedPng {
public:
    /// @param picture_count  that will be added; of 1 an ordinary PNG is made
    /// @throws InputError if the file cannot be written
    AnimatedPng(const std::string& path, const Palette& palette, Index width, Index height, Index picture_count,
                double seconds_a_picture);

    /// @throws ShapeError if it is of another size, or one too many
    void add(const ColourPicture& picture);
    /// @throws ShapeError if pictures are missing, InputError if the disk is full
    void finish();

private:
    void write_chunk(const char* type, const std::vector<std::uint8_t>& data);

    AtomicOutput output_;
    std::ofstream file_;
    Index width_, height_, picture_count_, added_ = 0;
    std::uint32_t sequence_ = 0;
    int milliseconds_;
};

/// @throws as AnimatedPng
void write_png(const std::string& path, const ColourPicture& picture, const Palette& palette);

/// Blue over white to red: places 0 to 254 are evenly spaced; 255 is black, for text.
Palette diverging_palette();

/// The place of a value in it: 0 for `low`, 127 in the middle, 254 for `high`; what is no number is the middle.
std::uint8_t diverging_place(double value, double low, double high);

}  // namespace recon
