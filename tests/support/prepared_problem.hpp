#pragma once

#include "app/reconstruction/coils/calibration_place.hpp"
#include "app/reconstruction/coils/coil_preparation.hpp"
#include "app/reconstruction/problem/frame_problem.hpp"
#include "app/reconstruction/problem/trajectory_plans.hpp"
#include "app/reconstruction/reconstruction.hpp"
#include "app/reconstruction/regularisation/prior_terms.hpp"
#include "core/backend/cpu/cpu_backend.hpp"
#include "core/backend/transfer_by_pieces.hpp"
#include "core/operators/circulant_filter.hpp"

namespace recon::test {

/// The first frame of a scan as a reconstruction on one CPU has it before it solves for the image.
class PreparedProblem {
public:
    PreparedProblem(Scan scan, const ReconstructOptions& options)
        : scan_(std::move(scan)),
          options_(options),
          backend_(make_cpu_backend(0)),
          coils_(prepare_coils(scan_, options_, control_)),
          run_(*backend_, only_rank(), control_),
          memory_(plan_of_reconstruction(scan_, *backend_, options_)),
          division_(only_rank(), scan_.coil_count),
          context_{run_,
                   scan_,
                   *backend_,
                   division_,
                   options_,
                   memory_,
                   maps_,
                   calibration_places_,
                   coils_.numbers(),
                   coils_.whitening_or_null(),
                   coils_.compression_or_null()},
          plans_(context_, scan_.frames.front()),
          problem_(context_, scan_.frames.front(), plans_),
          priors_(make_prior_terms(context_, scan_.frames.front())) {}

    Backend& backend() { return *backend_; }
    const FrameProblem& problem() const { return problem_; }
    PriorTerms& priors() { return priors_; }

private:
    Scan scan_;
    ReconstructOptions options_;
    RunControl control_;
    std::unique_ptr<Backend> backend_;
    PreparedCoils coils_;
    Run run_;
    MemoryPlan memory_;
    Division division_;
    CoilMapStore maps_;
    CalibrationPlaces calibration_places_;
    ReconstructionContext context_;
    TrajectoryPlans plans_;
    FrameProblem problem_;
    PriorTerms priors_;
};

/// Real numbers at the points of circulant_grid, in double precision.
inline Array on_circulant_grid(const FrameProblem& problem, std::span<const float> values) {
    Array array(problem.backend(), Shape::image(circulant_grid(problem.context().matrix_size())), Precision::double_);
    upload_by_pieces(array, [values](std::size_t i) { return values[i]; });
    return array;
}

}  // namespace recon::test
