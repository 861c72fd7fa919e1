#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/backend/backend.hpp"
#include "core/backend/device_ceilings.hpp"

namespace recon {

/// One line of the table: a work, its speed, what bounds it, and its error.
struct BenchRow {
    std::string work;  ///< "exact Q"
    std::string size;  ///< "127^3 differences, 65536 samples"
    double seconds = 0;
    double noise = 0;  ///< of `seconds`, relative: half of what the middle five of seven rounds span; 0 if unknown
    double rate = 0;   ///< work per second, in `rate_unit`; 0 where seconds say it all
    std::string rate_unit{};
    double bound_seconds = 0;  ///< least time by the ceiling that limits it; 0 where none was derived
    std::string bound{};       ///< what that is
    double error = 0;
    std::string error_of{};  ///< relative to what
};

/// Where and how large the table is measured.
struct BenchSetting {
    Backend& backend;
    DeviceCeilings ceilings;
    Index size = 128;  ///< voxels along an axis of the middle-sized problem
};

/// What one call takes.
struct Timing {
    double seconds = 0;  ///< median over rounds
    double noise = 0;    ///< as of BenchRow
};

/// The queue runs dry between rounds alone. One call before warms up.
Timing time_of(Backend& backend, const std::function<void()>& work);

/// |values - reference| / |reference|
double relative_l2(ConstArrayView values, ConstArrayView reference);

// The parts of the table, each in the file of its name.
std::vector<BenchRow> bench_exact_sums(const BenchSetting& setting);
std::vector<BenchRow> bench_toeplitz(const BenchSetting& setting);
std::vector<BenchRow> bench_nufft(const BenchSetting& setting);
std::vector<BenchRow> bench_reconstruction(const BenchSetting& setting);
/// A whole command on a small scan, started anew. @param device  as on the command line
BenchRow bench_cold_start(const std::string& device);

}  // namespace recon
