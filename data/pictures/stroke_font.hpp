#pragma once

#include <string_view>

#include "data/pictures/png_writer.hpp"

namespace recon {

constexpr Index text_line_height = 24;  ///< pixels, margins included

/// Writes letters, digits and . , : ' % + - = / ( ) [ ] < > | _ in white, centred in a line of the picture; other
/// characters become blanks. Text that is too wide is written smaller, then cut.
void draw_text(Picture& picture, Index left, Index top, Index width, std::string_view text);

}  // namespace recon
