#include "data/pictures/stroke_font.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

namespace recon {
namespace {

/// Strokes of each character: its width, then strokes of pairs of digits, x to the right and y upwards; the baseline is
/// at y = 2, small letters end at 7, capitals at 9. `~` before a stroke rounds its corners.
const std::map<char, std::string_view> glyphs = {
    {'A', "4 022942 1535"},
    {'B', "4 0209 ~09494606 ~06464202"},
    {'C', "4 ~484909024243"},
    {'D', "4 0209 ~09494202"},
    {'E', "4 49090242 0636"},
    {'F', "4 490902 0636"},
    {'G', "4 ~484909024245 4525"},
    {'H', "4 0902 4942 0646"},
    {'I', "0 0902"},
    {'J', "3 ~39320204"},
    {'K', "4 0902 4905 1642"},
    {'L', "4 090242"},
    {'M', "5 02092459 5952"},
    {'N', "4 02094249"},
    {'O', "5 ~295952020929"},
    {'P', "4 0209 ~09494505"},
    {'Q', "5 ~295952020929 3451"},
    {'R', "4 0209 ~09494505 2542"},
    {'S', "4 ~4849090645420203"},
    {'T', "4 0949 2922"},
    {'U', "4 ~09024249"},
    {'V', "4 092249"},
    {'W', "6 0912385269"},
    {'X', "4 0942 0249"},
    {'Y', "4 092649 2622"},
    {'Z', "4 09490242"},
    {'a', "4 ~274742020727 4742"},
    {'b', "4 ~274742020727 0902"},
    {'c', "4 ~464707024243"},
    {'d', "4 ~274742020727 4942"},
    {'e', "4 0545 ~454707024243"},
    {'f', "2 ~291916 1612 0727"},
    {'g', "4 ~274742020727 ~47400001"},
    {'h', "4 0902 ~05074742"},
    {'i', "0 0702 0909"},
    {'j', "1 ~171000 1919"},
    {'k', "3 0902 3704 1532"},
    {'l', "0 0902"},
    {'m', "6 0702 ~05073732 ~35376762"},
    {'n', "4 0702 ~05074742"},
    {'o', "4 ~274742020727"},
    {'p', "4 ~274742020727 0700"},
    {'q', "4 ~274742020727 4740"},
    {'r', "3 0702 ~050737"},
    {'s', "3 ~3637070534320203"},
    {'t', "2 ~191222 0727"},
    {'u', "4 ~07024244 4742"},
    {'v', "4 072247"},
    {'w', "6 0722374267"},
    {'x', "4 0742 0247"},
    {'y', "4 0722 4710"},
    {'z', "3 07370232"},
    {'0', "4 ~294942020929"},
    {'1', "2 072922"},
    {'2', "4 ~0709494602 0242"},
    {'3', "4 ~0809494626 ~2646420203"},
    {'4', "4 32390444"},
    {'5', "4 490906 ~0647420203"},
    {'6', "4 ~4849090242460604"},
    {'7', "4 094912"},
    {'8', "4 ~294946060929 ~264642020626"},
    {'9', "4 ~0302424909054547"},
    {'.', "0 0202"},
    {',', "1 1201"},
    {':', "0 0202 0606"},
    {'\'', "0 0908"},
    {'%', "5 0059 ~0919170709 ~4454524244"},
    {'+', "4 2723 0545"},
    {'-', "3 0535"},
    {'=', "4 0646 0444"},
    {'/', "3 0139"},
    {'(', "1 ~19070311"},
    {')', "1 ~09171301"},
    {'[', "1 19090111"},
    {']', "1 09191101"},
    {'<', "3 380532"},
    {'>', "3 083502"},
    {'|', "0 0900"},
    {'_', "4 0141"},
};

constexpr double baseline = 2, capital_top = 9, blank_width = 2, between = 2, half_thickness = 0.42;
constexpr double largest_unit_px = 1.75, smallest_unit_px = 1;

struct Point {
    double x, y;
};
using Stroke = std::vector<Point>;

/// Corners cut at a quarter of their sides, three times over [Chaikin's curve].
Stroke rounded(Stroke stroke) {
    for (int cut = 0; cut < 3; ++cut) {
        const bool is_closed = stroke.front().x == stroke.back().x && stroke.front().y == stroke.back().y;
        Stroke finer;
        if (!is_closed) {
            finer.push_back(stroke.front());
        }
        for (std::size_t i = 0; i + 1 < stroke.size(); ++i) {
            const Point a = stroke[i], b = stroke[i + 1];
            finer.push_back({0.75 * a.x + 0.25 * b.x, 0.75 * a.y + 0.25 * b.y});
            finer.push_back({0.25 * a.x + 0.75 * b.x, 0.25 * a.y + 0.75 * b.y});
        }
        finer.push_back(is_closed ? finer.front() : stroke.back());
        stroke = std::move(finer);
    }
    return stroke;
}

std::vector<Stroke> strokes_of(std::string_view glyph) {
    std::vector<Stroke> strokes;
    for (std::size_t at = glyph.find(' '); at != std::string_view::npos; at = glyph.find(' ', at + 1)) {
        std::string_view pairs = glyph.substr(at + 1, glyph.find(' ', at + 1) - at - 1);
        const bool is_round = pairs.front() == '~';
        pairs.remove_prefix(is_round ? 1 : 0);
        Stroke stroke;
        for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
            stroke.push_back({static_cast<double>(pairs[i] - '0'), static_cast<double>(pairs[i + 1] - '0')});
        }
        strokes.push_back(is_round ? rounded(std::move(stroke)) : std::move(stroke));
    }
    return strokes;
}

double width_of(char character) {
    const auto glyph = glyphs.find(character);
    return glyph == glyphs.end() ? blank_width : glyph->second.front() - '0';
}

/// Of a text, in units, the gap after it included. Bytes that continue a character of UTF-8 have none.
double width_of(std::string_view text) {
    double width = 0;
    for (const char character : text) {
        width += (character & 0xC0) == 0x80 ? 0 : width_of(character) + between;
    }
    return width;
}

/// A line with round ends; pixels at its edge are partly white.
void draw_line(Picture& picture, Point a, Point b, double radius) {
    const double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy, margin = radius + 1;
    const auto clipped = [](double value, Index size) { return std::clamp<Index>(static_cast<Index>(value), 0, size); };
    const Index left = clipped(std::min(a.x, b.x) - margin, picture.width);
    const Index right = clipped(std::max(a.x, b.x) + margin + 1, picture.width);
    const Index top = clipped(std::min(a.y, b.y) - margin, picture.height);
    const Index bottom = clipped(std::max(a.y, b.y) + margin + 1, picture.height);
    for (Index row = top; row < bottom; ++row) {
        for (Index column = left; column < right; ++column) {
            const double x = static_cast<double>(column) + 0.5 - a.x, y = static_cast<double>(row) + 0.5 - a.y;
            const double along = length2 > 0 ? std::clamp((x * dx + y * dy) / length2, 0.0, 1.0) : 0;
            const double distance = std::hypot(x - along * dx, y - along * dy);
            const auto ink = static_cast<float>(std::clamp(radius + 0.5 - distance, 0.0, 1.0));
            picture.at(column, row) = std::max(picture.at(column, row), ink);
        }
    }
}

}  // namespace

void draw_text(Picture& picture, Index left, Index top, Index width, std::string_view text) {
    const double room = static_cast<double>(width);
    const double unit = std::clamp(room / std::max(1.0, width_of(text)), smallest_unit_px, largest_unit_px);
    while (!text.empty() && width_of(text) * unit > room) {
        text.remove_suffix(1);
    }
    const double height = (capital_top - baseline) * unit;
    const double bottom = static_cast<double>(top) + (text_line_height + height) / 2 + baseline * unit;
    double x = static_cast<double>(left) + (room - (width_of(text) - between) * unit) / 2;
    for (const char character : text) {
        const auto glyph = glyphs.find(character);
        for (const Stroke& stroke : glyph == glyphs.end() ? std::vector<Stroke>() : strokes_of(glyph->second)) {
            for (std::size_t i = 0; i < stroke.size(); ++i) {
                const Point a = stroke[i], b = stroke[std::min(i + 1, stroke.size() - 1)];
                draw_line(picture, {x + a.x * unit, bottom - a.y * unit}, {x + b.x * unit, bottom - b.y * unit},
                          half_thickness * unit);
            }
        }
        x += width_of(std::string_view(&character, 1)) * unit;
    }
}

}  // namespace recon
