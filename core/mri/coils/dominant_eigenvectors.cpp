#include "core/mri/coils/dominant_eigenvectors.hpp"

#include <algorithm>

#include "core/base/cancel.hpp"
#include "core/base/host_pages.hpp"

namespace recon {
namespace {

/// Planes whose vectors take some 64 MB.
Index planes_at_once(const PerAxis<Index>& matrix_size, Index stored_count) {
    constexpr Index most_bytes = Index{64} << 20;
    const Index plane_bytes =
        matrix_size[0] * matrix_size[1] * std::max<Index>(stored_count, 1) * static_cast<Index>(sizeof(cfloat));
    return std::clamp<Index>(most_bytes / plane_bytes, 1, matrix_size[2]);
}

}  // namespace

DominantEigenvectors dominant_eigenvectors(Backend& backend, const CoilMatrices& matrices, const Share& coils) {
    const PerAxis<Index>& size = matrices.matrix_size;
    const Index plane_size = size[0] * size[1];
    const Index voxel_count = plane_size * size[2];
    DominantEigenvectors result{unwritten_vector<cfloat>(voxel_count * coils.count),
                                unwritten_vector<float>(voxel_count), unwritten_vector<float>(voxel_count)};
    const Index at_once = planes_at_once(size, coils.count);
    std::vector<cfloat> of_planes(at_once * plane_size);
    for (Index first = 0; first < size[2]; first += at_once) {
        cancel_of_this_thread().check();
        const Shape planes = Shape::image({size[0], size[1], std::min(at_once, size[2] - first)});
        Array vectors(backend, planes.with_axis("coil", coils.count), Precision::single);
        Array found(backend, planes, Precision::single);
        backend.image_primitives().dominant_eigenvectors(matrices, coils.first, first, vectors, found);
        for (Index coil = 0; coil < coils.count; ++coil) {
            backend.download(vectors.slice(coil), result.vectors.data() + coil * voxel_count + first * plane_size,
                             Precision::single);
        }
        backend.download(found, of_planes.data(), Precision::single);
#pragma omp parallel for schedule(static)
        for (Index i = 0; i < planes.element_count(); ++i) {
            result.eigenvalues[first * plane_size + i] = of_planes[i].real();
            result.energies[first * plane_size + i] = of_planes[i].imag();
        }
    }
    return result;
}

std::size_t dominant_eigenvectors_bytes(const Backend& backend, const CoilMatrixSizes& sizes, Index stored_count) {
    const Index planes = planes_at_once(sizes.matrix_size, stored_count);
    const Index voxels = sizes.matrix_size[0] * sizes.matrix_size[1] * planes;
    return static_cast<std::size_t>(voxels * (stored_count + 1)) * sizeof(cfloat) +
           backend.plan_sizes().dominant_eigenvectors(sizes, planes);
}

}  // namespace recon
