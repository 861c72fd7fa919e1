#pragma once

#include <vector>

#include "core/base/types.hpp"
#include "core/processor/cpu_level.hpp"

// Dense Hermitian matrices of some hundred columns, [row column] with rows side by side, of which the lower triangle
// counts. In double precision; the same bytes for any number of threads. Of the processor's level
// (core/processor/cpu_level.hpp).

namespace recon {

/// What an eigenvalue problem leaves: V diag(values) V^H, V = Q Z with Householder's Q and Z of a real tridiagonal
/// matrix.
struct HermitianSpectrum {
    std::vector<double> values;               ///< ascending
    std::vector<double> tridiagonal_vectors;  ///< Z, [row vector]
    std::vector<cdouble> reflectors;          ///< of Q, [row reflector], below the subdiagonal
    std::vector<cdouble> reflector_factors;
};

/// matrix += A^H A of A [row column]. Looks at the token of its thread. @throws Cancelled
using AddGramMatrix = void(const cdouble* a, Index row_count, Index column_count, cdouble* matrix);
/// On one thread: a second for a thousand columns.
using SpectrumOfHermitian = HermitianSpectrum(const std::vector<cdouble>& matrix);
/// sum v v^H of the eigenvectors of the `count` largest eigenvalues. Looks at the token of its thread. @throws
/// Cancelled
using ProjectionOnLargest = std::vector<cdouble>(const HermitianSpectrum& spectrum, Index count);

AddGramMatrix add_gram_matrix;
SpectrumOfHermitian spectrum_of_hermitian;
ProjectionOnLargest projection_on_largest;

namespace RECON_CPU_LEVEL {
AddGramMatrix add_gram_matrix;
SpectrumOfHermitian spectrum_of_hermitian;
ProjectionOnLargest projection_on_largest;
}  // namespace RECON_CPU_LEVEL

}  // namespace recon
