#include "data/simulation/scan_assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "data/simulation/noise.hpp"

namespace recon {

void require_valid(const SimulationOptions& options) {
    if (options.coil_count < 1 || options.coil_count > 1024) {
        throw UsageError(fmt::format("`coils`: {}, expected 1 to 1024", options.coil_count));
    }
    if (options.frame_count < 1 || options.frame_count > 10000) {
        throw UsageError(fmt::format("`frames`: {}, expected 1 to 10000", options.frame_count));
    }
    if (!(options.snr > 0)) {
        throw UsageError(fmt::format("`snr`: {}, expected above 0, or inf for no noise", options.snr));
    }
    if (options.noise_sample_count < 0) {
        throw UsageError(fmt::format("`noise_samples`: {}, expected 0 or more", options.noise_sample_count));
    }
}

double noise_standard_deviation(const std::vector<cfloat>& truth, double snr) {
    double largest = 0;
    for (const cfloat& value : truth) {
        largest = std::max(largest, static_cast<double>(std::abs(value)));
    }
    double sum = 0;
    Index count = 0;
    for (const cfloat& value : truth) {
        if (std::abs(value) > 0.1 * largest) {
            sum += std::abs(value);
            ++count;
        }
    }
    const double mean = count > 0 ? sum / static_cast<double>(count) : 0;
    return mean * std::sqrt(static_cast<double>(truth.size())) / snr;
}

Simulation assemble_simulation(const SimulationOptions& options, DesignedTrajectory design, std::vector<cfloat> truth,
                               std::vector<cfloat> kspace, std::vector<cfloat> coil_maps) {
    Simulation result;
    result.design = std::move(design);
    result.truth = std::move(truth);
    result.noise_standard_deviation = noise_standard_deviation(result.truth, options.snr);

    Scan& scan = result.scan;
    scan.format = "simulation";
    scan.geometry.matrix_size = options.request.matrix_size;
    scan.geometry.field_of_view_mm = options.request.field_of_view_mm;
    scan.geometry.orientation = Orientation{};
    scan.coil_count = options.coil_count;
    scan.samples_per_readout = result.design.samples_per_readout;
    if (options.store_coil_maps && options.coil_count > 1) {
        scan.coil_maps = std::move(coil_maps);
    }
    if (result.noise_standard_deviation > 0) {
        add_noise(kspace, result.noise_standard_deviation, options.seed, 0);
        scan.noise.resize(options.noise_sample_count * options.coil_count);
        add_noise(scan.noise, result.noise_standard_deviation, options.seed, 1);
    }
    Frame frame;
    frame.kspace = std::move(kspace);
    frame.sample_times_s = std::move(result.design.sample_times_s);
    frame.trajectory = std::make_shared<const Trajectory>(std::move(result.design.trajectory));
    scan.frames.push_back(std::move(frame));
    return result;
}

void add_noise_of_frames(const SimulationOptions& options, Simulation& simulation) {
    constexpr std::uint64_t first_stream = 16;  // below are those of a single frame and of its noise scan
    const double deviation = simulation.noise_standard_deviation;
    for (std::size_t i = 0; i < simulation.scan.frames.size(); ++i) {
        add_noise(simulation.scan.frames[i].kspace, deviation, options.seed, first_stream + i);
    }
    if (deviation > 0) {
        simulation.scan.noise.assign(static_cast<std::size_t>(options.noise_sample_count * options.coil_count), 0);
        add_noise(simulation.scan.noise, deviation, options.seed, 1);
    }
}

}  // namespace recon
