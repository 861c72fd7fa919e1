#include "core/heart/excitation_row.hpp"

#include "core/heart/excitation_cell.hpp"

namespace recon {
namespace {

template <class T>
void step(const ExcitationRates<T>& rates, const ExcitationRow<T>& row) {
    const ExcitationRates<T> m = rates;
    const T *const centre = row.centre, *const north = row.north, *const south = row.south;
    T *const next = row.next, *const r = row.recovery;
    const Index count = row.count;
#pragma omp simd
    for (Index i = 0; i < count; ++i) {
        const T e = diffuse(m, centre[i], centre[i - 1], centre[i + 1], north[i], south[i]);
        next[i] = react(m, m.minus_k_a, e, r[i]);
    }
}

template <class T>
void step_in_tissue(const ExcitationRates<T>& rates, const ExcitationTissueRow<T>& tissue,
                    const ExcitationRow<T>& row) {
    const ExcitationRates<T> m = rates;
    const T *const centre = row.centre, *const north = row.north, *const south = row.south;
    const T *const g = tissue.centre, *const g_north = tissue.north, *const g_south = tissue.south;
    const T* const a = tissue.threshold;
    T *const next = row.next, *const r = row.recovery;
    const Index count = row.count;
#pragma omp simd
    for (Index i = 0; i < count; ++i) {
        const T flow =
            ((g[i] + g[i - 1]) * (centre[i - 1] - centre[i]) + (g[i] + g[i + 1]) * (centre[i + 1] - centre[i])) +
            ((g[i] + g_north[i]) * (north[i] - centre[i]) + (g[i] + g_south[i]) * (south[i] - centre[i]));
        next[i] = react(m, -m.k * a[i], multiply_add(m.alpha * T(0.5), flow, centre[i]), r[i]);
    }
}

}  // namespace

namespace RECON_CPU_LEVEL {

void step_row(const ExcitationRates<float>& rates, const ExcitationRow<float>& row) { step(rates, row); }
void step_row(const ExcitationRates<double>& rates, const ExcitationRow<double>& row) { step(rates, row); }

void step_row_in_tissue(const ExcitationRates<float>& rates, const ExcitationTissueRow<float>& tissue,
                        const ExcitationRow<float>& row) {
    step_in_tissue(rates, tissue, row);
}
void step_row_in_tissue(const ExcitationRates<double>& rates, const ExcitationTissueRow<double>& tissue,
                        const ExcitationRow<double>& row) {
    step_in_tissue(rates, tissue, row);
}

}  // namespace RECON_CPU_LEVEL

}  // namespace recon
