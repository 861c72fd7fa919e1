// Mirrors core/backend/cpu/cpu_dominant_eigenvectors.cpp: a thread for each voxel instead of a lane. Matrices and
// vectors lie in memory that stays in the cache, those of neighbouring threads side by side.
#include <algorithm>
#include <utility>
#include <vector>

#include "core/backend/coil_matrices.hpp"
#include "gpu/device/device_complex.cuh"
#include "gpu/device/element_loop.cuh"
#include "gpu/primitives/cuda_image_primitives.cuh"

namespace recon {
namespace {

using Complex = DeviceComplex<float>;

constexpr int threads = 128;
constexpr std::size_t scratch_bytes = std::size_t{96} << 20;  ///< of all threads
constexpr Index most_threads = 1 << 18;                       ///< more than run at once

/// Elements of a thread: the matrix, its vector, their product.
__host__ __device__ Index elements_of_thread(Index coil_count) {
    return coil_count * (coil_count + 1) / 2 + 2 * coil_count;
}

/// A whole number of blocks.
Index thread_count(Index coil_count, Index voxel_count) {
    const auto fitting = static_cast<Index>(scratch_bytes / (elements_of_thread(coil_count) * sizeof(Complex)));
    const Index wanted = std::min({voxel_count + threads - 1, fitting, most_threads});
    return std::max<Index>(wanted / threads, 1) * threads;
}

/// sums [i voxel outer] = sum over terms t of values [i t outer] phases [t voxel], i < count
__global__ void sum_terms_kernel(const Complex* values, Index count, int terms, const Complex* phases,
                                 Index voxel_count, Index outer_count, Complex* sums) {
    for (Index n = first_element(); n < count * voxel_count * outer_count; n += element_step()) {
        const Complex* value = values + n / (count * voxel_count) * count * terms + n % count;
        const Complex* phase = phases + n / count % voxel_count * terms;
        Complex sum{0, 0};
        for (int t = 0; t < terms; ++t) {
            sum = multiply_add(value[t * count], phase[t], sum);
        }
        sums[n] = sum;
    }
}

/// A field on rows of voxels along x.
struct FieldRows {
    const Complex* values;  ///< [component qx row]
    const Complex* phases;  ///< [qx voxel]
    Index component_count;
    int terms;

    __device__ Complex value(Index component, Index x, Index row) const {
        const Complex* value = values + row * component_count * terms + component;
        const Complex* phase = phases + x * terms;
        Complex sum{0, 0};
        for (int t = 0; t < terms; ++t) {
            sum = multiply_add(load_constant(value + t * component_count), load_constant(phase + t), sum);
        }
        return sum;
    }
};

/// Numbers of one thread among those of all.
struct OfThread {
    Complex* first;
    Index thread_count;

    __device__ Complex& operator[](Index element) const { return first[element * thread_count]; }
    __device__ OfThread from(Index element) const { return {first + element * thread_count, thread_count}; }
};

__device__ float square(Complex a) { return a.re * a.re + a.im * a.im; }

/// To unit length; by the largest part first, as squares of small ones are 0.
__device__ void normalise(const OfThread& vector, int coil_count) {
    float largest = 0, length = 0;
    for (int c = 0; c < coil_count; ++c) {
        largest = fmaxf(largest, fmaxf(fabsf(vector[c].re), fabsf(vector[c].im)));
    }
    const float by_largest = largest > 0 ? 1 / largest : 0;
    for (int c = 0; c < coil_count; ++c) {
        vector[c] = by_largest * vector[c];
        length += square(vector[c]);
    }
    const float by_length = length > 0 ? 1 / sqrtf(length) : 0;
    for (int c = 0; c < coil_count; ++c) {
        vector[c] = by_length * vector[c];
    }
}

/// product = matrix vector. @return its squared length
__device__ float multiply(const OfThread& pairs, const OfThread& vector, const OfThread& product, int coil_count) {
    float length = 0;
    for (int c = 0; c < coil_count; ++c) {
        Complex sum{0, 0};
        for (int c2 = 0; c2 < c; ++c2) {
            sum = multiply_add(conj(pairs[c * (c + 1) / 2 + c2]), vector[c2], sum);
        }
        for (int c2 = c; c2 < coil_count; ++c2) {
            sum = multiply_add(pairs[c2 * (c2 + 1) / 2 + c], vector[c2], sum);
        }
        product[c] = sum;
        length += square(sum);
    }
    return length;
}

/// @return the eigenvalue that the vector converges to
__device__ float iterate(const OfThread& pairs, const OfThread& vector, const OfThread& product, int coil_count) {
    float length = 0;
    for (int iteration = 0; iteration < most_power_iterations; ++iteration) {
        length = sqrtf(multiply(pairs, vector, product, coil_count));
        if (!(length > 0)) {
            break;
        }
        const float by_length = 1 / length;
        float step = 0;
        for (int c = 0; c < coil_count; ++c) {
            const Complex next = by_length * product[c];
            step += square(next - vector[c]);
            vector[c] = next;
        }
        if (step < smallest_power_step * smallest_power_step) {
            break;
        }
    }
    return length;
}

struct Wanted {
    int first_coil, coil_count;  ///< whose elements are stored
    Index row_length, voxel_count;
    Complex* vectors;  ///< [voxel coil]
    Complex* found;    ///< [voxel]
};

__global__ void dominant_kernel(FieldRows matrices, FieldRows images, const Complex* reference, Complex* scratch,
                                Wanted wanted) {
    const int coil_count = static_cast<int>(images.component_count);
    const OfThread pairs{scratch + first_element(), element_step()};
    const OfThread vector = pairs.from(matrices.component_count);
    const OfThread product = vector.from(coil_count);
    for (Index voxel = first_element(); voxel < wanted.voxel_count; voxel += element_step()) {
        const Index x = voxel % wanted.row_length, row = voxel / wanted.row_length;
        for (Index pair = 0; pair < matrices.component_count; ++pair) {
            pairs[pair] = matrices.value(pair, x, row);
        }
        for (int c = 0; c < coil_count; ++c) {
            vector[c] = images.value(c, x, row);
        }
        normalise(vector, coil_count);
        const float eigenvalue = iterate(pairs, vector, product, coil_count);
        Complex along{0, 0}, of_image{0, 0};
        for (int c = 0; c < coil_count; ++c) {
            along = multiply_add(conj(reference[c]), vector[c], along);
            of_image = multiply_add(conj(vector[c]), images.value(c, x, row), of_image);
        }
        const float size = sqrtf(square(along));
        const bool is_found = eigenvalue > 0;
        const Complex turn = !is_found ? Complex{0, 0} : size > 0 ? (1 / size) * conj(along) : Complex{1, 0};
        for (int c = 0; c < wanted.coil_count; ++c) {
            wanted.vectors[c * wanted.voxel_count + voxel] = turn * vector[wanted.first_coil + c];
        }
        wanted.found[voxel] = {eigenvalue, is_found ? square(of_image) : 0};
    }
}

/// Sums over z and y of a field, on the rows of some planes.
class RowsOfPlanes {
public:
    RowsOfPlanes(Backend& backend, const CudaQueue& queue, const TrigonometricField& field,
                 const PerAxis<Index>& matrix_size, Index first_plane, Index plane_count)
        : component_count_(field.component_count()),
          terms_(static_cast<int>(field.terms(0))),
          phases_(on_device(backend, field.phases(0, matrix_size))),
          rows_(backend, Shape{{"element", component_count_ * terms_ * matrix_size[1] * plane_count}},
                Precision::single) {
        const Index row_size = component_count_ * terms_;
        const Index plane_size = row_size * field.terms(1);
        Array planes(backend, Shape{{"element", plane_size * plane_count}}, Precision::single);
        const Array coefficients = on_device(backend, field.coefficients());
        const Array y_phases = on_device(backend, field.phases(1, matrix_size));
        const Array z_phases = on_device(backend, field.phases(2, matrix_size));
        const auto sum = [&](const Array& values, Index count, int axis, const Complex* phases, Index voxel_count,
                             Index outer_count, Array& sums) {
            sum_terms_kernel<<<blocks_for(sums.size(), threads), threads, 0, queue.stream()>>>(
                as_device(values.view().data<float>()), count, static_cast<int>(field.terms(axis)), phases, voxel_count,
                outer_count, as_device(sums.view().data<float>()));
            check_launch();
        };
        sum(coefficients, plane_size, 2, as_device(z_phases.view().data<float>()) + first_plane * field.terms(2),
            plane_count, 1, planes);
        sum(planes, row_size, 1, as_device(y_phases.view().data<float>()), matrix_size[1], plane_count, rows_);
    }

    FieldRows rows() const {
        return {as_device(rows_.view().data<float>()), as_device(phases_.view().data<float>()), component_count_,
                terms_};
    }

    /// For coefficients, sums and phases.
    static std::size_t bytes(Index component_count, const PerAxis<Index>& degree, const PerAxis<Index>& matrix_size,
                             Index plane_count) {
        const auto terms = [&](int axis) { return 2 * degree[axis] + 1; };
        Index elements =
            component_count * terms(0) * (matrix_size[1] * plane_count + terms(1) * (plane_count + terms(2)));
        for (int axis = 0; axis < 3; ++axis) {
            elements += terms(axis) * matrix_size[axis];
        }
        return static_cast<std::size_t>(elements) * sizeof(Complex);
    }

private:
    static Array on_device(Backend& backend, std::span<const cfloat> values) {
        Array array(backend, Shape{{"element", std::ssize(values)}}, Precision::single);
        upload(values, array);
        return array;
    }

    Index component_count_;
    int terms_;
    Array phases_, rows_;
};

}  // namespace

void CudaImagePrimitives::do_dominant_eigenvectors(const CoilMatrices& matrices, Index first_coil, Index first_plane,
                                                   ArrayView vectors, ArrayView found) const {
    Backend& backend = found.backend();
    const PerAxis<Index>& size = matrices.matrix_size;
    const Index plane_count = found.shape().extent(2);
    const RowsOfPlanes pairs(backend, *queue_, matrices.field.pairs, size, first_plane, plane_count);
    const RowsOfPlanes images(backend, *queue_, matrices.images, size, first_plane, plane_count);
    Array reference(backend, Shape{{"coil", matrices.field.coil_count}}, Precision::single);
    upload(matrices.reference, reference);
    const Index all_threads = thread_count(matrices.field.coil_count, found.size());
    Array scratch(backend, Shape{{"element", all_threads * elements_of_thread(matrices.field.coil_count)}},
                  Precision::single);
    dominant_kernel<<<static_cast<unsigned>(all_threads / threads), threads, 0, queue_->stream()>>>(
        pairs.rows(), images.rows(), as_device(reference.view().data<float>()), as_device(scratch.view().data<float>()),
        Wanted{static_cast<int>(first_coil), static_cast<int>(vectors.size() / found.size()), size[0], found.size(),
               as_device(vectors.data<float>()), as_device(found.data<float>())});
    check_launch();
}

std::size_t CudaImagePrimitives::dominant_eigenvectors_bytes(const CoilMatrixSizes& sizes, Index plane_count) {
    const PerAxis<Index>& size = sizes.matrix_size;
    const Index pair_count = sizes.coil_count * (sizes.coil_count + 1) / 2;
    const Index of_threads =
        thread_count(sizes.coil_count, size[0] * size[1] * plane_count) * elements_of_thread(sizes.coil_count);
    return RowsOfPlanes::bytes(pair_count, sizes.degree, size, plane_count) +
           RowsOfPlanes::bytes(sizes.coil_count, sizes.image_degree, size, plane_count) +
           static_cast<std::size_t>(of_threads + sizes.coil_count) * sizeof(Complex);
}

}  // namespace recon
