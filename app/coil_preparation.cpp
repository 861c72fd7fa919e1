#include "app/coil_preparation.hpp"

#include "core/log.hpp"
#include "core/mri/coil_maps.hpp"
#include "core/mri/prewhitening.hpp"

namespace recon {

void prepare_coils(Scan& scan, const CoilOptions& options) {
    if (scan.noise.empty() || !options.prewhiten) {
        return;
    }
    const auto whitening = std::make_shared<const Prewhitening>(scan.noise, scan.coil_count);
    transform_kspace(scan, [whitening](Index, std::vector<cfloat>& kspace) { whitening->apply(kspace); });
    whitening->apply(scan.coil_maps);
    log_info("noise scan: {} samples, coils prewhitened", static_cast<Index>(scan.noise.size()) / scan.coil_count);
}

CoilSensitivity coil_sensitivity(const ReconstructionContext& context, TrajectoryPlans& plans,
                                 std::span<const cfloat> own_kspace) {
    const Scan& scan = context.scan;
    const Share coils = context.division.coils();
    if (!scan.coil_maps.empty()) {
        const auto stage = context.timer.stage("coil_maps");
        const Shape image = context.image_shape();
        const Shape maps_shape = image.with_axis("coil", coils.count);
        const auto own_maps = std::span<const cfloat>(scan.coil_maps)
                                  .subspan(coils.first * image.element_count(), maps_shape.element_count());
        if (context.memory.coil_maps == Residency::streamed) {
            return CoilSensitivity(HostStack(context.backend, own_maps, maps_shape));
        }
        Array maps(context.backend, maps_shape, context.options.precision);
        upload(own_maps, maps);
        return CoilSensitivity(std::move(maps));
    }
    if (scan.coil_count == 1) {
        return {};
    }
    const std::vector<double> weights = plans.density_weights();
    const auto stage = context.timer.stage("coil_maps");
    return estimate_coil_maps(context.backend, *plans.sums(), plans.trajectory(), own_kspace, coils.count, weights,
                              context.options.coils.estimate, context.division, context.memory.kspace,
                              context.memory.coil_maps);
}

std::shared_ptr<const CoilSensitivity> coils_of_normal(const ReconstructionContext& context,
                                                       const std::shared_ptr<const CoilSensitivity>& coils) {
    const Share own = context.division.coils_of_normal();
    if (own.count == coils->coil_count()) {
        return coils;
    }
    const Precision precision = context.options.precision;
    Array map(context.backend, context.image_shape().with_axis("coil", 1), precision);
    if (own.count == 0) {
        context.backend.fill(0, map);
    } else {
        std::optional<Array> buffer;
        context.backend.copy(coils->map(own.first, precision, buffer), map.slice(0));
    }
    return std::make_shared<const CoilSensitivity>(std::move(map));
}

}  // namespace recon
