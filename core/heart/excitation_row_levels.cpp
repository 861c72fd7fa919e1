#include "core/heart/excitation_row.hpp"

namespace recon {

namespace cpu_v3 {
[[gnu::weak]] StepRow<float> step_row;
[[gnu::weak]] StepRow<double> step_row;
[[gnu::weak]] StepRowInTissue<float> step_row_in_tissue;
[[gnu::weak]] StepRowInTissue<double> step_row_in_tissue;
}  // namespace cpu_v3
namespace cpu_v4 {
[[gnu::weak]] StepRow<float> step_row;
[[gnu::weak]] StepRow<double> step_row;
[[gnu::weak]] StepRowInTissue<float> step_row_in_tissue;
[[gnu::weak]] StepRowInTissue<double> step_row_in_tissue;
}  // namespace cpu_v4

namespace {

template <class T>
void step_at_level(const ExcitationRates<T>& rates, const ExcitationRow<T>& row) {
    at_cpu_level<StepRow<T>>(&cpu_base::step_row, &cpu_v3::step_row, &cpu_v4::step_row)(rates, row);
}

template <class T>
void step_in_tissue_at_level(const ExcitationRates<T>& rates, const ExcitationTissueRow<T>& tissue,
                             const ExcitationRow<T>& row) {
    at_cpu_level<StepRowInTissue<T>>(&cpu_base::step_row_in_tissue, &cpu_v3::step_row_in_tissue,
                                     &cpu_v4::step_row_in_tissue)(rates, tissue, row);
}

}  // namespace

void step_row(const ExcitationRates<float>& rates, const ExcitationRow<float>& row) { step_at_level(rates, row); }
void step_row(const ExcitationRates<double>& rates, const ExcitationRow<double>& row) { step_at_level(rates, row); }

void step_row_in_tissue(const ExcitationRates<float>& rates, const ExcitationTissueRow<float>& tissue,
                        const ExcitationRow<float>& row) {
    step_in_tissue_at_level(rates, tissue, row);
}
void step_row_in_tissue(const ExcitationRates<double>& rates, const ExcitationTissueRow<double>& tissue,
                        const ExcitationRow<double>& row) {
    step_in_tissue_at_level(rates, tissue, row);
}

}  // namespace recon
