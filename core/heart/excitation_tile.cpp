#include "core/heart/excitation_tile.hpp"

#include "core/heart/excitation_row.hpp"
#include "core/heart/tiny_numbers.hpp"

namespace recon {
namespace {

constexpr Index worth_threads = 20'000;  ///< cells whose step takes as long as threads take to begin and to meet

}  // namespace

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
    mirror_ends(cells.first_row, cells.end_row);
}

template <class T>
void ExcitationTile<T>::mirror_ends(Index first_row, Index end_row) {
    for (Index row = first_row; row < end_row; ++row) {
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
    const T* const before = excitation_[current_].data();
    T* const after = excitation_[1 - current_].data();
#pragma omp parallel if (cells.count() > worth_threads)
    {
        const TinyNumbersAreZero on_this_thread;
#pragma omp for schedule(static)
        for (Index row = cells.first_row; row < cells.end_row; ++row) {
            const Index column = cells.first_column;
            step_row(rates_, {before + at(row, column), before + at(row > 0 ? row - 1 : 1, column),
                              before + at(row < size_ - 1 ? row + 1 : size_ - 2, column), after + at(row, column),
                              recovery_.data() + at(row, column), cells.columns()});
        }
    }
}

template <class T>
void ExcitationTile<T>::end_step() {
    current_ = 1 - current_;
    mirror_ends(stored_.first_row, stored_.end_row);
}

template class ExcitationTile<float>;
template class ExcitationTile<double>;

}  // namespace recon
