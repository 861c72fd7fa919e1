#include "core/fourier/field/field_row.hpp"

namespace recon {

namespace cpu_v3 {
[[gnu::weak]] SumTerms sum_terms;
[[gnu::weak]] FieldRowValues field_row_values;
}  // namespace cpu_v3
namespace cpu_v4 {
[[gnu::weak]] SumTerms sum_terms;
[[gnu::weak]] FieldRowValues field_row_values;
}  // namespace cpu_v4

void sum_terms(const cfloat* coefficients, Index count, Index terms, const cfloat* phases, cfloat* sums) {
    at_cpu_level<SumTerms>(&cpu_base::sum_terms, &cpu_v3::sum_terms, &cpu_v4::sum_terms)(coefficients, count, terms,
                                                                                         phases, sums);
}

void field_row_values(const cfloat* coefficients, Index component_count, Index terms, const cfloat* phases,
                      Index voxel_count, cfloat* values) {
    at_cpu_level<FieldRowValues>(&cpu_base::field_row_values, &cpu_v3::field_row_values, &cpu_v4::field_row_values)(
        coefficients, component_count, terms, phases, voxel_count, values);
}

}  // namespace recon
