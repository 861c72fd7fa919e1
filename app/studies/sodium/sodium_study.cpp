#include "app/studies/sodium/sodium_study.hpp"

#include <algorithm>
#include <cmath>

#include "app/reconstruction/reconstruction.hpp"
#include "core/base/error.hpp"
#include "core/base/stopwatch.hpp"
#include "core/devices/device_choice.hpp"
#include "data/simulation/phantoms/ellipsoid_object.hpp"
#include "data/simulation/scan_assembly.hpp"
#include "data/simulation/trajectories/gyromagnetic_ratios.hpp"

namespace recon::sodium {
namespace {

SimulationOptions simulation_options(const Settings& settings) {
    SimulationOptions options;
    options.trajectory = "cones";
    options.request.matrix_size = {settings.size, settings.size, settings.size};
    options.request.limits.gyromagnetic_ratio_hz_per_t = gyromagnetic_ratio_hz_per_t("23Na");
    options.request.dwell_time_s = 20e-6;
    options.request.readout_oversampling = 1;
    options.request.echo_time_s = settings.sequence.echo_time_s;
    options.coil_count = 1;
    options.snr = settings.snr;
    options.seed = settings.seed;
    return options;
}

/// k-space of all compartments, each sample with the decay that it has come to.
Simulation simulate(const Settings& settings, const SodiumObject& object) {
    const SimulationOptions options = simulation_options(settings);
    DesignedTrajectory design = design_trajectory(options.trajectory, options.request);
    const VoxelGrid grid = VoxelGrid::image(options.request.matrix_size);
    const double spacing = 1 / static_cast<double>(settings.size);
    const PhantomSite site{.present = {true, true, true}, .voxel = {spacing, spacing, spacing}};
    std::vector<cfloat> truth(grid.shape.element_count());
    std::vector<cdouble> kspace(design.trajectory.sample_count());
    for (const Compartment& compartment : object.compartments) {
        const EllipsoidObject phantom(compartment.ellipsoids, site);
        const double saturated = saturation(compartment.relaxation, settings.sequence);
        const double factor = signal_factor(compartment.relaxation, settings.sequence);
        const std::vector<cfloat> values = phantom.values(grid);
        for (std::size_t i = 0; i < truth.size(); ++i) {
            truth[i] += static_cast<float>(factor) * values[i];
        }
        const std::vector<cdouble> samples = phantom.transform(constant_map(), design.trajectory);
        for (std::size_t m = 0; m < samples.size(); ++m) {
            kspace[m] += static_cast<double>(truth.size()) * saturated *
                         decay(compartment.relaxation, design.sample_times_s[m]) * samples[m];
        }
    }
    return assemble_simulation(options, std::move(design), std::move(truth), {kspace.begin(), kspace.end()}, {});
}

FrameResult reconstructed(Scan& scan, const Settings& settings, std::string& device) {
    ReconstructOptions options;
    options.regularisation = parse_regularisation({"scan"}, {});
    options.regularisation.uncertainty_samples = settings.uncertainty_samples;
    options.measure_accuracy = false;
    const auto backend = make_backend(settings.device, {.thread_count = settings.thread_count});
    device = backend->description();
    RunControl control;
    return std::move(reconstruct(scan, *backend, options, control).front());
}

/// Of the magnitude, empty if the scan was too poor to tell a prior by: half of the variance of a complex error lies
/// along the image's phase.
std::vector<float> magnitude_deviation(const FrameResult& result) {
    const auto found =
        std::ranges::find_if(result.extras, [](const NamedArray& extra) { return extra.name == "uncertainty/sd"; });
    if (found == result.extras.end()) {
        return {};
    }
    std::vector<float> deviation = std::get<std::vector<float>>(found->values);
    for (float& value : deviation) {
        value *= static_cast<float>(std::sqrt(0.5));
    }
    return deviation;
}

}  // namespace

Report run_study(const Settings& settings) {
    const SodiumObject object = sodium_object();
    Simulation simulation = simulate(settings, object);
    Report report;
    report.settings = settings;
    report.vials = object.vials;
    report.geometry = simulation.scan.geometry;
    report.sample_count = simulation.scan.frames.front().sample_count();
    report.readout_s = simulation.design.dwell_time_s * static_cast<double>(simulation.design.samples_per_readout);
    report.scan_s = settings.sequence.repetition_time_s * static_cast<double>(simulation.design.readout_count);
    const Stopwatch watch;
    const FrameResult result = reconstructed(simulation.scan, settings, report.device);
    report.reconstruction_seconds = watch.seconds();

    std::vector<float> magnitudes;
    for (const cfloat value : result.image) {
        magnitudes.push_back(std::abs(value));
    }
    const VoxelGrid grid = VoxelGrid::image(report.geometry.matrix_size);
    const auto factor = [&](const Relaxation& relaxation) { return signal_factor(relaxation, settings.sequence); };
    report.calibration = calibrate(magnitudes, grid, object.vials, factor);
    report.map =
        concentration_map(magnitudes, magnitude_deviation(result), grid, report.calibration,
                          [&](const PerAxis<double>& position) { return factor(relaxation_at(object, position)); });
    const Calibration plain = calibrate(magnitudes, grid, object.vials, [](const Relaxation&) { return 1.0; });
    std::vector<float> variance;
    for (const float deviation : report.map.standard_deviation) {
        variance.push_back(deviation * deviation);
    }
    for (const Region& region : object.regions) {
        report.rows.push_back({region, region_mean(report.map.mmol_per_l, grid, region),
                               std::sqrt(region_mean(variance, grid, region).mean),
                               region_mean(magnitudes, grid, region).mean / plain.signal_per_mmol});
    }
    return report;
}

}  // namespace recon::sodium
