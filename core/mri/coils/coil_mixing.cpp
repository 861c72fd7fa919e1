#include "core/mri/coils/coil_mixing.hpp"

#include <algorithm>

#include "core/mri/coils/coil_mixing_row.hpp"

namespace recon {

void mix_coils(std::vector<cfloat>& values, const Eigen::MatrixXcd& mixing) {
    const Index coil_count = mixing.cols(), new_coil_count = mixing.rows();
    const Index length = static_cast<Index>(values.size()) / coil_count;
    values.resize(static_cast<std::size_t>(length * std::max(coil_count, new_coil_count)));
    const Eigen::MatrixXcf by_new_coil = mixing.transpose().cast<cfloat>();
#pragma omp parallel
    {
        std::vector<cfloat> row(static_cast<std::size_t>(coil_mixing_row * new_coil_count));
        std::vector<cfloat> rest(static_cast<std::size_t>(coil_mixing_row * coil_count));  // of what fills no row
#pragma omp for schedule(static)
        for (Index first = 0; first < length; first += coil_mixing_row) {
            const Index count = std::min(coil_mixing_row, length - first);
            const cfloat* from = values.data() + first;
            if (count < coil_mixing_row) {
                for (Index coil = 0; coil < coil_count; ++coil) {
                    std::copy_n(from + coil * length, count, rest.data() + coil * coil_mixing_row);
                }
            }
            const bool is_whole = count == coil_mixing_row;
            mix_row({by_new_coil.data(), coil_count, new_coil_count, is_whole ? from : rest.data(),
                     is_whole ? length : coil_mixing_row, row.data()});
            for (Index coil = 0; coil < new_coil_count; ++coil) {
                std::copy_n(row.data() + coil * coil_mixing_row, count, values.data() + coil * length + first);
            }
        }
    }
    values.resize(static_cast<std::size_t>(length * new_coil_count));
}

}  // namespace recon
