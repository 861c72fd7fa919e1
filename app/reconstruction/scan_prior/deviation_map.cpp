#include "app/reconstruction/scan_prior/deviation_map.hpp"

#include <algorithm>
#include <cmath>

#include "core/mri/priors/local_variance.hpp"

namespace recon {

NamedArray deviation_map(std::vector<double> variance, PerAxis<Index> matrix_size, Index samples) {
    constexpr double numbers_wanted = 50;
    const double volume = numbers_wanted / static_cast<double>(samples);
    const auto axis_count = std::count_if(matrix_size.begin(), matrix_size.end(), [](Index n) { return n > 1; });
    if (volume > 1) {  // the sum of squared weights of a Gaussian of this width is 1 / volume
        smooth(matrix_size, std::pow(volume, 1 / static_cast<double>(axis_count)) / std::sqrt(4 * pi), variance);
    }
    std::vector<float> sd;
    for (const double square : variance) {
        sd.push_back(static_cast<float>(std::sqrt(square)));
    }
    const auto [x, y, z] = matrix_size;
    return {"uncertainty/sd", {"z", "y", "x"}, {z, y, x}, std::move(sd), ""};
}

}  // namespace recon
