#include <algorithm>
#include <cmath>
#include <vector>

#include "core/backend/coil_matrices.hpp"
#include "core/backend/cpu/cpu_image_primitives.hpp"
#include "core/backend/cpu/simd/aligned_vector.hpp"
#include "core/backend/cpu/simd/lanes.hpp"
#include "core/base/cancel.hpp"

namespace recon {
namespace {

// A voxel a lane: the bits of one do not depend on the others.
using Real = Lanes<float>;
using Complex = ComplexLanes<float>;
constexpr Index lanes = lane_count<float>;

/// Hermitian matrices of coil by coil, those of the voxels of a row, and where their dominant eigenvectors go.
struct MatrixRow {
    Index voxel_count, coil_count;
    const cfloat* pairs;             ///< [voxel pair], c <= c' in the order of CoilMatrixField
    const cfloat* images;            ///< [voxel coil], where the iterations begin
    const cfloat* reference;         ///< [coil]
    Index first_coil, stored_count;  ///< whose elements are wanted
    cfloat* vectors;                 ///< [voxel coil]
    Index stride;                    ///< of vectors, from coil to coil
    cfloat* found;                   ///< eigenvalue + i |vector^H image|^2, [voxel]
};

Real square(const Complex& a) { return a.re * a.re + a.im * a.im; }
Real absolute(const Real& a) { return a < 0 ? -a : a; }
Real larger(const Real& a, const Real& b) { return a < b ? b : a; }
Real inverse_or_zero(const Real& a) { return a > 0 ? 1 / a : Real{}; }
Real square_root(Real a) {
    for (Index i = 0; i < lanes; ++i) {
        a[i] = std::sqrt(a[i]);
    }
    return a;
}
Complex scaled(const Real& factor, const Complex& a) { return {factor * a.re, factor * a.im}; }

/// Beyond the row's end: zeros.
Complex load(const cfloat* from, Index count) {
    Real re{}, im{};
    for (Index i = 0; i < std::min(lanes, count); ++i) {
        re[i] = from[i].real();
        im[i] = from[i].imag();
    }
    return {re, im};
}

/// To unit length; by the largest part first, as squares of small ones are 0.
void normalise(AlignedVector<Complex>& vector) {
    Real largest{}, length{};
    for (const Complex& element : vector) {
        largest = larger(largest, larger(absolute(element.re), absolute(element.im)));
    }
    for (Complex& element : vector) {
        element = scaled(inverse_or_zero(largest), element);
        length += square(element);
    }
    const Real by_length = inverse_or_zero(square_root(length));
    for (Complex& element : vector) {
        element = scaled(by_length, element);
    }
}

/// Matrices of the pairs c <= c', and unit vectors that are multiplied by them.
struct PowerIterations {
    AlignedVector<Complex> pairs, vector, product;
    Real eigenvalues{};

    explicit PowerIterations(Index coil_count)
        : pairs(coil_count * (coil_count + 1) / 2), vector(coil_count), product(coil_count) {}

    void run() {
        Real moving = Real{} + 1;
        eigenvalues = Real{};
        for (int iteration = 0; iteration < most_power_iterations; ++iteration) {
            const Real length = square_root(multiply());
            const Real steps = step(inverse_or_zero(length), moving);
            eigenvalues = moving > 0 ? length : eigenvalues;
            moving = (moving > 0) & (length > 0) & ~(steps < smallest_power_step * smallest_power_step) ? Real{} + 1
                                                                                                        : Real{};
            if (is_zero(moving)) {
                return;
            }
        }
    }

private:
    static bool is_zero(const Real& values) {
        float sum = 0;
        for (Index i = 0; i < lanes; ++i) {
            sum += values[i];
        }
        return sum == 0;
    }

    /// product = matrix vector. @return its squared length
    Real multiply() {
        const auto coil_count = static_cast<Index>(vector.size());
        Real length{};
        for (Index c = 0; c < coil_count; ++c) {
            Complex sum{Real{}, Real{}};
            for (Index c2 = 0; c2 < c; ++c2) {
                sum = sum + conjugate(pairs[c * (c + 1) / 2 + c2]) * vector[c2];
            }
            for (Index c2 = c; c2 < coil_count; ++c2) {
                sum = sum + pairs[c2 * (c2 + 1) / 2 + c] * vector[c2];
            }
            length += square(sum);
            product[c] = sum;
        }
        return length;
    }

    /// Those that move become the product of unit length. @return the squares of their steps
    Real step(const Real& by_length, const Real& moving) {
        Real length{};
        for (std::size_t c = 0; c < vector.size(); ++c) {
            const Complex next = scaled(by_length, product[c]);
            length += square(next - vector[c]);
            const auto moves = (moving > 0) & (by_length > 0);
            vector[c] = {moves ? next.re : vector[c].re, moves ? next.im : vector[c].im};
        }
        return length;
    }
};

/// Eigenvectors with their phase, and what they take up of the images.
void store(const MatrixRow& row, Index first, const PowerIterations& found) {
    for (Index x = first; x < std::min(first + lanes, row.voxel_count); ++x) {
        const Index lane = x - first;
        const float eigenvalue = found.eigenvalues[lane];
        const auto element = [&](Index coil) {
            return cfloat(found.vector[coil].re[lane], found.vector[coil].im[lane]);
        };
        cfloat along = 0, of_image = 0;
        for (Index coil = 0; coil < row.coil_count; ++coil) {
            along += std::conj(row.reference[coil]) * element(coil);
            of_image += std::conj(element(coil)) * row.images[coil * row.voxel_count + x];
        }
        const float size = std::abs(along);
        const bool is_found = eigenvalue > 0;
        const cfloat turn = !is_found ? cfloat(0) : size > 0 ? std::conj(along) / size : cfloat(1);
        for (Index coil = 0; coil < row.stored_count; ++coil) {
            row.vectors[coil * row.stride + x] = turn * element(row.first_coil + coil);
        }
        row.found[x] = {eigenvalue, is_found ? std::norm(of_image) : 0};
    }
}

void dominant_of_row(const MatrixRow& row) {
    PowerIterations iterations(row.coil_count);
    for (Index first = 0; first < row.voxel_count; first += lanes) {
        const Index count = row.voxel_count - first;
        for (std::size_t pair = 0; pair < iterations.pairs.size(); ++pair) {
            iterations.pairs[pair] = load(row.pairs + pair * row.voxel_count + first, count);
        }
        for (Index coil = 0; coil < row.coil_count; ++coil) {
            iterations.vector[coil] = load(row.images + coil * row.voxel_count + first, count);
        }
        normalise(iterations.vector);
        iterations.run();
        store(row, first, iterations);
    }
}

}  // namespace

void CpuImagePrimitives::do_dominant_eigenvectors(const CoilMatrices& matrices, Index first_coil, Index first_plane,
                                                  ArrayView vectors, ArrayView found) const {
    const CancelToken& cancel = cancel_of_this_thread();
    const PerAxis<Index>& size = matrices.matrix_size;
#pragma omp parallel
    {
        TrigonometricField::Rows rows(matrices.field.pairs, size);
        TrigonometricField::Rows image_rows(matrices.images, size);
        std::vector<cfloat> pairs, images;
#pragma omp for schedule(dynamic)
        for (Index row = 0; row < found.size() / size[0]; ++row) {
            if (cancel.is_due()) {
                continue;
            }
            const Index y = row % size[1], z = first_plane + row / size[1];
            rows.evaluate(y, z, pairs);
            image_rows.evaluate(y, z, images);
            dominant_of_row({.voxel_count = size[0],
                             .coil_count = matrices.field.coil_count,
                             .pairs = pairs.data(),
                             .images = images.data(),
                             .reference = matrices.reference.data(),
                             .first_coil = first_coil,
                             .stored_count = vectors.size() / found.size(),
                             .vectors = vectors.data<float>() + row * size[0],
                             .stride = found.size(),
                             .found = found.data<float>() + row * size[0]});
        }
    }
    cancel.check();
}

}  // namespace recon
