#pragma once

#include "core/heart/excitation_rates.hpp"
#include "core/processor/cpu_level.hpp"

namespace recon {

/// Cells of one row that lie side by side. `centre[-1]` and `centre[count]` are read.
template <class T>
struct ExcitationRow {
    const T *centre, *north, *south;  ///< E before the step
    T* next;                          ///< E after it
    T* recovery;                      ///< R, in its place
    Index count;
};

/// Tissue of a row that differs from cell to cell (ExcitationTissue). `centre[-1]` and `centre[count]` are read.
template <class T>
struct ExcitationTissueRow {
    const T *centre, *north, *south;  ///< conductivity
    const T* threshold;
};

// Make the next step of a row, in the lanes of the vector unit: the bits of a cell do not depend on the cells beside
// which it is computed. Of the processor's level (core/processor/cpu_level.hpp).

/// All of one tissue.
template <class T>
using StepRow = void(const ExcitationRates<T>& rates, const ExcitationRow<T>& row);
/// The model's conductivity and threshold are those of each cell.
template <class T>
using StepRowInTissue = void(const ExcitationRates<T>& rates, const ExcitationTissueRow<T>& tissue,
                             const ExcitationRow<T>& row);

StepRow<float> step_row;
StepRow<double> step_row;
StepRowInTissue<float> step_row_in_tissue;
StepRowInTissue<double> step_row_in_tissue;

namespace RECON_CPU_LEVEL {
StepRow<float> step_row;
StepRow<double> step_row;
StepRowInTissue<float> step_row_in_tissue;
StepRowInTissue<double> step_row_in_tissue;
}  // namespace RECON_CPU_LEVEL

}  // namespace recon
