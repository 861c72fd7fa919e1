#include "app/reconstruction/check/coils_without_signal.hpp"

#include <algorithm>

#include "core/mri/check/coils/coil_noise.hpp"
#include "core/mri/check/coils/deaf_coils.hpp"
#include "core/mri/check/dead_parts.hpp"

namespace recon {
namespace {

std::vector<Index> coils_of_frame(const Scan& scan, const Frame& frame) {
    const AllCoils kspace(scan, frame.kspace);
    const CoilNoise noise = coil_noise(kspace, *frame.trajectory, scan.geometry.matrix_size, scan.samples_per_readout);
    return deaf_coils(kspace, *frame.trajectory, noise);
}

}  // namespace

std::vector<Index> coils_without_signal(const Scan& scan, const Frame& first) {
    std::vector<Index> deaf = coils_of_frame(scan, first);
    if (deaf.empty()) {
        return deaf;
    }
    const std::vector<Index> silent = coils_of_zeros({scan, first.kspace});
    std::erase_if(deaf, [&](Index coil) { return std::ranges::binary_search(silent, coil); });
    if (!deaf.empty() && scan.frames.size() > 1) {
        Frame last = scan.frames.back();
        last.load();
        const std::vector<Index> of_last = coils_of_frame(scan, last);
        std::erase_if(deaf, [&](Index coil) { return !std::ranges::binary_search(of_last, coil); });
    }
    return deaf;
}

}  // namespace recon
