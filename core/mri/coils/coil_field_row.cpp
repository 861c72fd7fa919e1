#include "core/mri/coils/coil_field_row.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace recon {
namespace {

using Matrix = Eigen::MatrixXcf;
using Vector = Eigen::VectorXcf;

constexpr Index lane_count = 16;

/// A complex number of each of as many voxels: the bits of one do not depend on the others.
struct Lanes {
    std::array<float, lane_count> real{}, imaginary{};
};
using RealLanes = std::array<float, lane_count>;

/// + factor other, or + conj(factor) other
void add_product(const Lanes& factor, bool conjugated, const Lanes& other, Lanes& sum) {
    const float sign = conjugated ? -1.0F : 1.0F;
#pragma omp simd
    for (Index i = 0; i < lane_count; ++i) {
        const float imaginary = sign * factor.imaginary[i];
        sum.real[i] += factor.real[i] * other.real[i] - imaginary * other.imaginary[i];
        sum.imaginary[i] += factor.real[i] * other.imaginary[i] + imaginary * other.real[i];
    }
}

void add_square(const Lanes& value, RealLanes& sum) {
#pragma omp simd
    for (Index i = 0; i < lane_count; ++i) {
        sum[i] += value.real[i] * value.real[i] + value.imaginary[i] * value.imaginary[i];
    }
}

void scale(const RealLanes& factor, Lanes& value) {
#pragma omp simd
    for (Index i = 0; i < lane_count; ++i) {
        value.real[i] *= factor[i];
        value.imaginary[i] *= factor[i];
    }
}

/// Beyond the row's end: zeros.
void load(const cfloat* from, Index count, Lanes& to) {
    for (Index i = 0; i < lane_count; ++i) {
        to.real[i] = i < count ? from[i].real() : 0;
        to.imaginary[i] = i < count ? from[i].imag() : 0;
    }
}

RealLanes inverse_or_zero(const RealLanes& values) {
    RealLanes inverse;
#pragma omp simd
    for (Index i = 0; i < lane_count; ++i) {
        inverse[i] = values[i] > 0 ? 1 / values[i] : 0;
    }
    return inverse;
}

/// To unit length; by the largest part first, as squares of small ones are 0.
void normalise(std::vector<Lanes>& vector) {
    RealLanes largest{}, length{};
    for (const Lanes& element : vector) {
#pragma omp simd
        for (Index i = 0; i < lane_count; ++i) {
            largest[i] = std::max({largest[i], std::abs(element.real[i]), std::abs(element.imaginary[i])});
        }
    }
    const RealLanes by_largest = inverse_or_zero(largest);
    for (Lanes& element : vector) {
        scale(by_largest, element);
        add_square(element, length);
    }
    for (float& value : length) {
        value = std::sqrt(value);
    }
    const RealLanes by_length = inverse_or_zero(length);
    for (Lanes& element : vector) {
        scale(by_length, element);
    }
}

/// Matrices of the pairs c <= c', and unit vectors that are multiplied by them until they move less than rounding of
/// the maps would show.
struct PowerIterations {
    std::vector<Lanes> pairs, vector, product;
    RealLanes eigenvalues{};

    explicit PowerIterations(Index coil_count)
        : pairs(coil_count * (coil_count + 1) / 2), vector(coil_count), product(coil_count) {}

    void run() {
        constexpr int most_iterations = 60;
        constexpr float smallest_step = 1e-5F;
        RealLanes moving;
        moving.fill(1);
        eigenvalues.fill(0);
        for (int iteration = 0; iteration < most_iterations; ++iteration) {
            RealLanes length = multiply();
            for (float& value : length) {
                value = std::sqrt(value);
            }
            const RealLanes steps = step(inverse_or_zero(length), moving);
            float any = 0;
            for (Index i = 0; i < lane_count; ++i) {
                eigenvalues[i] = moving[i] > 0 ? length[i] : eigenvalues[i];
                moving[i] = moving[i] > 0 && length[i] > 0 && !(steps[i] < smallest_step * smallest_step) ? 1 : 0;
                any += moving[i];
            }
            if (any == 0) {
                return;
            }
        }
    }

private:
    /// product = matrix vector. @return its squared length
    RealLanes multiply() {
        const auto coil_count = static_cast<Index>(vector.size());
        RealLanes square{};
        for (Index c = 0; c < coil_count; ++c) {
            Lanes sum;
            for (Index c2 = 0; c2 < coil_count; ++c2) {
                const bool is_below = c2 < c;
                const Index pair = is_below ? c * (c + 1) / 2 + c2 : c2 * (c2 + 1) / 2 + c;
                add_product(pairs[pair], is_below, vector[c2], sum);
            }
            add_square(sum, square);
            product[c] = sum;
        }
        return square;
    }

    /// Those that move become the product of unit length. @return the squares of their steps
    RealLanes step(const RealLanes& by_length, const RealLanes& moving) {
        RealLanes square{};
        for (std::size_t c = 0; c < vector.size(); ++c) {
            Lanes& old = vector[c];
            const Lanes& next = product[c];
#pragma omp simd
            for (Index i = 0; i < lane_count; ++i) {
                const float real = next.real[i] * by_length[i], imaginary = next.imaginary[i] * by_length[i];
                const float real_step = real - old.real[i], imaginary_step = imaginary - old.imaginary[i];
                square[i] += real_step * real_step + imaginary_step * imaginary_step;
                const bool moves = moving[i] > 0 && by_length[i] > 0;
                old.real[i] = moves ? real : old.real[i];
                old.imaginary[i] = moves ? imaginary : old.imaginary[i];
            }
        }
        return square;
    }
};

/// Eigenvectors with their phase, and what they take up of the images.
void store(const CoilMatrixRow& row, Index first, const PowerIterations& found) {
    for (Index x = first; x < std::min(first + lane_count, row.voxel_count); ++x) {
        const Index lane = x - first;
        row.eigenvalues[x] = found.eigenvalues[lane];
        const auto element = [&](Index coil) {
            return cfloat(found.vector[coil].real[lane], found.vector[coil].imaginary[lane]);
        };
        cfloat along = 0, of_image = 0;
        for (Index coil = 0; coil < row.coil_count; ++coil) {
            along += std::conj(row.reference[coil]) * element(coil);
            of_image += std::conj(element(coil)) * row.images[coil * row.voxel_count + x];
        }
        const float size = std::abs(along);
        const bool is_found = row.eigenvalues[x] > 0;
        const cfloat turn = !is_found ? cfloat(0) : size > 0 ? std::conj(along) / size : cfloat(1);
        for (Index coil = 0; coil < row.stored_coil_count; ++coil) {
            row.vectors[coil * row.stride + x] = turn * element(row.first_coil + coil);
        }
        row.energies[x] = is_found ? std::norm(of_image) : 0;
    }
}

}  // namespace

namespace RECON_CPU_LEVEL {

void sum_terms(const cfloat* coefficients, Index count, Index terms, const cfloat* phases, cfloat* sums) {
    Eigen::Map<Vector>(sums, count).noalias() =
        Eigen::Map<const Matrix>(coefficients, count, terms) * Eigen::Map<const Vector>(phases, terms);
}

void field_row_values(const cfloat* coefficients, Index component_count, Index terms, const cfloat* phases,
                      Index voxel_count, cfloat* values) {
    Eigen::Map<Matrix>(values, voxel_count, component_count).noalias() =
        Eigen::Map<const Matrix>(phases, terms, voxel_count).transpose() *
        Eigen::Map<const Matrix>(coefficients, component_count, terms).transpose();
}

void dominant_of_row(const CoilMatrixRow& row) {
    PowerIterations iterations(row.coil_count);
    for (Index first = 0; first < row.voxel_count; first += lane_count) {
        const Index count = std::min(lane_count, row.voxel_count - first);
        for (std::size_t pair = 0; pair < iterations.pairs.size(); ++pair) {
            load(row.pairs + pair * row.voxel_count + first, count, iterations.pairs[pair]);
        }
        for (Index coil = 0; coil < row.coil_count; ++coil) {
            load(row.images + coil * row.voxel_count + first, count, iterations.vector[coil]);
        }
        normalise(iterations.vector);
        iterations.run();
        store(row, first, iterations);
    }
}

}  // namespace RECON_CPU_LEVEL

}  // namespace recon
