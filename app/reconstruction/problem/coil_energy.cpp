#include "app/reconstruction/problem/coil_energy.hpp"

#include <optional>

namespace recon {

Array coil_energy(const FrameProblem& problem) {
    const CoilSensitivity& coils = *problem.coils();
    Backend& backend = problem.backend();
    const Precision precision = problem.context().options.precision;
    Array energy(backend, problem.image_shape(), precision);
    backend.fill(coils.has_maps() ? 0 : 1, energy);
    if (!coils.has_maps()) {
        return energy;
    }
    std::optional<Array> buffer;
    for (Index coil = 0; coil < coils.coil_count(); ++coil) {
        const ConstArrayView map = coils.map(coil, precision, buffer);
        backend.multiply(Conjugate::yes, map, map, Accumulate::yes, energy);
    }
    problem.context().division.along_coils().all_reduce_sum(energy);
    return energy;
}

}  // namespace recon
