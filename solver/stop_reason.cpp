#include "solver/stop_reason.hpp"

namespace recon {

std::string_view name_of(StopReason reason) {
    switch (reason) {
        case StopReason::iterations: return "iterations";
        case StopReason::residual: return "residual";
        case StopReason::energy: return "energy";
        case StopReason::predicted_error: return "predicted error";
        case StopReason::cancelled: return "observer";
        case StopReason::breakdown: return "breakdown";
        case StopReason::zero_data: return "zero right-hand side";
    }
    return "unknown";
}

}  // namespace recon
