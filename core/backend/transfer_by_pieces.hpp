#pragma once

#include <algorithm>
#include <complex>
#include <span>

#include "core/backend/array.hpp"

namespace recon {

/// transfer(first, part, room) for parts of an array's numbers in turn, and room for as many on the host: the first use
/// of memory for all of them would cost more than they do.
template <class T, class View, class Transfer>
void transfer_by_pieces(View array, Transfer&& transfer) {
    constexpr Index at_once = Index{1} << 20;
    const View flat = array.reshaped({{"element", array.size()}});
    const Index listed = listed_size(array);
    auto room = unwritten_vector<std::complex<T>>(static_cast<std::size_t>(std::min(at_once, listed)));
    for (Index first = 0; first < listed; first += at_once) {
        const Index count = std::min(at_once, listed - first);
        transfer(static_cast<std::size_t>(first), listed == flat.size() ? flat.slices(first, count) : flat,
                 std::span(room).first(static_cast<std::size_t>(count)));
    }
}

/// The numbers element(i), made by all threads.
template <class Element>
void upload_by_pieces(ArrayView array, Element&& element) {
    with_precision(array.precision(), [&](auto tag) {
        using T = decltype(tag);
        transfer_by_pieces<T>(array, [&](std::size_t first, ArrayView part, std::span<std::complex<T>> piece) {
#pragma omp parallel for schedule(static)
            for (std::size_t i = 0; i < piece.size(); ++i) {
                piece[i] = static_cast<std::complex<T>>(element(first + i));
            }
            upload(std::span<const std::complex<T>>(piece), part);
        });
    });
}

/// visit(i, number i) of all numbers, by all threads.
template <class Visit>
void download_by_pieces(ConstArrayView array, Visit&& visit) {
    transfer_by_pieces<float>(array, [&](std::size_t first, ConstArrayView part, std::span<cfloat> piece) {
        download(part, piece);
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < piece.size(); ++i) {
            visit(first + i, piece[i]);
        }
    });
}

}  // namespace recon
