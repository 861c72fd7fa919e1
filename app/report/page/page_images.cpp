#include "app/report/page/page_images.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/report/page/page_pictures.hpp"
#include "app/report/page/page_text.hpp"
#include "core/base/number_text.hpp"
#include "data/pictures/display_window.hpp"
#include "data/pictures/svg_plot.hpp"

namespace recon {
namespace {

constexpr int picture_px = 205, small_px = 110;  // five beside each other
constexpr float error_gain = 5;                  // errors of a few percent are to be seen

std::vector<float> magnitudes(std::span<const cfloat> values) {
    std::vector<float> result;
    for (const cfloat& value : values) {
        result.push_back(std::abs(value));
    }
    return result;
}

float white_of(std::span<const cfloat> values) {
    // Beyond the 99.5th percentile, so that bright tissue keeps its contrast.
    constexpr float headroom = 1.1F;
    return headroom * display_maximum(magnitudes(values));
}

std::string figure(const std::string& picture, const std::string& caption) {
    return fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n", picture, svg::escaped(caption));
}

std::string row(const std::string& title, const std::string& figures) {
    return fmt::format("<h3>{}</h3>\n<div class='row'>\n{}</div>\n", svg::escaped(title), figures);
}

/// White of the pictures of a map, as a round number where there is one.
float map_white(const Image& map) { return percentile(magnitudes(map.frame(0)), 0.99); }

}  // namespace

std::string images_section(const PageContents& contents) {
    const std::span<const cfloat> image = contents.image.frame(0);
    const Geometry& geometry = contents.image.geometry;
    const bool has_reference = contents.reference.has_value();
    const std::span<const cfloat> shown_by = has_reference ? contents.reference->frame(0) : image;
    const float white = white_of(shown_by);
    const std::string name =
        value_text(contents.record, "prior").empty() ? "recon" : "recon, prior " + value_text(contents.record, "prior");
    std::string text;
    for (const Plane& plane : planes_through(contents.image)) {
        std::string figures;
        const auto add = [&](std::span<const cfloat> values, float to_white, const std::string& caption) {
            figures +=
                figure(picture_of(values, geometry, plane, to_white, svg::escaped(caption), picture_px), caption);
        };
        if (contents.gridding) {
            add(contents.gridding->frame(0), white, "gridding + FFT");
        }
        add(image, white, name);
        if (has_reference) {
            add(shown_by, white, "reference");
            const std::string gain = fmt::format(", {:g} times as bright", error_gain);
            if (contents.gridding) {
                add(difference(contents.gridding->frame(0), shown_by), white / error_gain, "error of gridding" + gain);
            }
            add(difference(image, shown_by), white / error_gain, "error of " + name + gain);
        } else if (contents.gridding) {
            add(difference(contents.gridding->frame(0), image), white / error_gain,
                fmt::format("gridding less {}, {:g} times as bright", name, error_gain));
        }
        text += row(text_of(plane, geometry), figures);
    }
    if (contents.image.frame_count() > 1) {
        text += fmt::format("<p>The first of {} frames.</p>\n", contents.image.frame_count());
    }
    if (!contents.reference_note.empty()) {
        text += fmt::format("<p>No reference: {}.</p>\n", svg::escaped(contents.reference_note));
    }
    return section("Image", text);
}

std::string uncertainty_section(const PageContents& contents) {
    const Geometry& geometry = contents.image.geometry;
    std::string text;
    for (const Plane& plane : planes_through(contents.image)) {
        std::string figures;
        for (const auto& [name, title] :
             {std::pair<const char*, const char*>{"uncertainty/sd", "standard deviation"},
              std::pair<const char*, const char*>{"uncertainty/noise_sd", "standard deviation by noise alone"},
              std::pair<const char*, const char*>{"uncertainty/g_factor", "g-factor of plain least squares"}}) {
            const auto map = contents.maps.find(name);
            if (map != contents.maps.end() && map->second.geometry.matrix_size == geometry.matrix_size) {
                const float white = map_white(map->second);
                figures +=
                    figure(picture_of(map->second.frame(0), geometry, plane, white > 0 ? white : 1, title, picture_px),
                           fmt::format("{}, white is {:.3g}", title, white));
            }
        }
        text += figures.empty() ? "" : row(text_of(plane, geometry), figures);
    }
    return section("What is uncertain", text);
}

std::string coils_section(const PageContents& contents) {
    if (!contents.coil_maps) {
        return "";
    }
    const Image& maps = *contents.coil_maps;
    constexpr Index most = 32;
    const Plane plane = planes_through(contents.image).front();
    std::string figures;
    for (Index coil = 0; coil < std::min(most, maps.frame_count()); ++coil) {
        const std::string caption = fmt::format("coil {}", coil + 1);
        figures += figure(picture_of(maps.frame(coil), contents.image.geometry, plane, 1, caption, small_px), caption);
    }
    return section("Coil maps",
                   row(fmt::format("magnitudes, white is 1; {}; {}", text_of(plane, contents.image.geometry),
                                   counted(maps.frame_count(), "coil")),
                       figures));
}

std::string off_resonance_section(const PageContents& contents) {
    const Geometry& geometry = contents.image.geometry;
    const auto map_of = [&](const char* name) -> const Image* {
        const auto map = contents.maps.find(name);
        return map != contents.maps.end() && map->second.geometry.matrix_size == geometry.matrix_size ? &map->second
                                                                                                      : nullptr;
    };
    const Image *const field = map_of("off_resonance_hz"), *const decay = map_of("relaxation_rate_per_s");
    std::string figures;
    for (const Plane& plane : planes_through(contents.image)) {
        const std::string place = text_of(plane, geometry);
        if (field != nullptr) {
            const float largest = std::max(map_white(*field), 1e-3F);
            std::vector<cfloat> shown;  // grey for 0
            for (const cfloat& hz : field->frame(0)) {
                shown.emplace_back(std::clamp(hz.real() + largest, 0.0F, 2 * largest));
            }
            figures += figure(picture_of(shown, geometry, plane, 2 * largest, "off-resonance", picture_px),
                              fmt::format("{0}: off-resonance, black -{1:.3g} Hz, white {1:.3g} Hz", place, largest));
        }
        if (decay != nullptr) {
            const float white = std::max(map_white(*decay), 1e-3F);
            figures += figure(picture_of(decay->frame(0), geometry, plane, white, "R2*", picture_px),
                              fmt::format("{}: R2*, white {:.3g} 1/s", place, white));
        }
    }
    return section("Field map", figures.empty() ? "" : row("as it was corrected", figures));
}

std::string coverage_section(const PageContents& contents) {
    std::string figures;
    for (const auto& [name, title] : {std::pair<const char*, const char*>{"coverage/xy", "kx to the right, ky down"},
                                      std::pair<const char*, const char*>{"coverage/xz", "kx to the right, kz down"},
                                      std::pair<const char*, const char*>{"coverage/yz", "ky to the right, kz down"}}) {
        const auto counts = contents.maps.find(name);
        if (counts == contents.maps.end()) {
            continue;
        }
        std::vector<cfloat> shown;  // samples lie thousands of times more densely at the centre than at the edge
        float most = 1;
        for (const cfloat& count : counts->second.frame(0)) {
            shown.emplace_back(std::log1p(std::abs(count)));
            most = std::max(most, std::abs(count));
        }
        // Brightest is grey: samples that lie alike everywhere are not to be a white square on a white page.
        const float white = std::log1p(most) / 0.75F;
        Geometry square = counts->second.geometry;
        square.field_of_view_mm = {0, 0, 0};
        figures += figure(picture_of(shown, square, {2, 0}, white, title, picture_px),
                          fmt::format("{}, up to {:.0f} samples a point", title, most));
    }
    return section(
        "Samples in k-space",
        figures.empty()
            ? ""
            : row("number of samples of the first frame, logarithmic; the frame is the band of the image", figures));
}

}  // namespace recon
