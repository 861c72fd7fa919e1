#include "core/heart/excitation_state.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/base/error.hpp"

namespace recon {

ExcitationState ExcitationState::at_rest(Index size) {
    const auto cells = static_cast<std::size_t>(size * size);
    return {size, std::vector<double>(cells), std::vector<double>(cells)};
}

ExcitationState ExcitationState::spiral_start(Index size) {
    ExcitationState state = at_rest(size);
    for (Index row = 0; row < size; ++row) {
        for (Index column = 0; column < size; ++column) {
            state.excitation[row * size + column] = excitation_at_start(size, column);
            state.recovery[row * size + column] = recovery_at_start(size, row);
        }
    }
    return state;
}

void ExcitationState::require_size(Index of_sheet) const {
    if (size != of_sheet) {
        throw ShapeError(
            fmt::format("a state of {} x {} cells for a sheet of {} x {}", size, size, of_sheet, of_sheet));
    }
}

double ExcitationState::largest() const {
    double most = -std::numeric_limits<double>::infinity();
    for (const double value : excitation) {
        if (!std::isfinite(value)) {
            return std::numeric_limits<double>::quiet_NaN();
        }
        most = value > most ? value : most;
    }
    return most;
}

double ExcitationState::root_mean_square() const {
    double sum = 0;
    for (Index row = 0; row < size; ++row) {  // by rows, so that long sums lose nothing
        double of_row = 0;
        for (Index column = 0; column < size; ++column) {
            const double value = excitation[row * size + column];
            of_row += value * value;
        }
        sum += of_row;
    }
    return std::sqrt(sum / static_cast<double>(excitation.size()));
}

}  // namespace recon
