#include "app/reconstruction/scan_prior/evidence/scan_evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/reconstruction/problem/coil_energy.hpp"
#include "app/reconstruction/scan_prior/evidence/grid_frequencies.hpp"
#include "app/reconstruction/scan_prior/evidence/sample_compensation.hpp"
#include "app/reconstruction/scan_prior/evidence/uneven_sensitivity.hpp"
#include "app/reconstruction/scan_prior/evidence/visible_support.hpp"
#include "core/backend/transfer_by_pieces.hpp"
#include "core/base/ordered_sum.hpp"
#include "core/operators/preconditioners/circulant_preconditioner.hpp"
#include "core/operators/preconditioners/smooth_frequencies.hpp"

namespace recon {
namespace {

/// Fewer numbers tell neither noise nor spectrum.
constexpr double least_values = 64;

Index circulant_size(const FrameProblem& problem) {
    return Shape::image(circulant_grid(problem.context().matrix_size())).element_count();
}

/// Spectra of the data, with other terms and theirs; those of the prior, with an
/// envelope and without, their deviations and shells, of an octant;
/// what is shown of voxels; energies, weights and shells of samples.
std::size_t host_bytes(const FrameProblem& problem) {
    const auto voxels = static_cast<std::size_t>(problem.image_shape().element_count());
    const auto samples = static_cast<std::size_t>(problem.plans().trajectory().sample_count());
    const auto points = static_cast<std::size_t>(circulant_size(problem));
    const auto octant =
        static_cast<std::size_t>(EvenGrid(circulant_grid(problem.context().matrix_size())).octant_count());
    return (3 * points + 8 * octant + 4 * voxels + 3 * samples) * sizeof(double);
}

/// Without Q, of samples that see all frequencies alike.
std::vector<float> spectrum_of_data(const FrameProblem& problem, const ScanStatistics& statistics) {
    const TrajectoryPlans& plans = problem.plans();
    Backend& backend = problem.backend();
    if (plans.q()) {
        return circulant_spectrum(backend, *plans.q(), problem.normal_coils(), problem.context().matrix_size(),
                                  problem.ranks());
    }
    return std::vector<float>(static_cast<std::size_t>(backend.listed(circulant_size(problem))),
                              static_cast<float>(problem.q_centre() * statistics.coil_gain));
}

float largest_of(const std::vector<float>& values) {
    float largest = 0;
#pragma omp parallel for schedule(static) reduction(max : largest)
    for (std::size_t i = 0; i < values.size(); ++i) {
        largest = std::max(largest, values[i]);
    }
    return largest;
}

/// Those in the support.
double solved_voxels(const FrameProblem& problem, const Support* support) {
    if (support == nullptr) {
        return static_cast<double>(problem.image_shape().element_count());
    }
    Array ones(problem.backend(), problem.image_shape(), problem.context().options.precision);
    problem.backend().fill(1, ones);
    support->restrict_to_support(ones);
    return problem.backend().dot(ones, ones).real();
}

}  // namespace

ScanEvidence::ScanEvidence(const FrameProblem& frame_problem, PriorTerms& prior_terms)
    : problem(frame_problem),
      priors(prior_terms),
      on_host(problem.backend().claim_on_host(host_bytes(problem))),
      map_energy(coil_energy(problem)),
      statistics(scan_statistics(problem, *map_energy)) {
    const PerAxis<double> voxel = problem.context().scan.geometry.voxel_size_mm();
    const PerAxis<Index> matrix = problem.context().matrix_size();
    double product = 1;
    for (int axis = 0; axis < 3; ++axis) {
        if (matrix[axis] > 1) {
            ++axis_count;
            product *= voxel[axis];
        }
    }
    voxel_mm = axis_count > 0 ? std::pow(product, 1 / static_cast<double>(axis_count)) : 0;
}

std::string ScanEvidence::obstacle() const {
    if (statistics.data_energy == 0) {
        return "the data are all zero, and so is the image";
    }
    if (problem.backend().computes() && !(norm(problem.fhd()) > 0)) {
        return "no coil sees anything of what was measured, and the image is zero";
    }
    return statistics.value_count < least_values || axis_count == 0
               ? fmt::format("{} numbers tell neither noise nor spectrum; plain least squares instead",
                             statistics.value_count)
               : "";
}

double ScanEvidence::mean_of_data() const {
    const Index count = std::ssize(of_data);
    return ordered_sum(count, [&](Index i) { return of_data[static_cast<std::size_t>(i)]; }) /
           static_cast<double>(count);
}

void ScanEvidence::prepare() {
    const auto stage = problem.context().run.stage(Stage::start);
    of_data = spectrum_of_data(problem, statistics);
    const PerAxis<Index> grid = circulant_grid(problem.context().matrix_size());
    smooth_of_data = smooth_frequencies(of_data, grid);
    preconditioning.emplace(problem.backend(), Shape::image(grid), problem.context().options.precision);
    upload_by_pieces(*preconditioning, [this, least = 1e-7F * largest_of(smooth_of_data)](std::size_t i) {
        return std::max(smooth_of_data[i], least);
    });
    compensation = sample_compensation(problem, smooth_of_data, statistics.coil_gain);
    priors.support = visible_support(problem, *map_energy, priors.support);
    solved_count = solved_voxels(problem, priors.support.get());
    sensitivity = uneven_sensitivity(problem, std::move(*map_energy), priors.support.get(), solved_count);
    map_energy.reset();
    k_per_mm = k_of_grid(problem, statistics.shells);
    shell_of_grid = statistics.shells.shells_of(k_per_mm);
    draws.emplace(problem, statistics);
}

}  // namespace recon
