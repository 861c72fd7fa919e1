#include "data/pictures/animated_png.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/base/error.hpp"

namespace recon {
namespace {

using Bytes = std::vector<std::uint8_t>;

void append(Bytes& bytes, std::uint32_t value, int count = 4) {  // the highest byte first
    for (int shift = 8 * (count - 1); shift >= 0; shift -= 8) {
        bytes.push_back(static_cast<std::uint8_t>(value >> shift));
    }
}

/// Rows with a filter byte of zero in front of each, deflated.
Bytes image_data(const ColourPicture& picture) {
    Bytes rows;
    rows.reserve((picture.width + 1) * picture.height);
    for (Index row = 0; row < picture.height; ++row) {
        rows.push_back(0);
        const auto begin = picture.colours.begin() + row * picture.width;
        rows.insert(rows.end(), begin, begin + picture.width);
    }
    uLongf size = compressBound(rows.size());
    Bytes packed(size);
    if (compress2(packed.data(), &size, rows.data(), rows.size(), Z_DEFAULT_COMPRESSION) != Z_OK) {
        throw Error("zlib could not compress a picture");
    }
    packed.resize(size);
    return packed;
}

}  // namespace

AnimatedPng::AnimatedPng(const std::string& path, const Palette& palette, Index width, Index height,
                         Index picture_count, double seconds_a_picture)
    : output_(path),
      file_(output_.temporary_path(), std::ios::binary),
      width_(width),
      height_(height),
      picture_count_(picture_count),
      milliseconds_(static_cast<int>(std::clamp(std::lround(1e3 * seconds_a_picture), 1L, 65535L))) {
    if (width < 1 || height < 1 || picture_count < 1) {
        throw ShapeError(fmt::format("{}: {} pictures of {} x {} pixels", path, picture_count, width, height));
    }
    file_ << "\x89PNG\r\n\x1a\n";
    Bytes header;
    append(header, static_cast<std::uint32_t>(width));
    append(header, static_cast<std::uint32_t>(height));
    header.insert(header.end(), {8, 3, 0, 0, 0});  // 8 bits, palette, deflate, filters by row, not interlaced
    write_chunk("IHDR", header);
    if (picture_count > 1) {
        Bytes animation;
        append(animation, static_cast<std::uint32_t>(picture_count));
        append(animation, 0);  // again and again
        write_chunk("acTL", animation);
    }
    Bytes colours;
    for (const auto& colour : palette) {
        colours.insert(colours.end(), colour.begin(), colour.end());
    }
    write_chunk("PLTE", colours);
}

void AnimatedPng::write_chunk(const char* type, const std::vector<std::uint8_t>& data) {
    Bytes chunk;
    append(chunk, static_cast<std::uint32_t>(data.size()));
    chunk.insert(chunk.end(), type, type + 4);
    chunk.insert(chunk.end(), data.begin(), data.end());
    append(chunk, static_cast<std::uint32_t>(crc32(0, chunk.data() + 4, static_cast<uInt>(chunk.size() - 4))));
    file_.write(reinterpret_cast<const char*>(chunk.data()), static_cast<std::streamsize>(chunk.size()));
}

void AnimatedPng::add(const ColourPicture& picture) {
    if (picture.width != width_ || picture.height != height_ || added_ == picture_count_ ||
        static_cast<Index>(picture.colours.size()) != width_ * height_) {
        throw ShapeError(fmt::format("{}: picture {} of {} is {} x {} with {} colours, expected {} x {}",
                                     output_.path(), added_ + 1, picture_count_, picture.width, picture.height,
                                     picture.colours.size(), width_, height_));
    }
    if (picture_count_ > 1) {
        Bytes control;
        append(control, sequence_++);
        append(control, static_cast<std::uint32_t>(width_));
        append(control, static_cast<std::uint32_t>(height_));
        append(control, 0);  // at the left
        append(control, 0);  // and the top
        append(control, static_cast<std::uint32_t>(milliseconds_), 2);
        append(control, 1000, 2);
        control.insert(control.end(), {0, 0});  // the next one takes its place
        write_chunk("fcTL", control);
    }
    const Bytes data = image_data(picture);
    if (added_ == 0) {
        write_chunk("IDAT", data);
    } else {
        Bytes numbered;
        append(numbered, sequence_++);
        numbered.insert(numbered.end(), data.begin(), data.end());
        write_chunk("fdAT", numbered);
    }
    ++added_;
}

void AnimatedPng::finish() {
    if (added_ != picture_count_) {
        throw ShapeError(fmt::format("{}: {} of {} pictures were added", output_.path(), added_, picture_count_));
    }
    write_chunk("IEND", {});
    file_.close();
    if (!file_) {
        throw InputError(output_.path() + ": cannot be written; is the disk full?");
    }
    output_.commit();
}

void write_png(const std::string& path, const ColourPicture& picture, const Palette& palette) {
    AnimatedPng file(path, palette, picture.width, picture.height, 1, 1);
    file.add(picture);
    file.finish();
}

Palette diverging_palette() {
    // The ends and the middle of the "cool to warm" map for scientific pictures [Moreland2009], straight in between.
    constexpr double cool[] = {59, 76, 192}, middle[] = {242, 242, 242}, warm[] = {180, 4, 38};
    Palette palette{};
    for (int i = 0; i < 255; ++i) {
        const double share = i / 127.0;
        for (int part = 0; part < 3; ++part) {
            const double value = share < 1 ? cool[part] + share * (middle[part] - cool[part])
                                           : middle[part] + (share - 1) * (warm[part] - middle[part]);
            palette[i][part] = static_cast<std::uint8_t>(std::lround(value));
        }
    }
    return palette;
}

std::uint8_t diverging_place(double value, double low, double high) {
    const double share = (value - low) / (high - low);
    return static_cast<std::uint8_t>(std::isnan(share) ? 127 : std::lround(254 * std::clamp(share, 0.0, 1.0)));
}

}  // namespace recon
