#include "app/reconstruction/frame_result.hpp"

#include "app/reconstruction/problem/gridding_baseline.hpp"

namespace recon {

FrameResult frame_result(FrameProblem& problem, const FrameLabel& label, ConstArrayView image) {
    const ReconstructionContext& context = problem.context();
    const auto on_first_rank = [&context](ConstArrayView array) {
        return context.ranks().rank() == 0 ? download<float>(array) : std::vector<cfloat>();
    };
    FrameResult result;
    result.label = label;
    result.memory = context.memory;
    result.sums = problem.plans().method();
    result.data_residual = problem.data_residual(image);
    result.image = on_first_rank(image);
    if (context.options.baseline) {
        result.baseline = on_first_rank(gridded_image(problem));
    }
    if (context.options.measure_accuracy) {
        result.accuracy = problem.measured_accuracy();
    }
    return result;
}

}  // namespace recon
