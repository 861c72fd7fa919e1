#pragma once

#include <vector>

#include "core/backend/backend.hpp"
#include "core/backend/coil_matrices.hpp"
#include "core/parallel/communicator.hpp"

namespace recon {

struct DominantEigenvectors {
    std::vector<cfloat> vectors;     ///< [x y z coil], of norm 1; 0 where the matrix is
    std::vector<float> eigenvalues;  ///< [x y z]
    std::vector<float> energies;     ///< |vector^H m|^2, [x y z], of the images m
};

/// Those of ImagePrimitives::dominant_eigenvectors in host memory, a few planes at a time.
/// @param coils  whose elements of the vectors are wanted  @throws Cancelled
DominantEigenvectors dominant_eigenvectors(Backend& backend, const CoilMatrices& matrices, const Share& coils);

/// What that takes on the backend for `stored_count` coils.
std::size_t dominant_eigenvectors_bytes(const Backend& backend, const CoilMatrixSizes& sizes, Index stored_count);

}  // namespace recon
