#include "app/reconstruction/regularisation/regularised_system.hpp"

#include "core/operators/operator_algebra.hpp"

namespace recon {

RegularisedSystem::RegularisedSystem(const FrameProblem& problem, const std::vector<PriorTerm>& terms,
                                     const Support* support)
    : problem_(problem), system_(&problem.normal()) {
    for (const PriorTerm& term : terms) {
        system_ = &keep<Sum>(*system_, term.lambda * problem.q_centre(), keep<Normal>(*term.w));
    }
    if (support != nullptr) {
        system_ = &keep<Supported>(*system_, *support);
        restricted_.emplace(problem.backend(), problem.image_shape(), problem.context().options.precision);
        support->forward(problem.fhd(), *restricted_);
    }
}

}  // namespace recon
