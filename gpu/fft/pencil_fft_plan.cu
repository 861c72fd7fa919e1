#include "gpu/fft/pencil_fft_plan.cuh"

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"

namespace recon {
namespace {

constexpr int known_radices[] = {16, 10, 9, 8, 6, 5, 4, 3, 2};

/// Extends `chosen` to a factorisation of `rest`, and keeps the best: fewest passes, then smallest largest radix.
void search(Index rest, int largest, std::vector<int>& chosen, std::vector<int>& best) {
    if (rest == 1) {
        if (best.empty() || chosen.size() < best.size() ||
            (chosen.size() == best.size() && chosen.front() < best.front())) {
            best = chosen;
        }
        return;
    }
    for (const int radix : known_radices) {
        if (radix <= largest && rest % radix == 0 && (best.empty() || chosen.size() < best.size())) {
            chosen.push_back(radix);
            search(rest / radix, radix, chosen, best);
            chosen.pop_back();
        }
    }
}

FastDivision division_by(int divisor) {
    return {static_cast<std::uint32_t>(divisor), ((std::uint64_t{1} << 32) + divisor - 1) / divisor};
}

/// exp(-i 2 pi m / n)
template <class T>
DeviceComplex<T> root_of_unity(Index m, Index n) {
    const double angle = -2 * pi * static_cast<double>(m % n) / static_cast<double>(n);
    return {static_cast<T>(std::cos(angle)), static_cast<T>(std::sin(angle))};
}

}  // namespace

std::vector<int> pencil_radices(Index length, int largest_radix) {
    if (length == 1) {
        return {1};
    }
    Index rest = length;
    for (const Index prime : {2, 3, 5}) {
        while (rest % prime == 0) {
            rest /= prime;
        }
    }
    if (length < 1 || rest > 1) {
        return {};
    }
    std::vector<int> chosen;
    std::vector<int> best;
    search(length, largest_radix, chosen, best);
    std::stable_partition(best.begin(), best.end(), [](int radix) { return radix % 2 == 0; });
    return best;
}

template <class T>
PencilFft<T>::PencilFft(CudaQueue& queue, Index length, Index image_count, Index first_index)
    : image_count_(static_cast<int>(image_count)), first_index_(static_cast<int>(first_index)) {
    const std::vector<int> radices = pencil_radices(length, butterfly::largest_radix<T>);
    if (radices.empty() || radices.size() > PencilFftView<T>::max_pass_count) {
        throw ShapeError("FFT of length " + std::to_string(length) + " on the GPU: expected 2^a 3^b 5^c");
    }
    view_.length = static_cast<int>(length);
    view_.pass_count = static_cast<int>(radices.size());
    view_.part = radices[0] % 2 == 0 && first_index == 0 && 2 * image_count <= length ? butterfly::Part::lower_half
                                                                                      : butterfly::Part::all;
    std::vector<DeviceComplex<T>> twiddles;
    Index stride = length;
    for (int i = 0; i < view_.pass_count; ++i) {
        const Index block = stride;
        stride /= radices[i];
        view_.passes[i] = {radices[i], static_cast<int>(stride), static_cast<int>(twiddles.size()),
                           division_by(static_cast<int>(stride))};
        for (Index j = 1; j < radices[i]; ++j) {
            for (Index k = 0; k < stride; ++k) {
                twiddles.push_back(root_of_unity<T>(j * k, block));
            }
        }
        thread_count_ = std::max(thread_count_, static_cast<int>(length / radices[i]));
    }
    // An odd distance spreads the blocks over the banks of shared memory.
    view_.pitch = view_.passes[0].stride | 1;
    view_.by_first_stride = division_by(view_.passes[0].stride);

    // Block (j0, j1, ..) of the last pass holds the frequencies j0 + r0 j1 + r0 r1 j2 + .. + j count.
    std::vector<int> address(static_cast<std::size_t>(length / view_.last_pass().radix));
    for (Index lowest = 0; lowest < static_cast<Index>(address.size()); ++lowest) {
        Index digits = lowest;
        Index position = 0;
        for (int i = 0; i < view_.pass_count - 1; ++i) {
            position += digits % radices[i] * (i == 0 ? view_.pitch : view_.passes[i].stride);
            digits /= radices[i];
        }
        address[lowest] = static_cast<int>(position);
    }
    twiddles_ = DeviceBuffer<DeviceComplex<T>>(queue, std::span<const DeviceComplex<T>>(twiddles));
    last_block_address_ = DeviceBuffer<int>(queue, std::span<const int>(address));
    view_.twiddles = twiddles_.data();
    view_.last_block_address = last_block_address_.data();
}

template class PencilFft<float>;
template class PencilFft<double>;

}  // namespace recon
