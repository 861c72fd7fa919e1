#pragma once

#include <string>
#include <vector>

#include "app/studies/bench/bench.hpp"
#include "data/files/run_record.hpp"

namespace recon {

/// A table of before, as `recon bench` writes it.
struct BenchTable {
    std::string device;
    std::vector<BenchRow> rows;  ///< work, size, seconds and noise of each

    /// @throws InputError if the file is no such table
    static BenchTable read(const std::string& path);
};

struct BenchChange {
    std::string work;
    std::string size;
    double before_s = 0;
    double now_s = 0;
    double noise = 0;  ///< of now_s / before_s, by those of both medians; 0 if one is unknown
};

/// Lines of both tables, in today's order; those that only one has are left out.
std::vector<BenchChange> bench_changes(const BenchTable& before, const std::vector<BenchRow>& now);

/// What became slower by more than a tenth, which medians on a quiet machine do not differ by, and by more than three
/// times the noise; where that is unknown, as of what was measured once, by more than a half. The worst first.
std::vector<BenchChange> slower_lines(std::vector<BenchChange> changes);

}  // namespace recon
