#include "data/pictures/png_writer.hpp"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "data/files/write_bytes.hpp"

namespace recon {

std::vector<std::byte> png_bytes(const Picture& picture, const std::string& where) {
    if (picture.width < 1 || picture.height < 1 ||
        static_cast<Index>(picture.grey.size()) != picture.width * picture.height) {
        throw ShapeError(fmt::format("{}: a picture of {} values for {} x {} pixels", where, picture.grey.size(),
                                     picture.width, picture.height));
    }
    std::vector<png_byte> pixels(picture.grey.size());
    std::transform(picture.grey.begin(), picture.grey.end(), pixels.begin(), [](float grey) {
        return static_cast<png_byte>(std::isnan(grey) ? 0 : std::lround(255 * std::clamp(grey, 0.0F, 1.0F)));
    });

    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(picture.width);
    image.height = static_cast<png_uint_32>(picture.height);
    image.format = PNG_FORMAT_GRAY;
    constexpr int keep_8_bits = 0, packed_rows = 0;
    // Twice: the first call only counts the bytes.
    png_alloc_size_t byte_count = 0;
    std::vector<std::byte> bytes;
    bool done =
        png_image_write_to_memory(&image, nullptr, &byte_count, keep_8_bits, pixels.data(), packed_rows, nullptr) != 0;
    if (done) {
        bytes.resize(byte_count);
        done = png_image_write_to_memory(&image, bytes.data(), &byte_count, keep_8_bits, pixels.data(), packed_rows,
                                         nullptr) != 0;
    }
    if (!done) {
        throw InputError(fmt::format("{}: cannot make a PNG of {} x {} pixels: {}", where, picture.width,
                                     picture.height, image.message));
    }
    return bytes;
}

void write_png(const std::string& path, const Picture& picture) { write_bytes(path, png_bytes(picture, path)); }

}  // namespace recon
