#include "app/studies/bench/bench_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>

#include "core/base/error.hpp"
#include "data/files/file_identity.hpp"

namespace recon {

BenchTable BenchTable::read(const std::string& path) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
        throw missing_file(path);
    }
    std::ifstream file(path);
    const RunRecord table = RunRecord::parse(file, nullptr, false);
    const auto refuse = [&] {
        return InputError(path +
                          ": expected a table that recon bench has written, as JSON with the keys device and rows");
    };
    if (!table.is_object() || !table.contains("rows") || !table["rows"].is_array()) {
        throw refuse();
    }
    BenchTable result;
    try {
        result.device = table.value("device", "");
        for (const RunRecord& row : table["rows"]) {
            result.rows.push_back({.work = row.at("work"),
                                   .size = row.at("size"),
                                   .seconds = row.at("seconds"),
                                   .noise = row.value("noise", 0.0)});
        }
    } catch (const RunRecord::exception&) {
        throw refuse();
    }
    return result;
}

std::vector<BenchChange> bench_changes(const BenchTable& before, const std::vector<BenchRow>& now) {
    std::vector<BenchChange> changes;
    for (const BenchRow& row : now) {
        const auto old = std::ranges::find_if(
            before.rows, [&](const BenchRow& one) { return one.work == row.work && one.size == row.size; });
        if (old != before.rows.end() && old->seconds > 0) {
            const bool known = row.noise > 0 && old->noise > 0;
            changes.push_back(
                {row.work, row.size, old->seconds, row.seconds, known ? std::hypot(row.noise, old->noise) : 0});
        }
    }
    return changes;
}

std::vector<BenchChange> slower_lines(std::vector<BenchChange> changes) {
    std::erase_if(changes, [](const BenchChange& change) {
        const double noticeable = change.noise > 0 ? std::max(0.1, 3 * change.noise) : 0.5;
        return change.now_s <= (1 + noticeable) * change.before_s;
    });
    std::ranges::stable_sort(changes, std::greater{}, [](const BenchChange& c) { return c.now_s / c.before_s; });
    return changes;
}

}  // namespace recon
