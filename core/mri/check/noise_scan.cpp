#include "core/mri/check/noise_scan.hpp"

#include <fmt/format.h>

#include "core/mri/all_coils.hpp"
#include "core/mri/noise_level.hpp"

namespace recon {

std::string mistake_of_noise_scan(const Scan& scan, const Frame& first) {
    if (scan.noise.empty()) {
        return "";
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
