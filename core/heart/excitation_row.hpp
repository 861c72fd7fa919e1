#pragma once

#include "core/heart/excitation_rates.hpp"
#include "core/processor/cpu_level.hpp"

namespace recon {

/// Cells of one row that lie side by side, all of one tissue. `centre[-1]` and `centre[count]` are read.
template <class T>
struct ExcitationRow {
    const T *centre, *north, *south;  ///< E before the step
    T* next;                          ///< E after it
    T* recovery;                      ///< R, in its place
    Index count;
};

/// Makes the next step of a row, in the lanes of the vector unit: the bits of a cell do not depend on the cells beside
/// which it is computed. Of the processor's level (core/processor/cpu_level.hpp).
void step_row(const ExcitationRates<float>& rates, const ExcitationRow<float>& row);
void step_row(const ExcitationRates<double>& rates, const ExcitationRow<double>& row);

namespace RECON_CPU_LEVEL {
void step_row(const ExcitationRates<float>& rates, const ExcitationRow<float>& row);
void step_row(const ExcitationRates<double>& rates, const ExcitationRow<double>& row);
}  // namespace RECON_CPU_LEVEL

}  // namespace recon
