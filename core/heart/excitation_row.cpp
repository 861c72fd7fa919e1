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

}  // namespace

namespace RECON_CPU_LEVEL {
void step_row(const ExcitationRates<float>& rates, const ExcitationRow<float>& row) { step(rates, row); }
void step_row(const ExcitationRates<double>& rates, const ExcitationRow<double>& row) { step(rates, row); }
}  // namespace RECON_CPU_LEVEL

}  // namespace recon
