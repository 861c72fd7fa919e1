#include "app/reconstruction/off_resonance/field_map_verdict.hpp"

#include <fmt/format.h>

namespace recon {
namespace {

constexpr double agrees = 0.996, sharper = 1.01, no_worse = 1.01;

bool opposite_is_worse(const FieldMapVerdict& verdict) {
    const FieldMapTrial &given = verdict.trials[as_given], &opposite = verdict.trials[opposite_sign];
    return given.residual < agrees * opposite.residual ||
           (verdict.begins_at_centre && given.sharpness > sharper * opposite.sharpness);
}

/// Along the factors -1, 0, 1 the residual falls towards the side that is right. Noise and coil maps leave the same
/// floor under all of them, so that small differences count if they agree. A single coil's image can explain almost
/// anything: there the sharpness decides, where readouts begin at the centre, so that a wrong phase blurs rather than
/// shifts.
std::string warning_of(const FieldMapVerdict& verdict) {
    constexpr double clearly_better = 0.995, far_better = 0.83;
    constexpr double of_the_data = 0.002;  // differences below are nothing, however small the residual
    const FieldMapTrial &given = verdict.trials[as_given], &opposite = verdict.trials[opposite_sign],
                        &none = verdict.trials[no_map], &as_radians = verdict.trials[from_radians];
    const auto is_clearly_better = [&](const FieldMapTrial& trial) {
        return trial.residual < clearly_better * given.residual && trial.residual < given.residual - of_the_data;
    };
    if (opposite.residual < none.residual && none.residual < given.residual &&
        opposite.residual < agrees * given.residual) {
        return fmt::format(
            "the field map's opposite fits the scan better (residual {:.4f}, as given {:.4f}, without {:.4f}): its "
            "sign "
            "looks wrong, or the sample times run backwards",
            opposite.residual, given.residual, none.residual);
    }
    if (verdict.begins_at_centre && opposite.sharpness > none.sharpness && none.sharpness > given.sharpness &&
        opposite.sharpness > sharper * given.sharpness && opposite.residual < no_worse * given.residual) {
        return fmt::format(
            "the field map's opposite gives the sharper image (sharpness {:.3f}, as given {:.3f}, without {:.3f}): its "
            "sign looks wrong, or the sample times run backwards",
            opposite.sharpness, given.sharpness, none.sharpness);
    }
    // A map in rad/s winds the phase up six times too far; one that stops at the rim does less harm.
    if (as_radians.residual < none.residual && is_clearly_better(as_radians) &&
        as_radians.residual < far_better * given.residual) {
        return fmt::format(
            "the field map fits the scan better after division by 2 pi (residual {:.4f}, as given {:.4f}): it looks as "
            "if it were in rad/s; give Hz",
            as_radians.residual, given.residual);
    }
    if (is_clearly_better(none)) {
        return fmt::format(
            "the scan fits better without the field map (residual {:.4f}, with it {:.4f}): check its position and "
            "unit, "
            "the sample times, and whether it should go on beyond the object (`field_map_outside` extrapolate)",
            none.residual, given.residual);
    }
    return "";
}

/// By the order of the three alone. It is right where differences are far too small for a warning, but for noise. Of
/// the sharpness only where the residual is not against it: phases of several turns gather energy in caustics.
bool opposite_does_better(const FieldMapVerdict& verdict) {
    constexpr double beyond_noise = 0.999;
    const FieldMapTrial &given = verdict.trials[as_given], &opposite = verdict.trials[opposite_sign],
                        &none = verdict.trials[no_map];
    if (!verdict.begins_at_centre) {
        return opposite.residual < none.residual && none.residual < given.residual &&
               opposite.residual < beyond_noise * given.residual;
    }
    return opposite.residual < no_worse * given.residual && opposite.sharpness > none.sharpness &&
           none.sharpness > given.sharpness;
}

}  // namespace

void judge(FieldMapVerdict& verdict) {
    if (verdict.moves_voxels()) {
        return;
    }
    verdict.warning = warning_of(verdict);
    verdict.sign_is_told = !verdict.warning.empty() || opposite_is_worse(verdict);
    verdict.is_unlikely = !verdict.warning.empty() || opposite_does_better(verdict);
}

RunRecord verdict_json(const FieldMapVerdict& verdict) {
    RunRecord record = RunRecord::object();
    record["matrix_size"] = verdict.matrix_size;
    record["coil_count"] = verdict.coil_count;
    record["times_along_k"] = verdict.times_along_k;
    record["warning"] = verdict.warning;
    record["sign_is_told"] = verdict.sign_is_told;
    record["is_unlikely"] = verdict.is_unlikely;
    for (const char* name : {"factor", "residual", "sharpness"}) {
        record[name] = RunRecord::array();
    }
    for (const FieldMapTrial& trial : verdict.trials) {
        record["factor"].push_back(trial.factor);
        record["residual"].push_back(trial.residual);
        record["sharpness"].push_back(trial.sharpness);
    }
    return record;
}

}  // namespace recon
