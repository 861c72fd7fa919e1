#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// Sums over i from 0 to count - 1, by all threads, in an order that does not depend on how many: add(first, end, sums)
/// adds the terms of i from `first` to `end` - 1.
template <std::size_t sum_count, class Add>
std::array<double, sum_count> ordered_sums(Index count, Add&& add) {
    constexpr Index piece_length = 1 << 12;
    std::vector<std::array<double, sum_count>> pieces(
        static_cast<std::size_t>((count + piece_length - 1) / piece_length));
#pragma omp parallel for schedule(static)
    for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
        const Index first = static_cast<Index>(piece) * piece_length;
        std::array<double, sum_count> sums{};
        add(first, std::min(first + piece_length, count), sums);
        pieces[piece] = sums;
    }
    std::array<double, sum_count> result{};
    for (const std::array<double, sum_count>& piece : pieces) {
        for (std::size_t i = 0; i < sum_count; ++i) {
            result[i] += piece[i];
        }
    }
    return result;
}

/// The sum of term(i), likewise.
template <class Term>
double ordered_sum(Index count, Term&& term) {
    return ordered_sums<1>(count, [&term](Index first, Index end, std::array<double, 1>& sums) {
        double sum = 0;
        for (Index i = first; i < end; ++i) {
            sum += term(i);
        }
        sums[0] = sum;
    })[0];
}

}  // namespace recon
