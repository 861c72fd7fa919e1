#include "core/heart/excitation_row.hpp"

namespace recon {

namespace cpu_v3 {
[[gnu::weak]] void step_row(const ExcitationRates<float>& rates, const ExcitationRow<float>& row);
[[gnu::weak]] void step_row(const ExcitationRates<double>& rates, const ExcitationRow<double>& row);
}  // namespace cpu_v3
namespace cpu_v4 {
[[gnu::weak]] void step_row(const ExcitationRates<float>& rates, const ExcitationRow<float>& row);
[[gnu::weak]] void step_row(const ExcitationRates<double>& rates, const ExcitationRow<double>& row);
}  // namespace cpu_v4

namespace {

template <class T>
using StepRow = void(const ExcitationRates<T>& rates, const ExcitationRow<T>& row);

}  // namespace

void step_row(const ExcitationRates<float>& rates, const ExcitationRow<float>& row) {
    at_cpu_level<StepRow<float>>(&cpu_base::step_row, &cpu_v3::step_row, &cpu_v4::step_row)(rates, row);
}

void step_row(const ExcitationRates<double>& rates, const ExcitationRow<double>& row) {
    at_cpu_level<StepRow<double>>(&cpu_base::step_row, &cpu_v3::step_row, &cpu_v4::step_row)(rates, row);
}

}  // namespace recon
