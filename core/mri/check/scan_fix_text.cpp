#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/parse_number.hpp"
#include "core/mri/check/scan_fix.hpp"

namespace recon {
namespace {

using FixKind = ScanFix::Kind;

constexpr const char* all_fixes =
    "conjugate, mirror=x, swap=xy, shift=1, reverse=all, reverse=alternate, scale=0.5, scale=x:0.9, stretch=1.05, "
    "maps-conjugate, maps-mirror=x, maps-order=1-0-2";

[[noreturn]] void refuse(const std::string& part) {
    throw UsageError(fmt::format("fix '{}': expected one of {}", part, all_fixes));
}

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == separator) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

std::string axes_of(const std::string& value, const std::string& part, std::size_t fewest, std::size_t most) {
    const bool known = std::all_of(value.begin(), value.end(), [](char c) { return c >= 'x' && c <= 'z'; });
    std::string sorted = value;
    std::sort(sorted.begin(), sorted.end());
    const bool distinct = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    if (!known || !distinct || value.size() < fewest || value.size() > most) {
        refuse(part);
    }
    return sorted;
}

template <class T>
T number_of(const std::string& value, const std::string& part) {
    const auto number = parse_number<T>(std::string_view(value).substr(value.starts_with('+') ? 1 : 0));
    if (!number) {
        refuse(part);
    }
    return *number;
}

ScanFix parse(const std::string& part) {
    const std::size_t equals = part.find('=');
    const std::string name = part.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : part.substr(equals + 1);
    ScanFix fix;
    if (name == "conjugate" && value.empty()) {
        fix.kind = FixKind::conjugate;
    } else if (name == "maps-conjugate" && value.empty()) {
        fix.kind = FixKind::maps_conjugate;
    } else if (name == "mirror" || name == "maps-mirror") {
        fix.kind = name == "mirror" ? FixKind::mirror : FixKind::maps_mirror;
        fix.axes = axes_of(value, part, 1, 3);
    } else if (name == "swap") {
        fix.kind = FixKind::swap;
        fix.axes = axes_of(value, part, 2, 2);
    } else if (name == "shift") {
        fix.kind = FixKind::shift;
        fix.samples = number_of<Index>(value, part);
    } else if (name == "reverse" && (value == "all" || value == "alternate")) {
        fix.kind = value == "all" ? FixKind::reverse : FixKind::alternate;
    } else if (name == "scale" || name == "stretch") {
        fix.kind = name == "scale" ? FixKind::scale : FixKind::stretch;
        const std::size_t colon = value.find(':');
        if (fix.kind == FixKind::scale && colon != std::string::npos) {
            fix.axes = axes_of(value.substr(0, colon), part, 1, 3);
        }
        fix.factor = number_of<double>(fix.axes.empty() ? value : value.substr(colon + 1), part);
        if (!(fix.factor > 0) || !std::isfinite(fix.factor)) {
            refuse(part);
        }
    } else if (name == "maps-order") {
        fix.kind = FixKind::maps_order;
        for (const std::string& index : split(value, '-')) {
            fix.order.push_back(number_of<Index>(index, part));
        }
    } else {
        refuse(part);
    }
    return fix;
}

}  // namespace

std::string ScanFix::text() const {
    switch (kind) {
        case Kind::conjugate: return "conjugate";
        case Kind::mirror: return "mirror=" + axes;
        case Kind::swap: return "swap=" + axes;
        case Kind::shift: return fmt::format("shift={}", samples);
        case Kind::reverse: return "reverse=all";
        case Kind::alternate: return "reverse=alternate";
        case Kind::scale: return fmt::format("scale={}{:.6g}", axes.empty() ? "" : axes + ":", factor);
        case Kind::stretch: return fmt::format("stretch={:.6g}", factor);
        case Kind::maps_conjugate: return "maps-conjugate";
        case Kind::maps_mirror: return "maps-mirror=" + axes;
        case Kind::maps_order: return fmt::format("maps-order={}", fmt::join(order, "-"));
    }
    return "";
}

std::string ScanFix::mistake() const {
    switch (kind) {
        case Kind::conjugate: return "k-space is conjugated";
        case Kind::mirror: return fmt::format("k has the opposite sign along {}", fmt::join(axes, " and "));
        case Kind::swap: return fmt::format("the axes {} and {} of k are exchanged", axes[0], axes[1]);
        case Kind::shift:
            return fmt::format("the samples of each readout are {} {} {} against the trajectory", std::abs(samples),
                               std::abs(samples) == 1 ? "place" : "places", samples > 0 ? "too early" : "too late");
        case Kind::reverse: return "the readouts run backwards against the trajectory";
        case Kind::alternate: return "every second readout runs backwards against the trajectory";
        case Kind::scale:
            return fmt::format("k is too {}{} by a factor {:.4g}", factor < 1 ? "large" : "small",
                               axes.empty() ? "" : fmt::format(" along {}", fmt::join(axes, " and ")),
                               factor < 1 ? 1 / factor : factor);
        case Kind::stretch:
            return fmt::format(
                "samples were taken {:.4g} times as far along each readout as the trajectory says "
                "(dwell time)",
                factor);
        case Kind::maps_conjugate: return "the coil maps are conjugated";
        case Kind::maps_mirror: return fmt::format("the coil maps are mirrored along {}", fmt::join(axes, " and "));
        case Kind::maps_order: return "the coil maps are in another order than the coils";
    }
    return "";
}

std::vector<ScanFix> parse_scan_fixes(const std::string& text) {
    std::vector<ScanFix> fixes;
    for (const std::string& part : split(text, ',')) {
        fixes.push_back(parse(part));
    }
    return fixes;
}

}  // namespace recon
