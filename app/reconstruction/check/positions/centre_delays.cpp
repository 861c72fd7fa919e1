#include "app/reconstruction/check/positions/centre_delays.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/mri/all_coils.hpp"
#include "core/mri/check/coils/coil_noise.hpp"
#include "core/mri/coils/coil_compression.hpp"
#include "core/mri/gradients/centre_out_delays.hpp"
#include "core/mri/noise/certain_noise.hpp"

namespace recon {
namespace {

/// Of a sample, where it is known apart from the signal; else that of the edges of k-space, which hold some.
double noise_of(const AllCoils& kspace, const Scan& scan, const Frame& frame) {
    constexpr Index samples = 1 << 14;
    const PerAxis<Index>& matrix_size = scan.geometry.matrix_size;
    const auto excerpt = KspaceExcerpt::of(kspace, *frame.trajectory, scan.samples_per_readout, samples);
    if (const NoiseLevel certain = certain_noise(kspace, *frame.trajectory, excerpt, matrix_size); certain.sigma > 0) {
        return certain.sigma;
    }
    std::vector<Index> coils(static_cast<std::size_t>(kspace.coil_count()));
    std::iota(coils.begin(), coils.end(), 0);
    return coil_noise(kspace, *frame.trajectory, matrix_size, scan.samples_per_readout).mean_sigma(coils);
}

}  // namespace

CentreOutReadouts readouts_from_centre(const Scan& scan, const Frame& frame) {
    constexpr Index most_samples = 3000;
    PerAxis<bool> axes{};
    std::ranges::transform(scan.geometry.matrix_size, axes.begin(), [](Index size) { return size > 1; });
    return centre_out_readouts(*frame.trajectory, scan.samples_per_readout, axes, most_samples);
}

std::optional<CentreOutEstimate> delays_from_centre(const Scan& scan, const Frame& frame,
                                                    const CentreOutReadouts& readouts) {
    const AllCoils all(scan, frame.kspace);
    std::vector<cfloat> kspace = all.at(readouts.samples);
    if (std::ranges::all_of(kspace, [](cfloat value) { return value == cfloat(0); })) {
        return std::nullopt;
    }
    constexpr Index most_coils = 4;
    if (all.coil_count() > most_coils) {
        CoilEnergy energy(all.coil_count());
        energy.add(kspace);
        CoilCompression(energy, {.coil_count = most_coils}).apply(kspace);
    }
    return estimate_centre_out_delays(readouts, readouts.positions(*frame.trajectory), kspace,
                                      noise_of(all, scan, frame));
}

}  // namespace recon
