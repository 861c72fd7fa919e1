// Least squares by hand: a NUFFT, its Toeplitz form, coils, conjugate gradients. Every array lives on the backend, CPU
// or GPU.
#include <recon/core/devices/device_choice.hpp>
#include <recon/core/operators/encoding.hpp>
#include <recon/core/operators/operator_algebra.hpp>
#include <recon/core/operators/q_kernel.hpp>
#include <recon/core/operators/sampling/nufft.hpp>
#include <recon/solver/conjugate_gradient.hpp>

#include <cstdio>

#include "radial_case.hpp"

int main(int argument_count, char** arguments) try {
    using namespace recon;
    constexpr Precision precision = Precision::single;
    constexpr double tolerance = 1e-6;
    const std::unique_ptr<Backend> backend = make_backend(argument_count > 1 ? arguments[1] : "auto");
    const Trajectory trajectory = example::radial_trajectory();
    const Shape image_shape = Shape::image(example::matrix_size);

    // E: image -> k-space of all coils. Its normal product E^H E is a convolution with Q, done by FFTs of twice the
    // size.
    Array maps(*backend, image_shape.with_axis("coil", example::coil_count), precision);
    upload(example::coil_maps(), maps);
    const Array q = compute_q(*backend, trajectory, example::matrix_size, {},
                              SumsOptions{SumsMethod::automatic, tolerance, Precision::double_});
    const Encoding encoding(
        *backend, {.sums = std::make_shared<Nufft>(*backend, trajectory, VoxelGrid::image(example::matrix_size),
                                                   tolerance, precision),
                   .coils = std::make_shared<CoilSensitivity>(std::move(maps)),
                   .sample_factors = nullptr,
                   .toeplitz = backend->make_toeplitz(image_shape, q, precision)});

    // The scan, simulated: d = E truth.
    const std::vector<cfloat> truth = example::true_image();
    Array image(*backend, encoding.domain(), precision), kspace(*backend, encoding.codomain(), precision);
    upload(truth, image);
    encoding.forward(image, kspace);

    // rho = argmin |E rho - d|^2: E^H E rho = E^H d
    Array right_hand_side(*backend, encoding.domain(), precision);
    encoding.adjoint(kspace, right_hand_side);
    upload(std::vector<cfloat>(truth.size()), image);
    const CgReport report =
        solve_cg(Normal(encoding), right_hand_side, image, CgOptions{.iterations = 50, .stop = 1e-5});

    const double error = example::error_of(download<float>(image.view()), truth);
    std::printf("%s: %d iterations, residual %.1e, error %.4f\n", backend->name().c_str(), report.iterations,
                report.true_residual, error);
    return error < 0.01 ? 0 : 1;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
