#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// A grey picture, row by row from the top; 0 is black, 1 is white.
struct Picture {
    Index width = 0;
    Index height = 0;
    std::vector<float> grey;  ///< [width height], width fastest

    Picture() = default;
    Picture(Index width_, Index height_, float background = 0)
        : width(width_), height(height_), grey(width_ * height_, background) {}
    float& at(Index column, Index row) { return grey[row * width + column]; }
    float at(Index column, Index row) const { return grey[row * width + column]; }
};

/// The bytes of an 8-bit grey PNG, as `write_png` writes it.
/// @param where  for messages. @throws InputError, ShapeError as there
std::vector<std::byte> png_bytes(const Picture& picture, const std::string& where);

/// Writes an 8-bit grey PNG. Values outside 0 ... 1 are clipped, those that are no number become black. An existing
/// file is replaced only when the new one is complete.
/// @throws InputError if it cannot be written, ShapeError if the picture is empty or its values do not fill it
void write_png(const std::string& path, const Picture& picture);

}  // namespace recon
