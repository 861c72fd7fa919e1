#pragma once

#include <algorithm>
#include <span>

#include "core/backend/array.hpp"

namespace recon {

/// visit(i, number i) of all numbers, by all threads, some at a time: the first use of memory for all of them would
/// cost more than they do.
template <class Visit>
void download_by_pieces(ConstArrayView array, Visit&& visit) {
    constexpr Index at_once = Index{1} << 20;
    const ConstArrayView flat = array.reshaped({{"element", array.size()}});
    const Index listed = listed_size(array);
    auto room = unwritten_vector<cfloat>(static_cast<std::size_t>(std::min(at_once, listed)));
    for (Index first = 0; first < listed; first += at_once) {
        const std::span piece = std::span(room).first(static_cast<std::size_t>(std::min(at_once, listed - first)));
        download(listed == flat.size() ? flat.slices(first, std::ssize(piece)) : flat, piece);
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < piece.size(); ++i) {
            visit(static_cast<std::size_t>(first) + i, piece[i]);
        }
    }
}

}  // namespace recon
