#include "app/reconstruction/context/memory_plan.hpp"

#include <fmt/format.h>

namespace recon {

std::string MemoryPlan::text() const {
    std::string text = fmt::format("{} of {} expected at the peak ({})", memory_text(peak_bytes),
                                   memory_text(available_bytes), peak_stage);
    const auto at_a_time = [&](Index coils) { return fmt::format("{} of {} coils at a time", coils, coil_count); };
    if (coils_at_once < coil_count || kspace == Residency::streamed) {
        text += fmt::format("; k-space {}{}", kspace == Residency::streamed ? "streamed, " : "in batches, ",
                            at_a_time(coils_at_once));
    }
    if (coil_maps == Residency::streamed) {
        text += fmt::format("; coil maps streamed, {}", at_a_time(map_coils_at_once));
    }
    if (piece_bytes < MemoryBudget::unlimited) {
        text += fmt::format("; pieces of {}", memory_text(piece_bytes));
    }
    return text;
}

}  // namespace recon
