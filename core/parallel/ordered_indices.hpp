#pragma once

#include <algorithm>
#include <vector>

#include "core/base/host_pages.hpp"
#include "core/base/types.hpp"

namespace recon {

/// Those i from 0 to count - 1 for which `is_wanted(i)`, in ascending order, found by all threads. For few among many.
template <class IsWanted>
std::vector<Index> ordered_indices(Index count, IsWanted&& is_wanted) {
    constexpr Index piece_length = 1 << 16;
    std::vector<std::vector<Index>> pieces(static_cast<std::size_t>((count + piece_length - 1) / piece_length));
#pragma omp parallel for schedule(static)
    for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
        const Index first = static_cast<Index>(piece) * piece_length;
        for (Index i = first; i < std::min(first + piece_length, count); ++i) {
            if (is_wanted(i)) {
                pieces[piece].push_back(i);
            }
        }
    }
    std::vector<std::size_t> ends;
    for (const std::vector<Index>& piece : pieces) {
        ends.push_back((ends.empty() ? 0 : ends.back()) + piece.size());
    }
    auto found = unwritten_vector<Index>(ends.empty() ? 0 : ends.back());
#pragma omp parallel for schedule(static)
    for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
        std::ranges::copy(pieces[piece],
                          found.begin() + static_cast<std::ptrdiff_t>(ends[piece] - pieces[piece].size()));
    }
    return found;
}

}  // namespace recon
