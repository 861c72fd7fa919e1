#include "app/reconstruction/coils/coil_whitening.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/reconstruction/frames/frame_series.hpp"
#include "core/base/log.hpp"
#include "core/base/quantile.hpp"
#include "core/mri/noise/noise_in_readouts.hpp"
#include "core/mri/noise/noise_level.hpp"

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

std::vector<double> variances_of(const std::vector<cdouble>& covariance, Index coil_count) {
    std::vector<double> variances;
    for (Index coil = 0; coil < coil_count; ++coil) {
        variances.push_back(covariance[static_cast<std::size_t>(coil * (coil_count + 1))].real());
    }
    return variances;
}

double largest_correlation(const std::vector<cdouble>& covariance, Index coil_count) {
    const std::vector<double> variances = variances_of(covariance, coil_count);
    double largest = 0;
    for (std::size_t i = 0; i < covariance.size(); ++i) {
        const std::size_t row = i % variances.size(), column = i / variances.size();
        if (row != column) {
            largest = std::max(largest, std::abs(covariance[i]) / std::sqrt(variances[row] * variances[column]));
        }
    }
    return largest;
}

/// As a noise scan of so many samples would tell it.
struct ReadoutNoise {
    std::vector<cdouble> covariance;
    double sample_count = 0;  ///< 0: unknown
};

/// Coils that are louder or quieter than others by more count as broken.
constexpr double most_apart = 1e4;  // of variances

ReadoutNoise noise_of(const Scan& scan, const Frame& frame) {
    constexpr double fewest_samples = 16, samples = 128;  // for each coil
    const auto coil_count = static_cast<double>(scan.coil_count);
    const Index length = scan.samples_per_readout;
    if (length == 0) {
        return {};
    }
    const double of_readout = static_cast<double>(noise_values_of_readout(length)) / readout_values_of_noise;
    const auto readout_count = static_cast<Index>(std::ceil(samples * coil_count / of_readout));
    const std::vector<cfloat> noise =
        noise_in_readouts(KspaceExcerpt::of({scan, frame.kspace}, *frame.trajectory, length, readout_count * length),
                          scan.geometry.matrix_size);
    const double sample_count = static_cast<double>(noise.size()) / coil_count / readout_values_of_noise;
    if (sample_count < fewest_samples * coil_count) {
        return {};
    }
    const std::vector<cdouble> covariance = noise_covariance(noise, scan.coil_count);
    const auto [least, most] = std::ranges::minmax(variances_of(covariance, scan.coil_count));
    if (most > most_apart * least ||
        !obstacle_to_whitening(covariance, scan.coil_count, static_cast<Index>(sample_count)).empty()) {
        return {};
    }
    return {covariance, sample_count};
}

std::optional<Prewhitening> by_readouts(const Scan& scan, const ReadoutNoise& noise, bool stay_apart) {
    constexpr double worthwhile = 1.05;
    const std::vector<cdouble> covariance = apart_if(stay_apart, noise.covariance, scan.coil_count);
    if (gain_of_whitening(covariance, scan.coil_count, noise.sample_count) < worthwhile) {
        return std::nullopt;
    }
    const auto [least, most] = std::ranges::minmax(variances_of(covariance, scan.coil_count));
    log_info(
        "coils prewhitened by the noise beyond the field of view in {:.0f} values of readouts: {}, up to {:.2f} "
        "of it shared by two coils",
        noise.sample_count,
        most > 1.2 * least
            ? fmt::format("{:.1f} times as much in the loudest coil as in the quietest", std::sqrt(most / least))
            : "as much in all coils",
        largest_correlation(covariance, scan.coil_count));
    return Prewhitening::from_covariance(covariance, scan.coil_count, "noise in the readouts");
}

/// By the edges of k-space.
std::optional<Prewhitening> scaling_of(const Scan& scan, const Frame& frame) {
    constexpr double far = 16;  // of variances; signal at high frequencies differs by less from coil to coil
    const std::vector<double> variances = noise_variances_of_edges({scan, frame.kspace}, *frame.trajectory,
                                                                   scan.geometry.matrix_size, scan.samples_per_readout);
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

std::optional<Prewhitening> whitening_by_kspace(Scan& scan, const CoilOptions& options, bool stay_apart) {
    if (scan.coil_count < 2 || !options.prewhiten || !first_frame_fits(scan)) {
        return std::nullopt;
    }
    Frame& frame = scan.frames.front();
    const bool on_demand = frame.kspace.empty();
    frame.load();
    std::optional<Prewhitening> result;
    if (const ReadoutNoise noise = noise_of(scan, frame); noise.sample_count > 0) {
        result = by_readouts(scan, noise, stay_apart);
    } else {
        result = scaling_of(scan, frame);
    }
    if (on_demand) {
        frame.release();
    }
    return result;
}

}  // namespace recon
