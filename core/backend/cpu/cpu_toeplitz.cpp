#include <omp.h>

#include <algorithm>
#include <memory>
#include <mutex>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/backend/cpu/fft/batched_fft.hpp"
#include "core/backend/cpu/fft/lane_rows.hpp"
#include "core/backend/cpu/fft/toeplitz_embedding.hpp"
#include "core/base/cpu_memory.hpp"
#include "core/base/error.hpp"
#include "core/base/threads/worthwhile_threads.hpp"

namespace recon {
namespace {

/// Memory that one apply works in, and what it was divided for. All plans share it, one at a time: the segments of
/// off-resonance find it in the cache, and need it but once.
template <class T>
struct WorkSpace {
    std::mutex mutex;
    CpuBuffer<ComplexLanes<T>> middle;
    CpuBuffer<ComplexLanes<T>> planes;
    CpuBuffer<ComplexLanes<T>> buffers;

    /// That of the plans that live now.
    static std::shared_ptr<WorkSpace> common() {
        static std::mutex guard;
        static std::weak_ptr<WorkSpace> current;
        const std::lock_guard lock(guard);
        std::shared_ptr<WorkSpace> space = current.lock();
        if (!space) {
            space = std::make_shared<WorkSpace>();
            current = space;
        }
        return space;
    }
};

/// Three passes over memory, none of which touches a known zero (docs/toeplitz.md):
///
///     rows      read the image, multiply by D and S_c, transform the rows                          -> middle
///     columns   for each block of `lane_count` neighbouring row frequencies: transform the planes into a scratch that
///               stays in the cache; transform columns, multiply by the spectrum, transform back; planes back -> middle
///     rows      transform back, multiply by conj(S_c) and conj(D), add to the result
template <class T>
class CpuToeplitz final : public ToeplitzPlan {
public:
    /// @param spectrum  of the embedding
    CpuToeplitz(const Shape& image_shape, const ToeplitzEmbedding& embedding, CpuBuffer<Lanes<T>> spectrum,
                const std::optional<Array>& modulation)
        : ToeplitzPlan(image_shape, precision_of<T>),
          embedding_(embedding),
          modulation_(modulation ? lanes_of(modulation->view().data<T>()) : CpuBuffer<Complex>()),
          row_fft_(embedding_.length[0]),
          plane_fft_(embedding_.length[1]),
          column_fft_(embedding_.length[2]),
          spectrum_(std::move(spectrum)),
          scratch_(embedding_, 1, 1, cpu_memory().piece_bytes()) {}

private:
    static constexpr int width = lane_count<T>;
    using Complex = ComplexLanes<T>;

    struct Job {
        const std::complex<T>* image;
        const std::complex<T>* coil_maps;  ///< null: one coil of sensitivity 1
        std::complex<T>* result;
        Index first_coil;
        Index coil_count;
        bool adds;  ///< to what is in `result`

        const std::complex<T>* map(Index coil, Index image_size) const {
            return coil_maps ? coil_maps + (first_coil + coil) * image_size : nullptr;
        }
    };

    void do_apply(ConstArrayView image, const std::optional<ConstArrayView>& coil_maps, ArrayView result,
                  Accumulate accumulate) const override {
        const Index coil_count = coil_maps ? coil_maps->shape().extent(3) : 1;
        const std::lock_guard lock(work_->mutex);
        reserve_scratch(coil_count);
        for (Index first = 0; first < coil_count; first += scratch_.coils_at_once) {
            const Job job{image.data<T>(),
                          coil_maps ? coil_maps->data<T>() : nullptr,
                          result.data<T>(),
                          first,
                          std::min(scratch_.coils_at_once, coil_count - first),
                          accumulate == Accumulate::yes || first > 0};
            const int threads = threads_for(job.coil_count);
#pragma omp parallel num_threads(threads) if (threads > 1)
            {
                rows_forward(job);
                if (embedding_.length[1] > 1) {
                    planes_and_columns(job.coil_count);
                } else {
                    columns(job.coil_count);
                }
                rows_inverse(job);
            }
        }
    }

    /// D of the image as the pencils of rows have it, [group of rows][x], lanes for the rows of a group.
    CpuBuffer<Complex> lanes_of(const std::complex<T>* modulation) const {
        const Index n = embedding_.image[0];
        const Index groups = (row_count() + width - 1) / width;
        CpuBuffer<Complex> lanes(groups * n);
        std::fill_n(lanes.data(), lanes.size(), Complex{});
        for (Index row = 0; row < row_count(); ++row) {
            for (Index x = 0; x < n; ++x) {
                Complex& to = lanes.data()[row / width * n + x];
                to.re[row % width] = modulation[row * n + x].real();
                to.im[row % width] = modulation[row * n + x].imag();
            }
        }
        return lanes;
    }
    /// Of the group whose first row that is; null for 1
    const Complex* modulation_of(Index first_row) const {
        return modulation_.size() > 0 ? modulation_.data() + first_row / width * embedding_.image[0] : nullptr;
    }

    Index row_count() const { return embedding_.image[1] * embedding_.image[2]; }

    int threads_for(Index coil_count) const {
        constexpr double point_ns = 2;
        return worthwhile_threads(point_ns * static_cast<double>(coil_count * embedding_.spectrum_size()));
    }

    void reserve_scratch(Index coil_count) const {
        const Index thread_count = omp_get_max_threads();
        scratch_ = ToeplitzScratch(embedding_, coil_count, thread_count, cpu_memory().piece_bytes());
        work_->middle.require(scratch_.middle_size);
        work_->planes.require(scratch_.planes_count * scratch_.planes_size);
        work_->buffers.require(thread_count * scratch_.buffer_size);
    }
    Complex* buffer() const { return work_->buffers.data() + omp_get_thread_num() * scratch_.buffer_size; }
    Complex* middle(Index coil, Index block) const {
        return work_->middle.data() + (coil * embedding_.block_count + block) * row_count();
    }

    void rows_forward(const Job& job) const {
        const Index n = embedding_.image[0];
        const Index groups = (row_count() + width - 1) / width;
#pragma omp for schedule(dynamic, 4) nowait
        for (Index task = 0; task < job.coil_count * groups; ++task) {
            const Index coil = task / groups;
            const Index first = task % groups * width;
            const std::complex<T>* map = job.map(coil, embedding_.image_size());
            const Complex* modulation = modulation_of(first);
            Complex* pencils = buffer();
            rows_to_lanes<T>(
                std::min<Index>(width, row_count() - first), n,
                [&](Index r, Index x) {
                    const Index voxel = (first + r) * n + x;
                    const Complex value = load(job.image + voxel, embedding_.image_size() - voxel);
                    return map ? value * load(map + voxel, embedding_.image_size() - voxel) : value;
                },
                [&](Index x, Complex value) { pencils[x] = modulation ? value * modulation[x] : value; });
            std::fill(pencils + n, pencils + embedding_.length[0], Complex{});
            row_fft_.forward_in_place(pencils, row_fft_.part_for(n));
            lanes_to_rows<T>(
                std::min<Index>(width, row_count() - first), embedding_.length[0], [&](Index p) { return pencils[p]; },
                [&](Index r, Index p, Complex value) { stream(value, middle(coil, p / width) + first + r); });
        }
        finish_streams();
#pragma omp barrier
    }

    void rows_inverse(const Job& job) const {
        const Index n = embedding_.image[0];
#pragma omp for schedule(dynamic, 4)
        for (Index first = 0; first < row_count(); first += width) {
            const Complex* modulation = modulation_of(first);
            for (Index coil = 0; coil < job.coil_count; ++coil) {
                const std::complex<T>* map = job.map(coil, embedding_.image_size());
                Complex* pencils = buffer();
                rows_to_lanes<T>(
                    std::min<Index>(width, row_count() - first), embedding_.length[0],
                    [&](Index r, Index p) {
                        const Complex* at = middle(coil, p / width) + first + r;
                        __builtin_prefetch(&at[width].re);
                        __builtin_prefetch(&at[width].im);
                        return *at;
                    },
                    [&](Index p, Complex value) { pencils[p] = value; });
                row_fft_.inverse_in_place(pencils, row_fft_.part_for(n));
                lanes_to_rows<T>(
                    std::min<Index>(width, row_count() - first), n,
                    [&](Index x) { return modulation ? pencils[x] * conjugate(modulation[x]) : pencils[x]; },
                    [&](Index r, Index x, Complex value) {
                        const Index voxel = (first + r) * n + x;
                        if (map) {
                            value = value * conjugate(load(map + voxel, embedding_.image_size() - voxel));
                        }
                        if (job.adds || coil > 0) {
                            value = load(job.result + voxel, n - x) + value;  // of the next row another thread writes
                        }
                        store(value, job.result + voxel, n - x);
                    });
            }
        }
    }

    /// Two axes: the columns lie one after the other in `middle`.
    void columns(Index coil_count) const {
#pragma omp for collapse(2) schedule(dynamic, 1)
        for (Index block = 0; block < embedding_.block_count; ++block) {
            for (Index coil = 0; coil < coil_count; ++coil) {
                convolve_column(middle(coil, block), 1, spectrum_.data() + block * embedding_.length[2]);
            }
        }
    }

    /// Three axes: each thread has blocks of its own, or, if that would take too much memory, all share one block.
    void planes_and_columns(Index coil_count) const {
        if (scratch_.threads_share_block) {
            for (Index block = 0; block < embedding_.block_count; ++block) {
                for (Index coil = 0; coil < coil_count; ++coil) {
                    convolve_block(block, coil, work_->planes.data(), [](Index count, const auto& function) {
                    // static: a thread that finishes a plane also begins the same plane of the next block
#pragma omp for schedule(static)
                        for (Index i = 0; i < count; ++i) {
                            function(i);
                        }
                    });
                }
            }
            return;
        }
#pragma omp for collapse(2) schedule(dynamic, 1)
        for (Index block = 0; block < embedding_.block_count; ++block) {
            for (Index coil = 0; coil < coil_count; ++coil) {
                Complex* planes = work_->planes.data() + omp_get_thread_num() * scratch_.planes_size;
                convolve_block(block, coil, planes, [](Index count, const auto& function) {
                    for (Index i = 0; i < count; ++i) {
                        function(i);
                    }
                });
            }
        }
    }

    template <class Loop>
    void convolve_block(Index block, Index coil, Complex* planes, const Loop& for_each) const {
        const Lanes<T>* spectrum = spectrum_.data() + block * embedding_.length[1] * embedding_.length[2];
        Complex* rows = middle(coil, block);
        for_each(embedding_.image[2],
                 [&](Index z) { plane_forward(rows + z * embedding_.image[1], planes + z * scratch_.plane_stride); });
        for_each(embedding_.length[1], [&](Index position) {
            convolve_column(planes + position, scratch_.plane_stride, spectrum + position * embedding_.length[2]);
        });
        for_each(embedding_.image[2],
                 [&](Index z) { plane_inverse(planes + z * scratch_.plane_stride, rows + z * embedding_.image[1]); });
    }

    void plane_forward(const Complex* from, Complex* plane) const {
        const Index n = embedding_.image[1];
        plane_fft_.forward(
            buffer(), plane_fft_.part_for(n), [&](Index i) { return i < n ? from[i] : Complex{}; },
            [&](Index p, Complex value) { plane[p] = value; });
    }

    void plane_inverse(const Complex* plane, Complex* to) const {
        const Index n = embedding_.image[1];
        plane_fft_.inverse(
            buffer(), plane_fft_.part_for(n), [&](Index p) { return plane[p]; },
            [&](Index i, Complex value) {
                if (i < n) {
                    to[i] = value;
                }
            });
    }

    void convolve_column(Complex* column, Index stride, const Lanes<T>* spectrum) const {
        const Index n = embedding_.image[2];
        column_fft_.convolve(
            buffer(), column_fft_.part_for(n),
            [&](Index i) {
                __builtin_prefetch(spectrum + 2 * i);
                __builtin_prefetch(spectrum + 2 * i + 1);
                return i < n ? column[i * stride] : Complex{};
            },
            spectrum,
            [&](Index i, Complex value) {
                if (i < n) {
                    column[i * stride] = value;
                }
            });
    }

    ToeplitzEmbedding embedding_;
    CpuBuffer<Complex> modulation_;  ///< empty for 1
    BatchedFft<T> row_fft_;
    BatchedFft<T> plane_fft_;
    BatchedFft<T> column_fft_;
    CpuBuffer<Lanes<T>> spectrum_;
    std::shared_ptr<WorkSpace<T>> work_ = WorkSpace<T>::common();
    mutable ToeplitzScratch scratch_;  ///< of the apply that has the work space
};

/// @param fill  writes the spectrum of the embedding
template <class Fill>
std::unique_ptr<ToeplitzPlan> make_plan(const Shape& image_shape, const ToeplitzEmbedding& embedding,
                                        Precision precision, const std::optional<Array>& modulation, const Fill& fill) {
    return with_precision(precision, [&](auto tag) -> std::unique_ptr<ToeplitzPlan> {
        using T = decltype(tag);
        CpuBuffer<Lanes<T>> spectrum(embedding.spectrum_size() / embedding.lanes);
        fill(reinterpret_cast<T*>(spectrum.data()));
        return std::make_unique<CpuToeplitz<T>>(image_shape, embedding, std::move(spectrum), modulation);
    });
}

}  // namespace

std::unique_ptr<ToeplitzPlan> make_cpu_toeplitz(const Shape& image_shape, ConstArrayView q, Precision precision,
                                                std::optional<Array> modulation) {
    ToeplitzPlan::require_parts(image_shape, q, precision, modulation);
    const ToeplitzEmbedding embedding(image_shape, precision);
    return make_plan(image_shape, embedding, precision, modulation,
                     [&](auto* spectrum) { make_toeplitz_spectrum(embedding, q, spectrum); });
}

std::unique_ptr<ToeplitzPlan> make_cpu_circulant(const Shape& image_shape, ConstArrayView factors,
                                                 Precision precision) {
    ToeplitzPlan::require_factors(image_shape, factors);
    const ToeplitzEmbedding embedding(image_shape, factors.shape().matrix_size(), precision);
    return make_plan(image_shape, embedding, precision, std::nullopt,
                     [&](auto* spectrum) { make_circulant_spectrum(embedding, factors, spectrum); });
}

}  // namespace recon
