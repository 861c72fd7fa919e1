#include "core/mri/coils/coil_mixing.hpp"

#include <algorithm>

#include "core/base/host_pages.hpp"
#include "core/mri/coils/coil_mixing_row.hpp"

namespace recon {
namespace {

/// A few elements of all coils, side by side: coils that are far apart in memory are read and written a page at a time.
class Block {
public:
    static constexpr Index length = 32 * coil_mixing_row;

    explicit Block(Index coil_count) : values_(static_cast<std::size_t>(coil_count * stride)) {}
    cfloat* of_coil(Index coil) { return values_.data() + coil * stride; }

    static constexpr Index stride = length + coil_mixing_row;  // no power of two, which caches have trouble with

private:
    std::vector<cfloat> values_;
};

}  // namespace

void mix_coils(std::vector<cfloat>& values, const Eigen::MatrixXcd& mixing) {
    const Index coil_count = mixing.cols(), new_coil_count = mixing.rows();
    const Index length = static_cast<Index>(values.size()) / coil_count;
    values.resize(static_cast<std::size_t>(length * std::max(coil_count, new_coil_count)));
    const Eigen::MatrixXcf by_new_coil = mixing.transpose().cast<cfloat>();
#pragma omp parallel
    {
        Block from(coil_count), to(new_coil_count);
#pragma omp for schedule(static)
        for (Index first = 0; first < length; first += Block::length) {
            const Index count = std::min(Block::length, length - first);
            for (Index coil = 0; coil < coil_count; ++coil) {
                std::copy_n(values.data() + coil * length + first, count, from.of_coil(coil));
            }
            for (Index row = 0; row < count; row += coil_mixing_row) {
                mix_row({by_new_coil.data(), coil_count, new_coil_count, from.of_coil(0) + row, Block::stride,
                         to.of_coil(0) + row, Block::stride});
            }
            for (Index coil = 0; coil < new_coil_count; ++coil) {
                std::copy_n(to.of_coil(coil), count, values.data() + coil * length + first);
            }
        }
    }
    values.resize(static_cast<std::size_t>(length * new_coil_count));
    give_back_pages(values.data() + values.size(), (values.capacity() - values.size()) * sizeof(cfloat));
}

}  // namespace recon
