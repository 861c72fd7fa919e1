#include "app/reconstruction/check/fix_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace recon {
namespace {

bool undoes(const ScanFix& fix, const ScanFix& applied) {
    if (fix.kind != applied.kind || fix.axes != applied.axes || fix.kind == ScanFix::Kind::maps_order) {
        return false;
    }
    constexpr double rounding = 1e-3;
    return fix.samples + applied.samples == 0 && std::abs(fix.factor * applied.factor - 1) < rounding;
}

}  // namespace

std::string fix_advice(const std::string& fix, const std::vector<ScanFix>& applied) {
    if (fix.empty()) {
        return "";
    }
    const ScanFix found = parse_scan_fixes(fix).front();
    const auto undone = std::ranges::find_if(applied, [&](const ScanFix& one) { return undoes(found, one); });
    if (undone != applied.end()) {
        return fmt::format("leave out `fix` {}", undone->text());
    }
    std::string all;
    for (const ScanFix& one : applied) {
        all += one.text() + ",";
    }
    return fmt::format("`fix` {}{}", all, fix);
}

}  // namespace recon
