#include "app/reconstruction/coils/coil_whitening.hpp"

#include <algorithm>
#include <cmath>

#include "app/reconstruction/frames/frame_series.hpp"
#include "core/base/log.hpp"
#include "core/base/quantile.hpp"
#include "core/mri/noise_level.hpp"

namespace recon {
namespace {

/// Without what coils have of each other's noise, if so.
std::vector<cdouble> apart_if(bool stay_apart, std::vector<cdouble> covariance, Index coil_count) {
    for (std::size_t i = 0; stay_apart && i < covariance.size(); ++i) {
        const auto count = static_cast<std::size_t>(coil_count);
        covariance[i] = i % count == i / count ? covariance[i] : 0;
    }
    return covariance;
}

}  // namespace

std::optional<Prewhitening> whitening_of(const Scan& scan, const CoilOptions& options,
                                         const std::vector<cdouble>& covariance, bool stay_apart) {
    if (!covariance.empty()) {
        log_info("coils prewhitened by the noise covariance of {}", options.noise_covariance_path);
        return Prewhitening::from_covariance(apart_if(stay_apart, covariance, scan.coil_count), scan.coil_count,
                                             options.noise_covariance_path);
    }
    if (scan.noise.empty() || !options.prewhiten) {
        return std::nullopt;
    }
    const Index sample_count = std::ssize(scan.noise) / scan.coil_count;
    const std::vector<cdouble> of_noise = noise_covariance(scan.noise, scan.coil_count);
    if (const std::string obstacle = obstacle_to_whitening(of_noise, scan.coil_count, sample_count);
        !obstacle.empty()) {
        log_warning("noise scan: {}: the coils are not prewhitened", obstacle);
        return std::nullopt;
    }
    log_info("noise scan: {} samples, coils prewhitened", sample_count);
    return Prewhitening::from_covariance(apart_if(stay_apart, of_noise, scan.coil_count), scan.coil_count,
                                         "noise scan");
}

std::optional<Prewhitening> scaling_of(Scan& scan, const CoilOptions& options) {
    constexpr double far = 16;  // of variances; signal at high frequencies differs by less from coil to coil
    if (scan.coil_count < 2 || !options.prewhiten || !first_frame_fits(scan)) {
        return std::nullopt;
    }
    Frame& frame = scan.frames.front();
    const bool on_demand = frame.kspace.empty();
    frame.load();
    const std::vector<double> variances = noise_variances_of_edges({scan, frame.kspace}, *frame.trajectory,
                                                                   scan.geometry.matrix_size, scan.samples_per_readout);
    if (on_demand) {
        frame.release();
    }
    if (variances.empty()) {
        return std::nullopt;
    }
    const double median = quantile(variances, 0.5), most = *std::ranges::max_element(variances);
    if (most < far * median) {
        return std::nullopt;
    }
    const auto count = static_cast<std::size_t>(scan.coil_count);
    std::vector<cdouble> covariance(count * count);
    for (std::size_t coil = 0; coil < count; ++coil) {
        covariance[coil * count + coil] = std::max(variances[coil], median);
    }
    log_info(
        "coils: up to {:.0f} times the noise of the others at the edges of k-space; louder ones are scaled to these",
        std::sqrt(most / median));
    return Prewhitening::from_covariance(covariance, scan.coil_count, "noise at the edges of k-space");
}

}  // namespace recon
