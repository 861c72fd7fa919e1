// What the program does, from arrays: the scan is checked, its noise and spectrum are found, the image comes with its
// error.
#include <recon/app/reconstruction/reconstruction.hpp>
#include <recon/core/base/log.hpp>
#include <recon/core/devices/device_choice.hpp>
#include <recon/core/operators/sampling/nufft.hpp>

#include <cstdio>
#include <random>

#include "radial_case.hpp"

namespace {

/// [sample coil], with noise of standard deviation `sigma` in the real and in the imaginary part.
std::vector<recon::cfloat> simulated_kspace(recon::Backend& backend, const recon::Trajectory& trajectory, float sigma) {
    using namespace recon;
    const std::vector<cfloat> truth = example::true_image(), maps = example::coil_maps();
    const VoxelGrid grid = VoxelGrid::image(example::matrix_size);
    std::vector<cfloat> coil_images(maps.size());
    for (std::size_t i = 0; i < maps.size(); ++i) {
        coil_images[i] = maps[i] * truth[i % truth.size()];
    }
    Array images(backend, grid.shape.with_axis("coil", example::coil_count), Precision::single);
    Array samples(backend, Shape::samples(trajectory.sample_count()).with_axis("coil", example::coil_count),
                  Precision::single);
    upload(coil_images, images);
    Nufft(backend, trajectory, grid, 1e-6, Precision::single).forward(images, samples);
    std::vector<cfloat> kspace = download<float>(samples.view());
    std::mt19937 random(1);
    std::normal_distribution<float> noise(0, sigma);
    for (cfloat& value : kspace) {
        value += cfloat(noise(random), noise(random));
    }
    return kspace;
}

}  // namespace

int main(int argument_count, char** arguments) try {
    using namespace recon;
    set_log_level(LogLevel::warning);
    const std::unique_ptr<Backend> backend = make_backend(argument_count > 1 ? arguments[1] : "auto");

    Scan scan;
    scan.geometry.matrix_size = example::matrix_size;
    scan.coil_count = example::coil_count;
    scan.samples_per_readout = example::samples_per_readout;
    scan.coil_maps = example::coil_maps();
    Frame& frame = scan.frames.emplace_back();
    frame.trajectory = std::make_shared<Trajectory>(example::radial_trajectory());
    frame.kspace = simulated_kspace(*backend, *frame.trajectory, 10);

    ReconstructOptions options;
    options.regularisation.scan = ScanPrior::scan;  // what the program does by itself; `none` is plain least squares
    RunControl control;
    const FrameResult result = std::move(reconstruct(scan, *backend, options, control).front());

    const double error = example::error_of(result.image, example::true_image());
    std::printf("%s: error %.4f\n", backend->name().c_str(), error);
    return error < 0.1 ? 0 : 1;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
