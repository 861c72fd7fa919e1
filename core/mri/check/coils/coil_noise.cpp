#include "core/mri/check/coils/coil_noise.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/median.hpp"
#include "core/mri/noise/noise_level.hpp"

namespace recon {
namespace {

/// Samples of readouts at equal distances, so many that a thousand numbers tell the noise of a coil. Where readouts are
/// unknown, samples.
std::vector<Index> few_readouts(Index sample_count, Index length) {
    constexpr Index enough = 1024, fewest = 8, enough_samples = 20000;
    std::vector<Index> samples;
    if (length <= 0 || sample_count % length != 0) {
        for (Index m = 0; m < sample_count; m += 1 + sample_count / enough_samples) {
            samples.push_back(m);
        }
        return samples;
    }
    const Index readouts = sample_count / length;
    const Index wanted = std::min(readouts, std::max(fewest, 4 * enough / length));  // a quarter of each is looked at
    for (Index i = 0; i < wanted; ++i) {
        const Index first = i * readouts / wanted * length;
        for (Index m = first; m < first + length; ++m) {
            samples.push_back(m);
        }
    }
    return samples;
}

}  // namespace

void CoilNoise::leave_out(const std::vector<Index>& coils) {
    for (const Index coil : coils) {
        if (coil < static_cast<Index>(sigma.size())) {
            sigma[static_cast<std::size_t>(coil)] = 0;
        }
    }
}

double CoilNoise::mean_sigma(const std::vector<Index>& coils) const {
    double sum = 0, count = 0;
    for (const Index coil : coils) {
        const double value = sigma[static_cast<std::size_t>(coil)];
        sum += value * value;
        count += value > 0 ? 1 : 0;
    }
    return count > 0 ? std::sqrt(sum / count) : 0;
}

CoilNoise coil_noise(const AllCoils& kspace, const Trajectory& trajectory, const PerAxis<Index>& matrix_size,
                     Index samples_per_readout) {
    const std::vector<Index> samples = few_readouts(trajectory.sample_count(), samples_per_readout);
    Trajectory of_few;
    for (int axis = 0; axis < 3; ++axis) {
        for (const Index m : samples) {
            of_few.k[axis].push_back(trajectory.k[axis][m]);
        }
    }
    const auto few_of = [&](std::span<const cfloat> coil) {
        std::vector<cfloat> few;
        for (const Index m : samples) {
            few.push_back(coil[static_cast<std::size_t>(m)]);
        }
        return few;
    };
    CoilNoise noise;
    noise.sigma = kspace.of_each([&](std::span<const cfloat> coil) {
        return noise_level_of_edges({few_of(coil), 1}, of_few, matrix_size, samples_per_readout).sigma;
    });
    noise.part = kspace.of_each([&](std::span<const cfloat> coil) {
        double energy = 0;
        for (const cfloat value : few_of(coil)) {
            energy += std::norm(cdouble(value));
        }
        return energy > 0 ? std::sqrt(static_cast<double>(samples.size()) / energy) : 0;
    });
    for (std::size_t coil = 0; coil < noise.part.size(); ++coil) {
        noise.part[coil] *= noise.sigma[coil];
    }
    return noise;
}

std::vector<Index> noisy_coils(const CoilNoise& noise) {
    constexpr double stands_out = 5, mostly_noise = 0.7;
    constexpr std::size_t enough_to_compare = 3;
    std::vector<Index> noisy;
    std::vector<double> sigmas, parts;
    for (std::size_t coil = 0; coil < noise.sigma.size(); ++coil) {
        if (noise.sigma[coil] > 0) {
            sigmas.push_back(noise.sigma[coil]);
            parts.push_back(noise.part[coil]);
        }
    }
    if (sigmas.size() < enough_to_compare) {
        return noisy;
    }
    const double usual_sigma = median(sigmas), usual_part = median(parts);
    for (std::size_t coil = 0; coil < noise.sigma.size(); ++coil) {
        if (noise.sigma[coil] > stands_out * usual_sigma && noise.part[coil] > stands_out * usual_part &&
            noise.part[coil] > mostly_noise) {
            noisy.push_back(static_cast<Index>(coil));
        }
    }
    return noisy;
}

}  // namespace recon
