#include "core/mri/check/noise_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/mri/all_coils.hpp"
#include "core/mri/check/check_finding.hpp"
#include "core/mri/check/dead_parts.hpp"
#include "core/mri/noise_level.hpp"

namespace recon {

std::vector<Index> coils_without_noise(const Scan& scan) {
    std::vector<Index> coils;
    const auto sample_count = std::ssize(scan.noise) / scan.coil_count;
    for (Index coil = 0; coil < scan.coil_count && sample_count > 0; ++coil) {
        const auto begin = scan.noise.begin() + coil * sample_count;
        if (std::all_of(begin, begin + sample_count, [](cfloat value) { return value == cfloat(0); })) {
            coils.push_back(coil);
        }
    }
    return coils;
}

std::string text_of_no_noise(const std::vector<Index>& coils) {
    return fmt::format("the noise acquisitions of {} are zero throughout, and no measurement", numbered("coil", coils));
}

std::string mistake_of_noise_scan(const Scan& scan, const Frame& first) {
    if (scan.noise.empty()) {
        return "";
    }
    std::vector<Index> mute;
    std::ranges::set_difference(coils_without_noise(scan), coils_of_zeros({scan, first.kspace}),
                                std::back_inserter(mute));
    if (!mute.empty()) {
        return text_of_no_noise(mute);
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

}  // namespace recon
