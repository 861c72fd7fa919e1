#include "tests/benchmark/support/fftw_reference.hpp"

namespace recon::benchmark {

std::unique_ptr<FftwPencils> make_fftw_pencils(Index, Index, PencilLayout) { return nullptr; }

std::unique_ptr<FftwConvolution> make_fftw_convolution(PerAxis<Index>, PerAxis<Index>, std::vector<float>, int) {
    return nullptr;
}

}  // namespace recon::benchmark
