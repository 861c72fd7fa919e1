#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// The sum of term(i) for i from 0 to count - 1, by all threads, in an order that does not depend on how many.
template <class Term>
double ordered_sum(Index count, Term&& term) {
    constexpr Index piece_length = 1 << 12;
    std::vector<double> pieces(static_cast<std::size_t>((count + piece_length - 1) / piece_length));
#pragma omp parallel for schedule(static)
    for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
        const Index first = static_cast<Index>(piece) * piece_length;
        double sum = 0;
        for (Index i = first; i < std::min(first + piece_length, count); ++i) {
            sum += term(i);
        }
        pieces[piece] = sum;
    }
    return std::accumulate(pieces.begin(), pieces.end(), 0.0);
}

}  // namespace recon
