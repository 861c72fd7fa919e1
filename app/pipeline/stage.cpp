#include "app/pipeline/stage.hpp"

#include <algorithm>

namespace recon {

std::string_view name_of(Stage stage) {
    switch (stage) {
        case Stage::read: return "read";
        case Stage::check: return "check";
        case Stage::whiten: return "whiten";
        case Stage::coil_maps: return "coil_maps";
        case Stage::density: return "density";
        case Stage::q: return "q";
        case Stage::adjoint: return "fhd";
        case Stage::start: return "start";
        case Stage::lambda: return "lambda";
        case Stage::solve: return "cg";
        case Stage::residual: return "data_residual";
        case Stage::accuracy: return "measured_accuracy";
        case Stage::baseline: return "baseline";
        case Stage::write: break;
    }
    return "write";
}

void StageRecord::add(Stage stage, double seconds, std::size_t peak_bytes) {
    Cost& cost = costs_[stage];
    cost.seconds += seconds;
    cost.peak_bytes = std::max(cost.peak_bytes, peak_bytes);
}

StageRecord::Cost StageRecord::of(Stage stage) const {
    const auto found = costs_.find(stage);
    return found == costs_.end() ? Cost{} : found->second;
}

}  // namespace recon
