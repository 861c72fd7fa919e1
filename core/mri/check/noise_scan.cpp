#include "core/mri/check/noise_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/mri/all_coils.hpp"
#include "core/mri/check/check_finding.hpp"
#include "core/mri/check/dead_parts.hpp"
#include "core/mri/noise/noise_level.hpp"
#include "core/mri/prewhitening.hpp"

namespace recon {

std::vector<Index> coils_without_noise(const Scan& scan) {
    return scan.noise.empty() ? std::vector<Index>() : coils_of_zeros({scan.noise, scan.coil_count});
}

std::string text_of_no_noise(const std::vector<Index>& coils) {
    return fmt::format("the noise acquisitions of {} are zero throughout, or one number, and no measurement",
                       numbered("coil", coils));
}

std::string mistake_of_noise_scan(const Scan& scan, const Frame& first) {
    if (scan.noise.empty()) {
        return "";
    }
    if (const std::vector<Index> zeros = coils_without_noise(scan); !zeros.empty()) {
        std::vector<Index> mute;
        std::ranges::set_difference(zeros, coils_of_zeros({scan, first.kspace}), std::back_inserter(mute));
        if (!mute.empty()) {
            return text_of_no_noise(mute);
        }
    }
    constexpr double clearly_more = 2;  // filters of the receiver take up to half of the variance of readouts
    const double acquired = noise_level_of_acquisition(scan.noise).sigma;
    const double seen =
        noise_level_of_outer_samples({scan, first.kspace}, *first.trajectory, scan.geometry.matrix_size).sigma;
    if (seen == 0 || acquired <= clearly_more * seen) {
        return "";
    }
    return fmt::format(
        "the noise acquisitions have {:.3g} a sample, and the outer samples of k-space no more than {:.3g}, signal "
        "included: another gain, unit or number of averages",
        acquired, seen);
}

std::string obstacle_to_whitening(const Scan& scan) {
    const std::vector<Index> mute = coils_without_noise(scan);
    const Index coil_count = scan.coil_count - std::ssize(mute);
    if (scan.noise.empty() || coil_count == 0) {
        return "";
    }
    return obstacle_to_whitening(covariance_without(mute, noise_covariance(scan.noise, scan.coil_count)), coil_count,
                                 std::ssize(scan.noise) / scan.coil_count);
}

}  // namespace recon
