#include <omp.h>

#include <algorithm>
#include <mutex>

#include "core/cpu/batched_fft.hpp"
#include "core/cpu/cpu_backend.hpp"
#include "core/cpu/cpu_memory.hpp"
#include "core/cpu/lane_rows.hpp"
#include "core/cpu/toeplitz_embedding.hpp"
#include "core/error.hpp"

namespace recon {
namespace {

/// Coils go through the passes together as long as their intermediate numbers stay below this.
constexpr Index batch_bytes = Index{64} << 20;
/// Threads have planes of their own as long as all of them together stay below this.
constexpr Index own_planes_bytes = Index{256} << 20;

/// Three passes over memory, none of which touches a known zero (docs/toeplitz.md):
///
///     rows      read the image, multiply by S_c, transform the rows                                -> middle
///     columns   for each block of `lane_count` neighbouring row frequencies: transform the planes into a scratch that
///               stays in the cache; transform columns, multiply by the spectrum, transform back; planes back -> middle
///     rows      transform back, multiply by conj(S_c), add to the result
template <class T>
class CpuToeplitz final : public ToeplitzPlan {
public:
    CpuToeplitz(const Shape& image_shape, ConstArrayView q)
        : image_shape_(image_shape),
          embedding_(image_shape, precision_of<T>),
          row_fft_(embedding_.length[0]),
          plane_fft_(embedding_.length[1]),
          column_fft_(embedding_.length[2]),
          spectrum_(embedding_.spectrum_size() / width) {
        make_toeplitz_spectrum(embedding_, q, reinterpret_cast<T*>(spectrum_.data()));
    }

    void apply(ConstArrayView image, const std::optional<ConstArrayView>& coil_maps, ArrayView result) const override {
        require_matching(image, coil_maps, result);
        const Index coil_count = coil_maps ? coil_maps->shape().extent(3) : 1;
        const std::lock_guard lock(scratch_mutex_);
        const Index middle = embedding_.middle_size() / width;
        const Index batch =
            std::clamp<Index>(batch_bytes / (middle * static_cast<Index>(sizeof(Complex))), 1, coil_count);
        reserve_scratch(batch * middle);
        for (Index first = 0; first < coil_count; first += batch) {
            const Job job{image.data<T>(), coil_maps ? coil_maps->data<T>() : nullptr, result.data<T>(), first,
                          std::min(batch, coil_count - first)};
#pragma omp parallel
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

private:
    static constexpr int width = lane_count<T>;
    using Complex = ComplexLanes<T>;

    struct Job {
        const std::complex<T>* image;
        const std::complex<T>* coil_maps;  ///< null: one coil of sensitivity 1
        std::complex<T>* result;
        Index first_coil;
        Index coil_count;

        const std::complex<T>* map(Index coil, Index image_size) const {
            return coil_maps ? coil_maps + (first_coil + coil) * image_size : nullptr;
        }
    };

    void require_matching(ConstArrayView image, const std::optional<ConstArrayView>& coil_maps,
                          ConstArrayView result) const {
        if (!(image.shape() == image_shape_) || !(result.shape() == image_shape_)) {
            throw ShapeError("Toeplitz: image is " + image.shape().text() + " and result is " + result.shape().text() +
                             ", expected " + image_shape_.text());
        }
        if (coil_maps &&
            (coil_maps->shape().rank() != 4 || !(coil_maps->shape().without_last_axis() == image_shape_))) {
            throw ShapeError("Toeplitz: coil maps are " + coil_maps->shape().text() + ", expected " +
                             image_shape_.text() + " and a coil axis");
        }
        if (image.address() == result.address()) {
            throw ShapeError("Toeplitz: image and result are the same array");
        }
    }

    Index row_count() const { return embedding_.image[1] * embedding_.image[2]; }
    /// Scratch rows of a plane are one vector longer than needed: at a power of two, columns would share cache sets.
    Index plane_stride() const { return embedding_.length[1] + 1; }

    Index planes_size() const { return embedding_.image[2] * plane_stride(); }

    void reserve_scratch(Index middle) const {
        middle_.require(middle);
        if (embedding_.length[1] > 1) {
            const Index threads = omp_get_max_threads();
            team_shares_block_ = threads * planes_size() * static_cast<Index>(sizeof(Complex)) > own_planes_bytes;
            planes_.require((team_shares_block_ ? 1 : threads) * planes_size());
        }
        buffer_stride_ = std::max({embedding_.length[0], embedding_.length[1], embedding_.length[2]}) + 1;
        buffers_.require(buffer_stride_ * omp_get_max_threads());
    }
    Complex* buffer() const { return buffers_.data() + buffer_stride_ * omp_get_thread_num(); }
    Complex* middle(Index coil, Index block) const {
        return middle_.data() + (coil * embedding_.block_count + block) * row_count();
    }

    void rows_forward(const Job& job) const {
        const Index n = embedding_.image[0];
        const Index groups = (row_count() + width - 1) / width;
#pragma omp for schedule(dynamic, 4)
        for (Index task = 0; task < job.coil_count * groups; ++task) {
            const Index coil = task / groups;
            const Index first = task % groups * width;
            const std::complex<T>* map = job.map(coil, embedding_.image_size());
            Complex* pencils = buffer();
            rows_to_lanes<T>(
                std::min<Index>(width, row_count() - first), n,
                [&](Index r, Index x) {
                    const Index voxel = (first + r) * n + x;
                    const Complex value = load(job.image + voxel, n - x);
                    return map ? value * load(map + voxel, n - x) : value;
                },
                [&](Index x, Complex value) { pencils[x] = value; });
            row_fft_.forward(
                pencils, row_fft_.part_for(n), [&](Index i) { return i < n ? pencils[i] : Complex{}; },
                [&](Index p, Complex value) { pencils[p] = value; });
            lanes_to_rows<T>(
                std::min<Index>(width, row_count() - first), embedding_.length[0], [&](Index p) { return pencils[p]; },
                [&](Index r, Index p, Complex value) { middle(coil, p / width)[first + r] = value; });
        }
    }

    void rows_inverse(const Job& job) const {
        const Index n = embedding_.image[0];
#pragma omp for schedule(dynamic, 4)
        for (Index first = 0; first < row_count(); first += width) {
            for (Index coil = 0; coil < job.coil_count; ++coil) {
                const std::complex<T>* map = job.map(coil, embedding_.image_size());
                Complex* pencils = buffer();
                rows_to_lanes<T>(
                    std::min<Index>(width, row_count() - first), embedding_.length[0],
                    [&](Index r, Index p) { return middle(coil, p / width)[first + r]; },
                    [&](Index p, Complex value) { pencils[p] = value; });
                row_fft_.inverse(
                    pencils, row_fft_.part_for(n), [&](Index p) { return pencils[p]; },
                    [&](Index i, Complex value) { pencils[i] = value; });
                lanes_to_rows<T>(
                    std::min<Index>(width, row_count() - first), n, [&](Index x) { return pencils[x]; },
                    [&](Index r, Index x, Complex value) {
                        const Index voxel = (first + r) * n + x;
                        if (map) {
                            value = value * conjugate(load(map + voxel, n - x));
                        }
                        if (job.first_coil + coil > 0) {
                            value = load(job.result + voxel, n - x) + value;
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
        if (team_shares_block_) {
            for (Index block = 0; block < embedding_.block_count; ++block) {
                for (Index coil = 0; coil < coil_count; ++coil) {
                    convolve_block(block, coil, planes_.data(), [](Index count, const auto& function) {
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
                Complex* planes = planes_.data() + omp_get_thread_num() * planes_size();
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
                 [&](Index z) { plane_forward(rows + z * embedding_.image[1], planes + z * plane_stride()); });
        for_each(embedding_.length[1], [&](Index position) {
            convolve_column(planes + position, plane_stride(), spectrum + position * embedding_.length[2]);
        });
        for_each(embedding_.image[2],
                 [&](Index z) { plane_inverse(planes + z * plane_stride(), rows + z * embedding_.image[1]); });
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
            buffer(), column_fft_.part_for(n), [&](Index i) { return i < n ? column[i * stride] : Complex{}; },
            spectrum,
            [&](Index i, Complex value) {
                if (i < n) {
                    column[i * stride] = value;
                }
            });
    }

    Shape image_shape_;
    ToeplitzEmbedding embedding_;
    BatchedFft<T> row_fft_;
    BatchedFft<T> plane_fft_;
    BatchedFft<T> column_fft_;
    CpuBuffer<Lanes<T>> spectrum_;
    mutable std::mutex scratch_mutex_;  ///< one apply at a time uses the scratch
    mutable CpuBuffer<Complex> middle_;
    mutable CpuBuffer<Complex> planes_;
    mutable CpuBuffer<Complex> buffers_;
    mutable Index buffer_stride_ = 0;
    mutable bool team_shares_block_ = false;
};

}  // namespace

std::unique_ptr<ToeplitzPlan> make_cpu_toeplitz(const Shape& image_shape, ConstArrayView q, Precision precision) {
    const Shape differences = VoxelGrid::differences(image_shape.matrix_size()).shape;
    if (image_shape.rank() > 3 || !(q.shape() == differences)) {
        throw ShapeError("Toeplitz: Q is " + q.shape().text() + " for an image " + image_shape.text() + ", expected " +
                         differences.text());
    }
    return with_precision(precision, [&](auto tag) -> std::unique_ptr<ToeplitzPlan> {
        return std::make_unique<CpuToeplitz<decltype(tag)>>(image_shape, q);
    });
}

}  // namespace recon
