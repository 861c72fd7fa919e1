#include "app/reconstruction/off_resonance/linear_part.hpp"

#include <fmt/format.h>

#include <optional>
#include <span>

#include "core/base/log.hpp"
#include "core/mri/off_resonance/field_map.hpp"
#include "core/mri/off_resonance/field_maps_of_slices.hpp"
#include "core/mri/off_resonance/linear_field.hpp"

namespace recon {
namespace {

double span_hz(std::span<const float> map_hz) {
    const FieldMapRange range = range_of(map_hz);
    return range.highest_hz - range.lowest_hz;
}

}  // namespace

void encode_linear_part(Scan& scan, const OffResonanceOptions& options) {
    if (!options.correct) {
        return;
    }
    for_each_field_map(scan, [&](std::span<float> map_hz, std::optional<Index> slice) {
        if (range_of(map_hz).measured_fraction == 0) {
            return;
        }
        const LinearField field = fit_linear_field(map_hz, scan.geometry.matrix_size);
        const double before = span_hz(map_hz);
        const double after = span_hz(without(field, map_hz, scan.geometry.matrix_size));
        constexpr double worth_it = 0.9;
        if (after > worth_it * before) {
            return;
        }
        move_to_trajectory(field, map_hz, slice, scan);
        log_info(
            "off-resonance{}: {:.4g} Hz and {:.4g}, {:.4g}, {:.4g} Hz a field of view along x, y, z are taken for a "
            "gradient; {:.4g} of {:.4g} Hz between voxels are left",
            slice ? fmt::format(" of slice {}", *slice) : "", field.centre_hz, field.slope_hz[0], field.slope_hz[1],
            field.slope_hz[2], after, before);
    });
}

}  // namespace recon
