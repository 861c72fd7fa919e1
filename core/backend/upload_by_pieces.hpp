#pragma once

#include <algorithm>
#include <complex>
#include <span>

#include "core/backend/array.hpp"

namespace recon {

/// The numbers element(i), made by all threads, some at a time: the first use of memory for all of them would cost more
/// than they do.
template <class Element>
void upload_by_pieces(ArrayView array, Element&& element) {
    constexpr Index at_once = Index{1} << 20;
    const ArrayView flat = array.reshaped({{"element", array.size()}});
    const Index listed = listed_size(array);
    with_precision(array.precision(), [&](auto tag) {
        auto room = unwritten_vector<std::complex<decltype(tag)>>(static_cast<std::size_t>(std::min(at_once, listed)));
        for (Index first = 0; first < listed; first += at_once) {
            const std::span piece = std::span(room).first(static_cast<std::size_t>(std::min(at_once, listed - first)));
#pragma omp parallel for schedule(static)
            for (std::size_t i = 0; i < piece.size(); ++i) {
                piece[i] = static_cast<std::complex<decltype(tag)>>(element(static_cast<std::size_t>(first) + i));
            }
            upload(std::span<const std::complex<decltype(tag)>>(piece),
                   listed == flat.size() ? flat.slices(first, std::ssize(piece)) : flat);
        }
    });
}

}  // namespace recon
