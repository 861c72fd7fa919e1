#include "app/reconstruction/problem/gridding_baseline.hpp"

#include "app/reconstruction/problem/coil_energy.hpp"

namespace recon {

Array gridded_image(const FrameProblem& problem) {
    const ReconstructionContext& context = problem.context();
    Backend& backend = context.backend;
    const Precision precision = context.options.precision;
    const std::vector<double> weights = problem.plans().pipe_menon();
    const auto stage = context.run.stage(Stage::baseline);
    const Encoding plain = problem.encoding().unweighted();
    Array gridded(backend, plain.domain(), precision);
    encoding_adjoint(plain, problem.kspace(weights), gridded);
    context.ranks().all_reduce_sum(gridded);
    backend.scale(1.0 / static_cast<double>(gridded.size()), gridded);
    if (plain.coils().has_maps()) {
        backend.divide(gridded, coil_energy(problem), gridded);
    }
    return gridded;
}

}  // namespace recon
