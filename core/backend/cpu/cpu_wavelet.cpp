#include <algorithm>
#include <vector>

#include "core/backend/cpu/cpu_image_primitives.hpp"
#include "core/base/threads/worthwhile_threads.hpp"

namespace recon {
namespace {

/// y = x along one axis whose neighbours are `stride` apart, for the `row_length` voxels side by side at x.
template <class T>
void filter_rows(const std::vector<WaveletStencil<T>>& stencils, const std::complex<T>* x, Index stride,
                 Index row_length, std::complex<T>* y) {
    for (std::size_t n = 0; n < stencils.size(); ++n) {
        const WaveletStencil<T>& stencil = stencils[n];
        std::complex<T>* out = y + static_cast<Index>(n) * stride;
        std::fill_n(out, row_length, std::complex<T>(0));
        for (int k = 0; k < stencil.count; ++k) {
            const std::complex<T>* in = x + stencil.voxel[k] * stride;
            for (Index i = 0; i < row_length; ++i) {
                out[i] += stencil.tap[k] * in[i];
            }
        }
    }
}

}  // namespace

void CpuImagePrimitives::do_wavelet_step(const WaveletStep& step, ConstArrayView x, ArrayView y) const {
    const PerAxis<Index> size = x.shape().matrix_size();
    const PerAxis<Index> strides{1, size[0], size[0] * size[1]};
    const Index image = size[0] * size[1] * size[2];
    // Rows along x; where x is filtered itself, single voxels. The other two axes and the images are looped over.
    const Index row_length = step.axis == 0 ? 1 : step.box[0];
    const int inner = step.axis == 1 ? 2 : 1;
    const int outer = step.axis == 0 ? 2 : 0;
    const Index inner_count = step.box[inner];
    const Index outer_count = outer == 0 ? 1 : step.box[outer];
    with_precision(y.precision(), [&](auto tag) {
        using T = decltype(tag);
        std::vector<WaveletStencil<T>> stencils;
        for (Index n = 0; n < step.box[step.axis]; ++n) {
            stencils.push_back(wavelet_stencil<T>(n, step.box[step.axis], step.shift, step.direction));
        }
        const std::complex<T>* in = x.data<T>();
        std::complex<T>* out = y.data<T>();
        std::copy_n(in, x.size(), out);
        const Index lines = x.size() / image * inner_count * outer_count;
        constexpr double voxel_ns = 2;
        const int threads = worthwhile_threads(voxel_ns * static_cast<double>(x.size()));
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
        for (Index line = 0; line < lines; ++line) {
            const Index place = line % inner_count * strides[inner] +
                                line / inner_count % outer_count * strides[outer] +
                                line / (inner_count * outer_count) * image;
            filter_rows(stencils, in + place, strides[step.axis], row_length, out + place);
        }
    });
}

}  // namespace recon
