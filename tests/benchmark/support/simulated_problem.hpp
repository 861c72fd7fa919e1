#pragma once

#include <memory>

#include "core/backend.hpp"
#include "core/mri/density_compensation.hpp"
#include "core/operator_algebra.hpp"
#include "core/operators/encoding.hpp"
#include "core/operators/fourier_sums_choice.hpp"
#include "core/operators/q_kernel.hpp"
#include "data/simulation/simulate_scan.hpp"

namespace recon::benchmark {

/// A simulated scan on its way to the image: encoding, Q, E^H d and k-space, the coil maps those of the simulation.
struct SimulatedProblem {
    SimulatedProblem(Backend& backend, const Simulation& simulation, Precision precision)
        : scan(simulation.scan),
          frame(scan.frames.front()),
          q(compute_q(backend, *frame.trajectory, scan.geometry.matrix_size, {},
                      {SumsMethod::automatic, tolerance, Precision::double_})),
          coils(std::make_shared<CoilSensitivity>(make_coils(backend, precision))),
          encoding(backend, {make_sums(backend, precision), coils, nullptr,
                             backend.make_toeplitz(Shape::image(scan.geometry.matrix_size), q, precision)}),
          kspace(backend, encoding.codomain(), precision),
          right_side(backend, encoding.domain(), precision),
          q_centre(static_cast<double>(frame.sample_count())) {
        upload(frame.kspace, kspace);
        encoding.adjoint(kspace, right_side);
    }

    /// E^H W d, W the density weights: the gridded image, but for a scale.
    Array gridded() const {
        Backend& backend = encoding.backend();
        const std::vector<double> weights = pipe_menon_weights(backend, *frame.trajectory, scan.geometry.matrix_size);
        Array factors(backend, Shape::samples(frame.sample_count()), encoding.precision());
        upload(std::vector<cdouble>(weights.begin(), weights.end()), factors);
        Array weighted(backend, encoding.codomain(), encoding.precision());
        for (Index coil = 0; coil < scan.coil_count; ++coil) {
            backend.multiply(Conjugate::no, factors, kspace.slice(coil), Accumulate::no, weighted.slice(coil));
        }
        Array image(backend, encoding.domain(), encoding.precision());
        encoding.adjoint(weighted, image);
        return image;
    }

    static constexpr double tolerance = 1e-6;
    const Scan& scan;
    const Frame& frame;
    Array q;
    std::shared_ptr<const CoilSensitivity> coils;
    Encoding encoding;
    Array kspace;
    Array right_side;
    double q_centre;

private:
    CoilSensitivity make_coils(Backend& backend, Precision precision) const {
        if (scan.coil_maps.empty()) {
            return {};
        }
        Array maps(backend, Shape::image(scan.geometry.matrix_size).with_axis("coil", scan.coil_count), precision);
        upload(scan.coil_maps, maps);
        return CoilSensitivity(std::move(maps));
    }
    std::shared_ptr<const FourierSums> make_sums(Backend& backend, Precision precision) const {
        const SumsOptions options{SumsMethod::automatic, tolerance, precision};
        const VoxelGrid grid = VoxelGrid::image(scan.geometry.matrix_size);
        return make_fourier_sums(backend, *frame.trajectory, grid,
                                 choose_sums(backend, options, frame.sample_count(), grid, scan.coil_count), options);
    }
};

}  // namespace recon::benchmark
