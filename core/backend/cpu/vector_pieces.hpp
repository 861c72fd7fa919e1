#pragma once

#include <algorithm>

#include "core/base/threads/worthwhile_threads.hpp"
#include "core/base/types.hpp"

namespace recon {

/// Length of the pieces that one thread handles at a time; partial sums are added in this order, so a result does not
/// depend on the number of threads.
inline constexpr Index piece_length = 1 << 14;

inline Index piece_count(Index size) { return (size + piece_length - 1) / piece_length; }

/// Calls function(offset, length) for every piece, in parallel where that is worth it.
/// @param vectors  that are read for each element of the result
template <class Function>
void for_each_piece(Index size, Function&& function, Index vectors = 1) {
    constexpr double element_ns = 1;  // 0.6 to 2, from a cache
    const int threads = worthwhile_threads(element_ns * static_cast<double>(size * vectors));
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (Index piece = 0; piece < piece_count(size); ++piece) {
        const Index offset = piece * piece_length;
        function(offset, std::min(piece_length, size - offset));
    }
}

}  // namespace recon
