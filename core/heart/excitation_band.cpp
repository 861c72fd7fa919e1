#include "core/heart/excitation_band.hpp"

#include <algorithm>

#include "core/heart/excitation_row.hpp"

namespace recon {
namespace {

/// Cells before and after a row that hold its mirrored ends; the row begins on a cache line.
template <class T>
constexpr Index margin = 64 / static_cast<Index>(sizeof(T));

template <class T>
CpuBuffer<T> zeros(Index count) {
    CpuBuffer<T> buffer(count);
    std::fill_n(buffer.data(), count, T(0));
    return buffer;
}

/// Steps that a wave goes through the rows at once, so that rows stay in the cache from one step to the next.
constexpr Index most_levels = 16;

}  // namespace

template <class T>
ExcitationBand<T>::ExcitationBand(const ExcitationSetup& setup, Index first_row, Index row_count, Index halo)
    : rates_(setup),
      size_(setup.size),
      first_row_(first_row),
      row_count_(row_count),
      halo_(halo),
      stored_first_(std::max<Index>(0, first_row - halo)),
      stored_end_(std::min(setup.size, first_row + row_count + halo)),
      stride_((setup.size + margin<T> - 1) / margin<T> * margin<T> + 2 * margin<T>) {
    const Index count = (stored_end_ - stored_first_) * stride_;
    excitation_[0] = zeros<T>(count);
    excitation_[1] = zeros<T>(count);
    recovery_ = zeros<T>(count);
    if (setup.tissue) {
        conductivity_ = zeros<T>(count);
        threshold_ = zeros<T>(count);
        for (Index row = stored_first_; row < stored_end_; ++row) {
            T* const conductivity = conductivity_.data() + (row - stored_first_) * stride_ + margin<T>;
            T* const threshold = threshold_.data() + (row - stored_first_) * stride_ + margin<T>;
            for (Index column = 0; column < size_; ++column) {
                conductivity[column] = static_cast<T>(setup.tissue->conductivity[row * size_ + column]);
                threshold[column] = static_cast<T>(setup.tissue->threshold[row * size_ + column]);
            }
            mirror_ends(conductivity);
        }
    }
}

template <class T>
void ExcitationBand<T>::mirror_ends(T* row) const {
    row[-1] = row[1];
    row[size_] = row[size_ - 2];
}

template <class T>
void ExcitationBand<T>::copy_row(const ExcitationBand& other, Index row) {
    std::copy_n(other.excitation(other.current_, row), stride_, excitation(current_, row));
    std::copy_n(other.recovery(row), stride_, recovery(row));
}

template <class T>
void ExcitationBand<T>::take_halo(const ExcitationBand& other) {
    const Index end = other.first_row_ + other.row_count_;
    for (Index row = std::max(stored_first_, other.first_row_); row < std::min(stored_end_, end); ++row) {
        if (row < first_row_ || row >= first_row_ + row_count_) {
            copy_row(other, row);
        }
    }
}

template <class T>
void ExcitationBand<T>::step(Index row, int from) {
    const Index above = row > 0 ? row - 1 : 1, below = row < size_ - 1 ? row + 1 : size_ - 2;
    const ExcitationRow<T> cells{excitation(from, row) + margin<T>,   excitation(from, above) + margin<T>,
                                 excitation(from, below) + margin<T>, excitation(1 - from, row) + margin<T>,
                                 recovery(row) + margin<T>,           size_};
    if (conductivity_.size() > 0) {
        const auto of_row = [&](const CpuBuffer<T>& buffer, Index y) {
            return buffer.data() + (y - stored_first_) * stride_ + margin<T>;
        };
        step_row_in_tissue(rates_,
                           {of_row(conductivity_, row), of_row(conductivity_, above), of_row(conductivity_, below),
                            of_row(threshold_, row)},
                           cells);
    } else {
        step_row(rates_, cells);
    }
    mirror_ends(cells.next);
}

template <class T>
void ExcitationBand<T>::advance(Index steps) {
    const bool from_top = stored_first_ == 0, to_bottom = stored_end_ == size_;
    while (steps > 0) {
        const Index levels = std::min(steps, most_levels);
        const Index first = from_top ? 0 : stored_first_, end = to_bottom ? size_ : stored_end_;
        // Step `level` of row y is made when the wave is at y + level - 1: after step level - 1 of row y + 1, and
        // before anything that it needs is overwritten.
        for (Index wave = first; wave < end + levels; ++wave) {
            for (Index level = 1; level <= levels; ++level) {
                const Index row = wave - (level - 1);
                if (row >= (from_top ? 0 : first + level) && row < (to_bottom ? size_ : end - level)) {
                    step(row, (current_ + static_cast<int>(level - 1)) % 2);
                }
            }
        }
        current_ = (current_ + static_cast<int>(levels)) % 2;
        steps -= levels;
    }
}

template <class T>
void ExcitationBand<T>::copy_from(const ExcitationState& state) {
    current_ = 0;
    for (Index row = stored_first_; row < stored_end_; ++row) {
        T* const e = excitation(0, row) + margin<T>;
        T* const r = recovery(row) + margin<T>;
        for (Index column = 0; column < size_; ++column) {
            e[column] = static_cast<T>(state.excitation[row * size_ + column]);
            r[column] = static_cast<T>(state.recovery[row * size_ + column]);
        }
        mirror_ends(e);
    }
}

template <class T>
void ExcitationBand<T>::copy_own_to(ExcitationState& state) const {
    for (Index row = first_row_; row < first_row_ + row_count_; ++row) {
        std::copy_n(excitation(current_, row) + margin<T>, size_, state.excitation.begin() + row * size_);
        std::copy_n(recovery(row) + margin<T>, size_, state.recovery.begin() + row * size_);
    }
}

template class ExcitationBand<float>;
template class ExcitationBand<double>;

}  // namespace recon
