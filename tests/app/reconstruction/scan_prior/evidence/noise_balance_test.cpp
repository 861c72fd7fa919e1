// What an image leaves over, beside another one of which that is known.
#include "app/reconstruction/scan_prior/evidence/noise_balance.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "app/reconstruction/scan_prior/evidence/scan_evidence.hpp"
#include "core/fourier/direct_sums.hpp"
#include "tests/app/reconstruction/scan_prior/scan_prior_cases.hpp"
#include "tests/support/prepared_problem.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

/// k-space that the image of voxels explains: no noise, and no detail between them.
void measure_voxels(Simulation& simulation) {
    Frame& frame = simulation.scan.frames.front();
    const VoxelGrid grid = VoxelGrid::image(simulation.scan.geometry.matrix_size);
    frame.kspace.clear();
    for (auto map = simulation.scan.coil_maps.begin(); map != simulation.scan.coil_maps.end();) {
        std::vector<cdouble> seen;
        for (const cfloat value : simulation.truth) {
            seen.push_back(cdouble(*map++) * cdouble(value));
        }
        for (const cdouble sample : direct_forward(*frame.trajectory, grid, seen)) {
            frame.kspace.emplace_back(sample);
        }
    }
}

/// Of which the data see next to nothing: what is left of a random image after steps of steepest descent to zero.
Array nearly_unseen(const FrameProblem& problem, double size) {
    Backend& backend = problem.backend();
    Array image = test::random_array(backend, problem.image_shape(), Precision::single, 1);
    Array product(backend, problem.image_shape(), Precision::single);
    double largest = 0;  // eigenvalue, from below
    for (int step = 0; step < 2000; ++step) {
        problem.normal().forward(image, product);
        largest = std::max(largest, norm(product) / norm(image));
        backend.axpby(-0.7 / largest, product, 1, image);
    }
    backend.scale(size / norm(image), image);
    return image;
}

TEST(NoiseBalance, BesideAnotherImageIsItsOwnResidual) {
    for (const bool noisy : {true, false}) {
        SCOPED_TRACE(noisy);
        Simulation simulation = test::simulate({.matrix = {48, 48, 1}, .coils = 2, .snr = 20, .undersampling = 8});
        if (!noisy) {
            measure_voxels(simulation);
        }
        test::PreparedProblem prepared(simulation.scan, {});
        const FrameProblem& problem = prepared.problem();
        const ScanEvidence evidence(problem, prepared.priors());
        Array truth(prepared.backend(), problem.image_shape(), Precision::single);
        upload(simulation.truth, truth);
        const Array step = nearly_unseen(problem, 0.1 * norm(truth));
        Array first = truth.clone();
        prepared.backend().axpby(1, step, 1, first);
        const auto left_by = [&](const Array& image) {
            const std::vector<double> of_shells = residual_of_shells(problem, evidence.statistics, image);
            return std::accumulate(of_shells.begin(), of_shells.end(), 0.0);
        };
        const NoiseBalance of_first{evidence.statistics, left_by(first), 0};
        const double found = balance_beside(problem, of_first, first, truth, step, step).left;
        EXPECT_NEAR(found, left_by(truth), 0.003 * of_first.left);
    }
}

}  // namespace
}  // namespace recon
