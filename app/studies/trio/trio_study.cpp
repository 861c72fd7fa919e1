#include "app/studies/trio/trio_study.hpp"

#include "app/reconstruction/reconstruction.hpp"
#include "core/base/stopwatch.hpp"
#include "core/devices/device_choice.hpp"
#include "data/simulation/simulate_scan.hpp"

namespace recon::trio {
namespace {

SimulationOptions simulation_options(const Settings& settings, const char* trajectory, double undersampling) {
    SimulationOptions options;
    options.trajectory = trajectory;
    options.request.matrix_size = {settings.size, settings.size, 1};
    options.request.undersampling = undersampling;
    options.coil_count = settings.coils;
    options.snr = settings.snr;
    options.seed = settings.seed;
    return options;
}

class Trio {
public:
    Trio(const Settings& settings, const std::function<void(const Row&)>& done)
        : backend_(make_backend(settings.device, {.thread_count = settings.thread_count})), done_(done) {
        report_.settings = settings;
        report_.device = backend_->description();
    }

    Report run() {
        const Settings& settings = report_.settings;
        Simulation cartesian = simulate_scan(simulation_options(settings, "cartesian", 1));
        report_.truth.geometry = cartesian.scan.geometry;
        report_.truth.voxels = cartesian.truth;
        truth_.assign(cartesian.truth.begin(), cartesian.truth.end());
        add_gridded("cartesian", "Cartesian, FFT", cartesian);
        Simulation spiral = simulate_scan(simulation_options(settings, "spiral", settings.undersampling));
        add_gridded("spiral-gridded", "spiral, gridding + FFT", spiral);
        add_solved("spiral-least-squares", "spiral, least squares", spiral, "none");
        add_solved("spiral-default", "spiral, least squares with the scan's prior", spiral, "scan");
        return std::move(report_);
    }

private:
    FrameResult reconstructed(Scan& scan, const char* prior, int iterations, bool gridded, RunControl& control) {
        ReconstructOptions options;
        options.regularisation = parse_regularisation({prior}, {});
        options.regularisation.uncertainty_samples = 0;
        options.cg.iterations = iterations;
        options.baseline = gridded;
        options.measure_accuracy = false;
        return std::move(reconstruct(scan, *backend_, options, control).front());
    }

    /// On a Cartesian trajectory gridding is the FFT and the sum over the coils.
    void add_gridded(const char* id, const char* title, Simulation& simulation) {
        RunControl control;
        FrameResult result = reconstructed(simulation.scan, "none", 1, true, control);
        add({.id = id,
             .title = title,
             .readout_count = simulation.design.readout_count,
             .reconstruction_s = control.stages.of(Stage::baseline).seconds,
             .image = std::move(result.baseline)});
    }

    void add_solved(const char* id, const char* title, Simulation& simulation, const char* prior) {
        RunControl control;
        const Stopwatch watch;
        FrameResult result = reconstructed(simulation.scan, prior, report_.settings.iterations, false, control);
        add({.id = id,
             .title = title,
             .readout_count = simulation.design.readout_count,
             .reconstruction_s = watch.seconds(),
             .image = std::move(result.image)});
    }

    void add(Row row) {
        row.scan_s = report_.settings.repetition_time_s * static_cast<double>(row.readout_count);
        row.figures = deviation(row.image, truth_);
        report_.rows.push_back(std::move(row));
        done_(report_.rows.back());
    }

    std::unique_ptr<Backend> backend_;
    const std::function<void(const Row&)>& done_;
    std::vector<cdouble> truth_;
    Report report_;
};

}  // namespace

Report run_study(const Settings& settings, const std::function<void(const Row&)>& done) {
    return Trio(settings, done).run();
}

}  // namespace recon::trio
