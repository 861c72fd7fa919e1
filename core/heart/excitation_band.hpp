#pragma once

#include "core/base/cpu_memory.hpp"
#include "core/heart/excitation_rates.hpp"

namespace recon {

/// Whole rows of a sheet that one thread steps forward on its own, with `halo` more rows of its neighbours on either
/// side: after an exchange of halos it can make so many steps before the next, while what it knows shrinks by a row a
/// step from each side. Which bands there are changes no bit: every row is computed in the same way wherever it lies.
template <class T>
class ExcitationBand {
public:
    ExcitationBand(const ExcitationSetup& setup, Index first_row, Index row_count, Index halo);

    /// Between own rows and the other bands' rows; the numbers of steps from one exchange to the next.
    Index halo() const { return halo_; }

    /// Takes the rows of its halo that `other` owns; both have made the same number of steps.
    void take_halo(const ExcitationBand& other);
    /// @param steps  up to `halo`, or any number for a band that is all of the sheet
    void advance(Index steps);

    void copy_from(const ExcitationState& state);
    void copy_own_to(ExcitationState& state) const;

private:
    T* excitation(int parity, Index row) const { return excitation_[parity].data() + (row - stored_first_) * stride_; }
    T* recovery(Index row) const { return recovery_.data() + (row - stored_first_) * stride_; }
    void copy_row(const ExcitationBand& other, Index row);
    void step(Index row, int from);
    void mirror_ends(T* row) const;

    ExcitationRates<T> rates_;
    Index size_, first_row_, row_count_, halo_;
    Index stored_first_, stored_end_;
    Index stride_;                ///< of a row in memory, whose first cell lies `margin` into it
    CpuBuffer<T> excitation_[2];  ///< before and after a step, in turn
    CpuBuffer<T> recovery_;
    CpuBuffer<T> conductivity_, threshold_;  ///< empty where the tissue is the same everywhere
    int current_ = 0;                        ///< which of `excitation_` is now
};

}  // namespace recon
