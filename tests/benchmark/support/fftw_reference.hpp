#pragma once

#include <memory>
#include <vector>

#include "core/base/types.hpp"

namespace recon::benchmark {

/// FFTW, to compare with; the program itself does not use it.
class FftwPencils {
public:
    virtual ~FftwPencils() = default;
    virtual void forward() = 0;
};

/// In-place transforms of `pencil_count` pencils in single precision, one thread, planned with FFTW_PATIENT.
/// Contiguous: pencils one after the other; interleaved: neighbouring numbers belong to neighbouring pencils.
/// @return null if the benchmarks were built without FFTW
enum class PencilLayout { contiguous, interleaved };
std::unique_ptr<FftwPencils> make_fftw_pencils(Index length, Index pencil_count, PencilLayout layout);

/// Convolution on the whole embedding grid in single precision: pad, 3-D FFT, multiply, inverse FFT, crop.
class FftwConvolution {
public:
    virtual ~FftwConvolution() = default;
    virtual void apply(const cfloat* image, cfloat* result) = 0;
};

/// @param spectrum real, natural order, scale included. Planned with FFTW_MEASURE. @return null without FFTW
std::unique_ptr<FftwConvolution> make_fftw_convolution(PerAxis<Index> image, PerAxis<Index> grid,
                                                       std::vector<float> spectrum, int thread_count);

}  // namespace recon::benchmark
