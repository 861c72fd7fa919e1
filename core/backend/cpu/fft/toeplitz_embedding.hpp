#pragma once

#include "core/backend/array.hpp"
#include "core/backend/cpu/simd/lanes.hpp"

namespace recon {

/// The periodic grid on which an image is convolved, and how the CPU passes walk it.
///
/// Axes of extent 1 change nothing and are dropped. Of the others the first is the row axis, the last the column axis
/// (the one on which the spectrum is applied), and the one between, if any, the plane axis.
struct ToeplitzEmbedding {
    /// Where the convolution with Q is linear.
    ToeplitzEmbedding(const Shape& image_shape, Precision precision);
    /// One of that size, which has one point along an axis of one voxel.
    ToeplitzEmbedding(const Shape& image_shape, const PerAxis<Index>& grid_size, Precision precision);

    PerAxis<Index> image;   ///< N of rows, plane, columns; 1 where there is no such axis
    PerAxis<Index> length;  ///< L of each, 2^a 3^b 5^c, for Q >= 2N - 1; 1 where N is 1
    Index lanes;            ///< pencils a vector: neighbouring positions of the row axis
    Index block_count;      ///< ceil(L[0] / lanes)

    Index image_size() const { return image[0] * image[1] * image[2]; }
    /// Real numbers of the spectrum: [block][plane position][column position][lane].
    Index spectrum_size() const { return block_count * lanes * length[1] * length[2]; }
    /// Complex numbers between the passes, for one coil: [block][column][plane][lane].
    Index middle_size() const { return block_count * lanes * image[1] * image[2]; }
    /// Bytes that make_toeplitz_spectrum needs meanwhile for a Q of that precision.
    std::size_t spectrum_work_bytes(Precision q_precision, Index thread_count) const;
};

/// Scratch of one apply, counted in vectors of `lanes` complex numbers.
struct ToeplitzScratch {
    /// @param piece_bytes  as MemoryBudget::piece_bytes
    ToeplitzScratch(const ToeplitzEmbedding& embedding, Index coil_count, Index thread_count, std::size_t piece_bytes);

    Index coils_at_once;  ///< coils that go through the passes together
    Index plane_stride;   ///< from plane to plane of a block; not a power of two, where columns would share cache sets
    bool threads_share_block;  ///< one block at a time for all threads, because a block each would take too much
    Index middle_size;         ///< for coils_at_once
    Index planes_size;         ///< of one block; 0 if there is no plane axis
    Index planes_count;        ///< how many blocks are worked on at a time
    Index buffer_size;         ///< of each thread
    Index total_size;
};

/// Real spectrum of the convolution with Q, 1 / (L0 L1 L2) included, in the order in which the passes use it.
///
/// The transform runs in the precision of `q`. Q(-x) = conj(Q(x)): half of Q is read, and the other half follows; the
/// working memory is half of Q's own.
/// @param q [2Nx-1 2Ny-1 2Nz-1] @throws InputError if the spectrum is not finite
template <class T>
void make_toeplitz_spectrum(const ToeplitzEmbedding& embedding, ConstArrayView q, T* spectrum);

/// The same of a circulant plan. @param factors  as Backend::make_circulant
template <class T>
void make_circulant_spectrum(const ToeplitzEmbedding& embedding, ConstArrayView factors, T* spectrum);

}  // namespace recon
