#include "app/reconstruction/problem/gridding_baseline.hpp"

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
        Array squared_sensitivity(backend, plain.domain(), precision);
        backend.fill(0, squared_sensitivity);
        std::optional<Array> buffer;
        for (Index coil = 0; coil < plain.coils().coil_count(); ++coil) {
            const ConstArrayView map = plain.coils().map(coil, precision, buffer);
            backend.multiply(Conjugate::yes, map, map, Accumulate::yes, squared_sensitivity);
        }
        context.division.along_coils().all_reduce_sum(squared_sensitivity);
        backend.divide(gridded, squared_sensitivity, gridded);
    }
    return gridded;
}

}  // namespace recon
