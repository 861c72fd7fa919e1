#include "core/backend/cpu/fft/toeplitz_embedding.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>

#include "core/backend/cpu/fft/batched_fft.hpp"
#include "core/backend/cpu/fft/lane_rows.hpp"
#include "core/base/cpu_memory.hpp"
#include "core/base/error.hpp"
#include "core/base/threads/worthwhile_threads.hpp"

namespace recon {
namespace {

/// The cheapest length for an axis of n voxels. The other axes' passes and the memory grow with it as well: they weigh
/// as much as about five radix-2 passes.
Index embedding_length(Index n) {
    if (n == 1) {
        return 1;
    }
    constexpr double cost_of_other_axes = 5;
    const Index smallest = 2 * n - 1;
    Index best = 0;
    double best_cost = 0;
    for (Index length = smallest; length <= 2 * smallest; ++length) {
        Index rest = length;
        for (const Index prime : {2, 3, 5}) {
            while (rest % prime == 0) {
                rest /= prime;
            }
        }
        if (rest != 1) {
            continue;
        }
        const double cost = fft_cost(length) + cost_of_other_axes * static_cast<double>(length);
        if (best == 0 || cost < best_cost) {
            best = length;
            best_cost = cost;
        }
    }
    return best;
}

/// S is the precision of Q, T that of the plan.
template <class S, class T>
class SpectrumMaker {
public:
    SpectrumMaker(const ToeplitzEmbedding& embedding, const std::complex<S>* q, T* spectrum)
        : embedding_(embedding),
          q_(q),
          spectrum_(spectrum),
          block_count_((embedding.length[0] + width - 1) / width),
          work_(block_count_ * embedding.image[2] * embedding.length[1]),
          stride_(std::max({embedding.length[0], embedding.length[1], embedding.length[2]}) + 1),
          scratch_(stride_ * omp_get_max_threads()) {}

    /// @return whether every number is finite
    bool run() {
        const BatchedFft<S> row_fft(embedding_.length[0]);
        const BatchedFft<S> plane_fft(embedding_.length[1]);
        const BatchedFft<S> column_fft(embedding_.length[2]);
        const Index rows = difference_count(1) * embedding_.image[2];
        bool finite = true;
#pragma omp parallel
        {
#pragma omp for schedule(dynamic, 4)
            for (Index first = 0; first < rows; first += width) {
                transform_rows(row_fft, first, std::min<Index>(width, rows - first));
            }
#pragma omp for schedule(dynamic, 4)
            for (Index plane = 0; plane < block_count_ * embedding_.image[2]; ++plane) {
                transform_plane(plane_fft, work_.data() + plane * embedding_.length[1]);
            }
#pragma omp for collapse(2) schedule(dynamic, 4) reduction(&& : finite)
            for (Index block = 0; block < block_count_; ++block) {
                for (Index position = 0; position < embedding_.length[1]; ++position) {
                    finite = transform_column(column_fft, block, position) && finite;
                }
            }
        }
        return finite;
    }

private:
    static constexpr int width = lane_count<S>;
    using Complex = ComplexLanes<S>;

    Index difference_count(int axis) const { return 2 * embedding_.image[axis] - 1; }
    Complex* buffer() const { return scratch_.data() + stride_ * omp_get_thread_num(); }

    /// Index into the differences, whose origin is N - 1, of grid index i; -1 if Q does not reach it.
    Index difference_at(int axis, Index i) const {
        const Index n = embedding_.image[axis];
        const Index difference = i < n ? i : i - embedding_.length[axis];
        return difference > -n ? difference + n - 1 : -1;
    }

    /// Rows are numbered over (plane, column) differences, those with a column difference >= 0 only.
    void transform_rows(const BatchedFft<S>& fft, Index first, Index count) {
        const Index row_length = difference_count(0);
        const std::complex<S>* rows = q_ + ((embedding_.image[2] - 1) * difference_count(1) + first) * row_length;
        Complex* pencils = buffer();
        std::fill_n(pencils, embedding_.length[0], Complex{});
        rows_to_lanes<S>(
            count, row_length, [&](Index r, Index x) { return load(rows + r * row_length + x, row_length - x); },
            [&](Index x, Complex value) {
                const Index difference = x - (embedding_.image[0] - 1);
                pencils[difference < 0 ? difference + embedding_.length[0] : difference] = value;
            });
        fft.forward_in_place(pencils, butterfly::Part::all);
        lanes_to_rows<S>(
            count, embedding_.length[0], [&](Index p) { return pencils[p]; },
            [&](Index r, Index p, Complex value) {
                const Index plane = (first + r) % difference_count(1);
                const Index column = (first + r) / difference_count(1);
                work_.data()[(p / width * embedding_.image[2] + column) * embedding_.length[1] + plane] = value;
            });
    }

    void transform_plane(const BatchedFft<S>& fft, Complex* plane) {
        Complex* pencils = buffer();
        for (Index i = 0; i < fft.length(); ++i) {
            const Index difference = difference_at(1, i);
            pencils[i] = difference < 0 ? Complex{} : plane[difference];
        }
        fft.forward_in_place(pencils, butterfly::Part::all);
        std::copy_n(pencils, fft.length(), plane);
    }

    /// After the row and plane transforms the Hermitian symmetry is A(-c) = conj(A(c)) along the column axis.
    bool transform_column(const BatchedFft<S>& fft, Index block, Index position) {
        const Index n = embedding_.image[2], length = embedding_.length[2];
        const Complex* column = work_.data() + block * n * embedding_.length[1] + position;
        const double scale = 1.0 / static_cast<double>(embedding_.length[0] * embedding_.length[1] * length);
        Complex* pencils = buffer();
        for (Index i = 0; i < length; ++i) {
            pencils[i] = i < n            ? column[i * embedding_.length[1]]
                         : i > length - n ? conjugate(column[(length - i) * embedding_.length[1]])
                                          : Complex{};
        }
        fft.forward_in_place(pencils, butterfly::Part::all);
        bool finite = true;
        for (int l = 0; l < std::min<Index>(width, embedding_.block_count * embedding_.lanes - block * width); ++l) {
            const Index row = block * width + l;
            T* to = spectrum_ + (row / embedding_.lanes * embedding_.length[1] + position) * length * embedding_.lanes +
                    row % embedding_.lanes;
            for (Index p = 0; p < length; ++p, to += embedding_.lanes) {
                *to = static_cast<T>(static_cast<double>(pencils[p].re[l]) * scale);
                finite = finite && std::isfinite(*to);
            }
        }
        return finite;
    }

    const ToeplitzEmbedding& embedding_;
    const std::complex<S>* q_;
    T* spectrum_;
    Index block_count_;
    CpuBuffer<Complex> work_;  ///< [block][column difference >= 0][plane difference, then plane position]
    Index stride_;
    CpuBuffer<Complex> scratch_;
};

}  // namespace

ToeplitzEmbedding::ToeplitzEmbedding(const Shape& image_shape, Precision precision)
    : ToeplitzEmbedding(
          image_shape,
          [&] {
              PerAxis<Index> grid = image_shape.matrix_size();
              std::ranges::transform(grid, grid.begin(), embedding_length);
              return grid;
          }(),
          precision) {}

ToeplitzEmbedding::ToeplitzEmbedding(const Shape& image_shape, const PerAxis<Index>& grid_size, Precision precision)
    : image{1, 1, 1}, length{1, 1, 1}, lanes(precision == Precision::single ? lane_count<float> : lane_count<double>) {
    const PerAxis<Index> matrix_size = image_shape.matrix_size();
    std::vector<int> axes;
    for (int axis = 0; axis < 3; ++axis) {
        if (matrix_size[axis] > 1) {
            axes.push_back(axis);
        }
    }
    const auto put = [&](int axis, int place) {
        image[place] = matrix_size[axis];
        length[place] = grid_size[axis];
    };
    if (!axes.empty()) {
        put(axes.back(), 2);
    }
    if (axes.size() > 1) {
        put(axes.front(), 0);
    }
    if (axes.size() > 2) {
        put(axes[1], 1);
    }
    block_count = (length[0] + lanes - 1) / lanes;
}

std::size_t ToeplitzEmbedding::spectrum_work_bytes(Precision q_precision, Index thread_count) const {
    const Index width = q_precision == Precision::single ? lane_count<float> : lane_count<double>;
    const Index blocks = (length[0] + width - 1) / width;
    const Index buffers = (std::max({length[0], length[1], length[2]}) + 1) * thread_count;
    return static_cast<std::size_t>((blocks * image[2] * length[1] + buffers) * width) * complex_bytes(q_precision);
}

ToeplitzScratch::ToeplitzScratch(const ToeplitzEmbedding& embedding, Index coil_count, Index thread_count,
                                 std::size_t piece_bytes) {
    // Coils go through the passes together while their intermediate numbers fit into a last-level cache; threads have
    // a block of their own while all blocks together take no more than a part of a small machine's memory.
    const auto coils_bytes = static_cast<Index>(std::min(std::size_t{16} << 20, piece_bytes));
    const auto own_blocks_bytes = static_cast<Index>(std::min(std::size_t{256} << 20, piece_bytes));
    constexpr Index vector_bytes = 2 * register_bytes;

    const Index middle = embedding.middle_size() / embedding.lanes;
    coils_at_once = std::clamp<Index>(coils_bytes / (middle * vector_bytes), 1, coil_count);
    middle_size = coils_at_once * middle;
    plane_stride = embedding.length[1] + 1;
    planes_size = embedding.length[1] > 1 ? embedding.image[2] * plane_stride : 0;
    threads_share_block = thread_count * planes_size * vector_bytes > own_blocks_bytes;
    planes_count = threads_share_block ? 1 : thread_count;
    buffer_size = std::max({embedding.length[0], embedding.length[1], embedding.length[2]}) + 1;
    total_size = middle_size + planes_count * planes_size + thread_count * buffer_size;
}

template <class T>
void make_toeplitz_spectrum(const ToeplitzEmbedding& embedding, ConstArrayView q, T* spectrum) {
    std::fill_n(spectrum, embedding.spectrum_size(), T{});
    const bool finite = with_precision(q.precision(), [&](auto tag) {
        using S = decltype(tag);
        return SpectrumMaker<S, T>(embedding, q.data<S>(), spectrum).run();
    });
    if (!finite) {
        throw InputError(
            "Toeplitz: the spectrum of Q is not finite; look for NaN, infinite or huge sample weights and k-space "
            "positions");
    }
}

template <class T>
void make_circulant_spectrum(const ToeplitzEmbedding& embedding, ConstArrayView factors, T* spectrum) {
    const auto& [row_length, plane_length, column_length] = embedding.length;
    const BatchedFft<T> row_fft(row_length), plane_fft(plane_length), column_fft(column_length);
    const double scale = 1.0 / static_cast<double>(row_length * plane_length * column_length);
    with_precision(factors.precision(), [&](auto tag) {
        const auto* const from = factors.data<decltype(tag)>();
        const int threads = worthwhile_threads(static_cast<double>(embedding.spectrum_size()));
#pragma omp parallel for collapse(2) schedule(static) num_threads(threads) if (threads > 1)
        for (Index block = 0; block < embedding.block_count; ++block) {
            for (Index position = 0; position < embedding.length[1]; ++position) {
                T* to = spectrum + (block * embedding.length[1] + position) * embedding.length[2] * embedding.lanes;
                for (Index p = 0; p < embedding.length[2]; ++p) {
                    const auto* const row =
                        from + embedding.length[0] * (plane_fft.frequency_at(position) +
                                                      embedding.length[1] * column_fft.frequency_at(p));
                    for (Index at = block * embedding.lanes; at < (block + 1) * embedding.lanes; ++at, ++to) {
                        *to = at < embedding.length[0] ? static_cast<T>(row[row_fft.frequency_at(at)].real() * scale)
                                                       : T{};
                    }
                }
            }
        }
    });
}

template void make_toeplitz_spectrum(const ToeplitzEmbedding&, ConstArrayView, float*);
template void make_toeplitz_spectrum(const ToeplitzEmbedding&, ConstArrayView, double*);
template void make_circulant_spectrum(const ToeplitzEmbedding&, ConstArrayView, float*);
template void make_circulant_spectrum(const ToeplitzEmbedding&, ConstArrayView, double*);

}  // namespace recon
