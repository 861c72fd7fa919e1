#include "core/mri/coils/coil_mixing.hpp"

#include <algorithm>

namespace recon {

std::vector<cfloat> mix_coils(const std::vector<cfloat>& values, const Eigen::MatrixXcd& mixing) {
    constexpr Index rows_at_once = 4096;
    const Index element_count = static_cast<Index>(values.size()) / mixing.cols();
    const Eigen::Map<const Eigen::MatrixXcf> from(values.data(), element_count, mixing.cols());
    std::vector<cfloat> result(element_count * mixing.rows());
    Eigen::Map<Eigen::MatrixXcf> to(result.data(), element_count, mixing.rows());
#pragma omp parallel for schedule(static)
    for (Index row = 0; row < element_count; row += rows_at_once) {
        const Index count = std::min(rows_at_once, element_count - row);
        to.middleRows(row, count) = (from.middleRows(row, count).cast<cdouble>() * mixing.transpose()).cast<cfloat>();
    }
    return result;
}

}  // namespace recon
