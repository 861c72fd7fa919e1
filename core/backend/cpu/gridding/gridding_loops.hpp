#pragma once

#include <vector>

#include "core/backend/cpu/gridding/gridding_tiles.hpp"
#include "core/fourier/kernel_polynomials.hpp"

namespace recon {

/// The inner loops of gridding for one precision, kernel width and number of axes.
///
/// A record holds the kernel weights of one sample: for x each weight twice (real and imaginary part), with zeros
/// around them so that they begin at a multiple of `unit_points` in the local buffer; then those for y and z, as far as
/// there are such axes.
template <class T>
struct GriddingLoops {
    using Sample = typename GriddingTiles<T>::Sample;

    Index row_coefficient_count;   ///< numbers of a power for x, each coefficient twice, zeros at the end
    Index axis_coefficient_count;  ///< numbers of a power for y and z
    Index record_length;           ///< numbers
    Index unit_points;             ///< strides and beginnings of rows are multiples of this
    Index row_points;              ///< grid points read and written along x

    /// @param row_coefficients, axis_coefficients  [power][..._coefficient_count] of KernelPolynomials
    void (*make_records)(int degree, const T* row_coefficients, const T* axis_coefficients, const Sample* samples,
                         Index count, T* records);
    /// local += weights times value, for each sample.
    /// @param local_strides  of y and z, complex elements
    void (*spread)(const T* records, const Sample* samples, const std::complex<T>* values, Index count,
                   const Index* local_strides, std::complex<T>* local);
    /// values = sum of weights times local, for each sample.
    void (*interpolate)(const T* records, const Sample* samples, Index count, const Index* local_strides,
                        const std::complex<T>* local, std::complex<T>* values);

    /// @param width  2 to 16, @param axis_count  1 to 3
    static const GriddingLoops& of(int width, int axis_count);
};

}  // namespace recon
