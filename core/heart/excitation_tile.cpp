#include "core/heart/excitation_tile.hpp"

#include "core/heart/tiny_numbers.hpp"

namespace recon {

template <class T>
ExcitationTile<T>::ExcitationTile(const ExcitationSetup& setup, const CellBlock& own, Index halo)
    : rates_(setup),
      size_(setup.size),
      own_(own),
      stored_(own.wider(halo, setup.size)),
      stride_(stored_.columns() + 2) {
    for (CpuBuffer<T>* const buffer : {&excitation_[0], &excitation_[1], &recovery_}) {
        *buffer = CpuBuffer<T>(stored_.rows() * stride_);
        std::fill_n(buffer->data(), stored_.rows() * stride_, T(0));
    }
}

template <class T>
void ExcitationTile<T>::pack(const CellBlock& cells, std::span<T> values) const {
    T* to = values.data();
    for (const T* const from : {excitation_[current_].data(), recovery_.data()}) {
        for (Index row = cells.first_row; row < cells.end_row; ++row) {
            to = std::copy_n(from + at(row, cells.first_column), cells.columns(), to);
        }
    }
}

template <class T>
void ExcitationTile<T>::unpack(const CellBlock& cells, std::span<const T> values) {
    const T* from = values.data();
    for (T* const to : {excitation_[current_].data(), recovery_.data()}) {
        for (Index row = cells.first_row; row < cells.end_row; ++row) {
            std::copy_n(from, cells.columns(), to + at(row, cells.first_column));
            from += cells.columns();
        }
    }
    for (Index row = cells.first_row; row < cells.end_row; ++row) {  // whichever of them lie at an edge
        T* const e = excitation_[current_].data() + at(row, 0);
        if (stored_.first_column == 0) {
            e[-1] = e[1];
        }
        if (stored_.end_column == size_) {
            e[size_] = e[size_ - 2];
        }
    }
}

template <class T>
void ExcitationTile<T>::step(const CellBlock& cells) {
    const ExcitationRates<T> m = rates_;
    const T* const before = excitation_[current_].data();
    T* const after = excitation_[1 - current_].data();
    const Index count = cells.columns();
#pragma omp parallel if (cells.count() > 20'000)
    {
        const TinyNumbersAreZero on_this_thread;
#pragma omp for schedule(static)
        for (Index row = cells.first_row; row < cells.end_row; ++row) {
            const T* const centre = before + at(row, cells.first_column);
            const T* const north = before + at(row > 0 ? row - 1 : 1, cells.first_column);
            const T* const south = before + at(row < size_ - 1 ? row + 1 : size_ - 2, cells.first_column);
            T* const next = after + at(row, cells.first_column);
            T* const r = recovery_.data() + at(row, cells.first_column);
#pragma omp simd
            for (Index i = 0; i < count; ++i) {
                const T e = diffuse(m, centre[i], centre[i - 1], centre[i + 1], north[i], south[i]);
                next[i] = react(m, m.minus_k_a, e, r[i]);
            }
        }
    }
}

template <class T>
void ExcitationTile<T>::end_step() {
    current_ = 1 - current_;
    for (Index row = stored_.first_row; row < stored_.end_row; ++row) {
        T* const e = excitation_[current_].data() + at(row, 0);
        if (stored_.first_column == 0) {
            e[-1] = e[1];
        }
        if (stored_.end_column == size_) {
            e[size_] = e[size_ - 2];
        }
    }
}

template class ExcitationTile<float>;
template class ExcitationTile<double>;

}  // namespace recon
