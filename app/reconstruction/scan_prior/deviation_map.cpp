#include "app/reconstruction/scan_prior/deviation_map.hpp"

#include <algorithm>
#include <cmath>

#include "core/backend/backend.hpp"
#include "core/backend/transfer_by_pieces.hpp"
#include "core/mri/priors/local_variance.hpp"

namespace recon {

DeviationMap::DeviationMap(ConstArrayView image, double unit)
    : scale_(unit > 0 ? 1 / unit : 0),
      squares_(image.backend(), image.shape(), image.precision()),
      scaled_(image.backend(), image.shape(), image.precision()) {
    image.backend().fill(0, squares_);
}

void DeviationMap::add(ConstArrayView draw) {
    Backend& backend = squares_.backend();
    backend.copy(draw, scaled_);
    backend.scale(scale_, scaled_);
    backend.multiply(Conjugate::yes, scaled_, scaled_, Accumulate::yes, squares_);
    ++draw_count_;
}

NamedArray DeviationMap::take(const char* name, double energy, const Support* support) {
    Backend& backend = squares_.backend();
    const PerAxis<Index> matrix_size = squares_.shape().matrix_size();
    ArrayView weights = scaled_;
    backend.fill(1, weights);
    const double sum = backend.dot(weights, squares_).real();
    constexpr double numbers_wanted = 50;
    const double volume = numbers_wanted / static_cast<double>(std::max<Index>(draw_count_, 1));
    const auto axis_count = std::count_if(matrix_size.begin(), matrix_size.end(), [](Index n) { return n > 1; });
    if (volume > 1 && axis_count > 0) {  // the sum of squared weights of a Gaussian of this width is 1 / volume
        const double width = std::pow(volume, 1 / static_cast<double>(axis_count)) / std::sqrt(4 * pi);
        smooth(width, squares_);
        if (support != nullptr) {
            support->restrict_to_support(weights);
            smooth(width, weights);
            backend.divide(squares_, weights, squares_);
            support->restrict_to_support(squares_);
        }
    }
    backend.square_root(squares_);
    const double scale = sum > 0 ? std::sqrt(energy / sum) : 0;
    auto sd = unwritten_vector<float>(static_cast<std::size_t>(listed_size(squares_)));
    download_by_pieces(squares_, [&](std::size_t i, cfloat root) {
        sd[i] = static_cast<float>(scale * static_cast<double>(root.real()));
    });
    const auto [x, y, z] = matrix_size;
    return {name, {"z", "y", "x"}, {z, y, x}, std::move(sd), ""};
}

}  // namespace recon
