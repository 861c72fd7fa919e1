#include "app/reconstruction/check/coils/odd_coil.hpp"

#include <fmt/format.h>

#include <limits>

#include "core/mri/check/dead_parts.hpp"

namespace recon {

std::optional<OddCoil> odd_coil(const CalibrationProbe& probe, LowResolutionFits& fits,
                                const LowResolutionFit& as_it_is) {
    constexpr double clearly = 0.5, better = 0.9, fewest_samples = 1.5;  // a voxel: few can be explained by any image
    const Index coil_count = probe.scan.coil_count;
    if (probe.scan.coil_maps.empty() || coil_count < 4) {
        return std::nullopt;
    }
    double least = std::numeric_limits<double>::infinity(), next = least, residual = 1;
    Index odd = 0;
    for (Index coil = 0; coil < coil_count; ++coil) {
        Scan others = probe.scan;
        drop_coils(others, {coil});
        const LowResolutionFit fit = fits.fit(others);
        const double left = unexplained(fit.residual, fit.noise);
        if (fit.samples_per_voxel < fewest_samples) {
            return std::nullopt;
        }
        if (left < least) {
            next = least;
            least = left;
            residual = fit.residual;
            odd = coil;
        } else {
            next = std::min(next, left);
        }
    }
    if (!(least < clearly * unexplained(as_it_is.residual, as_it_is.noise) && least < clearly * next &&
          residual < better * as_it_is.residual)) {
        return std::nullopt;
    }
    const Index number = probe.coils[static_cast<std::size_t>(odd)];
    return OddCoil{
        number,
        {"coil_maps",
         fmt::format("coil {} does not fit the others (residual at low resolution {:.4f}, without it {:.4f}): "
                     "its map has another sign, phase or place, or its data are broken (`drop_coils` {} "
                     "leaves it out)",
                     number, as_it_is.residual, residual, number),
         ""}};
}

}  // namespace recon
