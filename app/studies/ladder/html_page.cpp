#include "app/studies/ladder/html_page.hpp"

#include <fmt/format.h>

#include "data/pictures/svg_plot.hpp"

namespace recon::ladder {
namespace {

constexpr const char* style =
    ":root{color-scheme:light dark}body{font:15px/1.5 sans-serif;max-width:72em;margin:2em auto;padding:0 1em}"
    "table{border-collapse:collapse;font-size:14px}td,th{border-bottom:1px solid #8884;padding:.25em .6em;"
    "text-align:right}td:first-child,th:first-child,td.words{text-align:left}svg{max-width:100%;height:auto}"
    "td.words{color:#808080}";

}  // namespace

std::string html_page(const std::string& title, const std::string& body) {
    return fmt::format(
        "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><title>{0}</title><style>{1}</style></head>"
        "<body>\n<h1>{0}</h1>\n{2}</body></html>\n",
        svg::escaped(title), style, body);
}

}  // namespace recon::ladder
