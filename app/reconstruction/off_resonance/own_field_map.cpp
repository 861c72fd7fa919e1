#include "app/reconstruction/off_resonance/own_field_map.hpp"

#include <algorithm>

#include "core/base/log.hpp"
#include "core/mri/off_resonance/field_map.hpp"

namespace recon {

bool is_own_field_map_useful(const Scan& scan) {
    if (range_of(scan.off_resonance_hz).measured_fraction == 0) {
        return false;
    }
    const Frame& first = scan.frames.front();
    if (std::ranges::any_of(scan.frames, [](const Frame& frame) { return frame.sample_times_s.empty(); })) {
        log_warning(
            "the scan has a field map, which is not used, as the times of the samples are not known; `dwell` (us) and "
            "`echo_time` (ms) give them");
        return false;
    }
    if (turns_of_phase(scan) < turns_of_nothing) {
        log_info("the scan's field map is not used: it makes {:.2g} turns of phase over the samples",
                 turns_of_phase(scan));
        return false;
    }
    if (scan.off_resonance_slices.empty() &&
        std::ranges::any_of(scan.frames, [&](const Frame& frame) { return frame.label.slice != first.label.slice; })) {
        log_warning(
            "the scan has one field map for several slices, which is not used; `field_map` NAME with `select` slice=N "
            "does, slice by slice");
        return false;
    }
    return true;
}

void leave_out_field_map(Scan& scan, OffResonanceOptions& options) {
    std::ranges::fill(scan.off_resonance_hz, 0.0F);
    options.correct = !scan.relaxation_rate_per_s.empty();
}

double turns_of_phase(const Scan& scan) {
    const FieldMapRange range = range_of(scan.off_resonance_hz);
    return (std::max(range.highest_hz, 0.0) - std::min(range.lowest_hz, 0.0)) *
           duration_of(scan.frames.front().sample_times_s);
}

}  // namespace recon
