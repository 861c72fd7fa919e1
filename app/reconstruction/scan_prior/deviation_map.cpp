#include "app/reconstruction/scan_prior/deviation_map.hpp"

#include <algorithm>
#include <cmath>

#include "core/backend/backend.hpp"
#include "core/mri/priors/local_variance.hpp"

namespace recon {

NamedArray deviation_map(const char* name, ArrayView squares, Index samples, double energy, const Support* support) {
    Backend& backend = squares.backend();
    const PerAxis<Index> matrix_size = squares.shape().matrix_size();
    Array ones(backend, squares.shape(), squares.precision());
    backend.fill(1, ones);
    const double sum = backend.dot(ones, squares).real();
    constexpr double numbers_wanted = 50;
    const double volume = numbers_wanted / static_cast<double>(samples);
    const auto axis_count = std::count_if(matrix_size.begin(), matrix_size.end(), [](Index n) { return n > 1; });
    if (volume > 1 && axis_count > 0) {  // the sum of squared weights of a Gaussian of this width is 1 / volume
        const double width = std::pow(volume, 1 / static_cast<double>(axis_count)) / std::sqrt(4 * pi);
        smooth(width, squares);
        if (support != nullptr) {
            support->restrict_to_support(ones);
            smooth(width, ones);
            support->restrict_to_support(squares);
        }
    }
    const double scale = sum > 0 ? energy / sum : 0;
    const std::vector<cdouble> sums = download<double>(squares), weights = download<double>(ones);
    std::vector<float> sd(sums.size());
    std::transform(
        sums.begin(), sums.end(), weights.begin(), sd.begin(), [scale](const cdouble& sum, const cdouble& weight) {
            const double variance = weight.real() > 0 ? scale * std::max(sum.real(), 0.0) / weight.real() : 0;
            return static_cast<float>(std::sqrt(variance));
        });
    const auto [x, y, z] = matrix_size;
    return {name, {"z", "y", "x"}, {z, y, x}, std::move(sd), ""};
}

}  // namespace recon
