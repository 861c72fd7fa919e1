#pragma once

#include <algorithm>

#include "core/backend/cpu/simd/lanes.hpp"

namespace recon {

/// Turns rows of memory into lanes: emit(x, value) gets, for every column x, the numbers of all rows at x, row r in
/// lane r. piece(r, x) returns the `lane_count` numbers of row r from column x on; rows that do not exist are zero.
template <class T, class Piece, class Emit>
void rows_to_lanes(Index row_count, Index column_count, const Piece& piece, const Emit& emit) {
    constexpr int width = lane_count<T>;
    for (Index x = 0; x < column_count; x += width) {
        Lanes<T> re[width], im[width];
        for (int r = 0; r < width; ++r) {
            const ComplexLanes<T> value = r < row_count ? piece(r, x) : ComplexLanes<T>{};
            re[r] = value.re;
            im[r] = value.im;
        }
        transpose<T>(re);
        transpose<T>(im);
        const int count = static_cast<int>(std::min<Index>(width, column_count - x));
        for (int l = 0; l < count; ++l) {
            emit(x + l, ComplexLanes<T>{re[l], im[l]});
        }
    }
}

/// The way back: fetch(x) returns the numbers of all rows at column x; piece(r, x, value) gets `lane_count` numbers of
/// row r from column x on, zero where there is no such column. Called for the `row_count` rows that exist.
template <class T, class Fetch, class Piece>
void lanes_to_rows(Index row_count, Index column_count, const Fetch& fetch, const Piece& piece) {
    constexpr int width = lane_count<T>;
    for (Index x = 0; x < column_count; x += width) {
        Lanes<T> re[width], im[width];
        const int count = static_cast<int>(std::min<Index>(width, column_count - x));
        for (int l = 0; l < width; ++l) {
            const ComplexLanes<T> value = l < count ? fetch(x + l) : ComplexLanes<T>{};
            re[l] = value.re;
            im[l] = value.im;
        }
        transpose<T>(re);
        transpose<T>(im);
        const int rows = static_cast<int>(std::min<Index>(width, row_count));
        for (int r = 0; r < rows; ++r) {
            piece(r, x, ComplexLanes<T>{re[r], im[r]});
        }
    }
}

}  // namespace recon
