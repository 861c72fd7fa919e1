#pragma once

#include "gpu/exact/cuda_exact_sums_kernels.cuh"

namespace recon::exact_sums {

/// The products of Tiling in double. All factors are [row][padded samples]; x and y rows are padded with zeros as the
/// tiling says: u and y to multiples of 8, x of 64; `padded` is a multiple of 64.
struct DoubleSums {
    Tiling tiling;
    const double* w;          ///< adjoint: [u][padded]
    const double* x_factors;  ///< [x][padded]
    const double* y_factors;  ///< [y][padded]
    const double* z_factors;  ///< [z][padded]
    double* sums;             ///< adjoint: [slice][u][y][x]; forward: coefficients [u][y][x]
    double* partial;          ///< forward: [2 slices][part][padded]
    Index padded;
    int slices;
    bool accumulate;
};

void make_double_factors(const Positions& positions, const Tiling& tiling, Chunk chunk, Index padded, double* x,
                         double* y, double* z, cudaStream_t stream);

void make_double_rows(const Positions& positions, const Fold& fold, const Tiling& tiling,
                      const DeviceComplex<double>* samples, Chunk chunk, const double* z_factors, Index padded,
                      double* w, cudaStream_t stream);
void double_adjoint(const DoubleSums& work, cudaStream_t stream);
void unfold_double_sums(const Tiling& tiling, const double* sums, int slices, DeviceComplex<double>* image,
                        cudaStream_t stream);

void fold_double_image(const Tiling& tiling, const DeviceComplex<double>* image, double* coefficients,
                       cudaStream_t stream);
void double_forward(const DoubleSums& work, cudaStream_t stream);
void unfold_double_samples(const Positions& positions, const Fold& fold, const DoubleSums& work, Chunk chunk,
                           DeviceComplex<double>* samples, cudaStream_t stream);

}  // namespace recon::exact_sums
