#include "app/studies/ladder/ladder_bound.hpp"

namespace recon::ladder {

Bound busiest_unit(const Work& work, double seconds, const DeviceCeilings& ceilings, int device_count) {
    const struct {
        const char* unit;
        double work;
        double rate;
    } candidates[] = {{"special functions", work.special_functions, ceilings.special_functions_per_s},
                      // A multiply-add is one instruction and two operations; no instruction is issued faster.
                      {"instructions", work.instructions, ceilings.fp32_flops / 2},
                      {"multiply-adds", work.fp32_operations, ceilings.fp32_flops},
                      {"tensor cores", work.tensor_operations, ceilings.tensor_flops},
                      {"device memory", work.device_bytes, ceilings.copy_bytes_per_s}};
    Bound bound;
    for (const auto& candidate : candidates) {
        const double share = candidate.rate > 0 ? candidate.work / (candidate.rate * device_count) / seconds : 0;
        if (share > bound.share) {
            bound = {candidate.unit, share};
        }
    }
    return bound;
}

}  // namespace recon::ladder
