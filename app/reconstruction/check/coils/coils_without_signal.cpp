#include "app/reconstruction/check/coils/coils_without_signal.hpp"

#include <algorithm>

#include "core/mri/check/coils/deaf_coils.hpp"
#include "core/mri/check/dead_parts.hpp"

namespace recon {
std::vector<Index> coils_without_signal(const Scan& scan, const Frame& first, const CoilNoise& noise) {
    std::vector<Index> deaf = deaf_coils({scan, first.kspace}, *first.trajectory, noise);
    if (deaf.empty()) {
        return deaf;
    }
    const std::vector<Index> silent = coils_of_zeros({scan, first.kspace});
    std::erase_if(deaf, [&](Index coil) { return std::ranges::binary_search(silent, coil); });
    if (!deaf.empty() && scan.frames.size() > 1) {
        Frame last = scan.frames.back();
        last.load();
        const AllCoils kspace(scan, last.kspace);
        const std::vector<Index> of_last =
            deaf_coils(kspace, *last.trajectory,
                       coil_noise(kspace, *last.trajectory, scan.geometry.matrix_size, scan.samples_per_readout));
        std::erase_if(deaf, [&](Index coil) { return !std::ranges::binary_search(of_last, coil); });
    }
    return deaf;
}

}  // namespace recon
