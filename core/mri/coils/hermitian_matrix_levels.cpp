#include "core/mri/coils/hermitian_matrix.hpp"

namespace recon {

namespace cpu_v3 {
[[gnu::weak]] AddGramMatrix add_gram_matrix;
[[gnu::weak]] SpectrumOfHermitian spectrum_of_hermitian;
[[gnu::weak]] ProjectionOnLargest projection_on_largest;
}  // namespace cpu_v3
namespace cpu_v4 {
[[gnu::weak]] AddGramMatrix add_gram_matrix;
[[gnu::weak]] SpectrumOfHermitian spectrum_of_hermitian;
[[gnu::weak]] ProjectionOnLargest projection_on_largest;
}  // namespace cpu_v4

void add_gram_matrix(const cdouble* a, Index row_count, Index column_count, cdouble* matrix) {
    at_cpu_level<AddGramMatrix>(&cpu_base::add_gram_matrix, &cpu_v3::add_gram_matrix, &cpu_v4::add_gram_matrix)(
        a, row_count, column_count, matrix);
}

HermitianSpectrum spectrum_of_hermitian(const std::vector<cdouble>& matrix) {
    return at_cpu_level<SpectrumOfHermitian>(&cpu_base::spectrum_of_hermitian, &cpu_v3::spectrum_of_hermitian,
                                             &cpu_v4::spectrum_of_hermitian)(matrix);
}

std::vector<cdouble> projection_on_largest(const HermitianSpectrum& spectrum, Index count) {
    return at_cpu_level<ProjectionOnLargest>(&cpu_base::projection_on_largest, &cpu_v3::projection_on_largest,
                                             &cpu_v4::projection_on_largest)(spectrum, count);
}

}  // namespace recon
