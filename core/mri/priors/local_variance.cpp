#include "core/mri/priors/local_variance.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace recon {
namespace {

constexpr double image_width_voxels = 0.7;
constexpr double error_width_voxels = 4;
constexpr double cut_widths = 3;  ///< where the Gaussian ends
/// v below this part of its mean is that of empty air, and no steeper prior than this is of use.
constexpr double least_variance = 1e-6;

std::vector<double> gaussian(double width) {
    std::vector<double> weights;
    for (Index i = 0; static_cast<double>(i) <= std::ceil(cut_widths * width); ++i) {
        weights.push_back(std::exp(-0.5 * std::pow(static_cast<double>(i) / width, 2)));
    }
    return weights;
}

/// A line of n neighbours.
void smooth_line(std::span<const double> weights, Index n, const double* from, double* to) {
    const auto reach = static_cast<Index>(weights.size()) - 1;
    for (Index i = 0; i < n; ++i) {
        double value = 0, sum = 0;
        for (Index j = std::max<Index>(0, i - reach); j <= std::min(n - 1, i + reach); ++j) {
            const double weight = weights[static_cast<std::size_t>(std::abs(i - j))];
            sum += weight;
            value += weight * from[j];
        }
        to[i] = value / sum;
    }
}

/// Value i of `n` that are `stride` apart, in `stride` neighbouring lines at once.
void smooth_row(std::span<const double> weights, Index i, Index n, Index stride, const double* from, double* to) {
    const auto reach = static_cast<Index>(weights.size()) - 1;
    std::fill(to, to + stride, 0.0);
    double sum = 0;
    for (Index j = std::max<Index>(0, i - reach); j <= std::min(n - 1, i + reach); ++j) {
        const double weight = weights[static_cast<std::size_t>(std::abs(i - j))];
        const double* in = from + j * stride;
        sum += weight;
        for (Index line = 0; line < stride; ++line) {
            to[line] += weight * in[line];
        }
    }
    for (Index line = 0; line < stride; ++line) {
        to[line] /= sum;
    }
}

/// |values|^2, smoothed.
std::vector<double> smoothed_energy(PerAxis<Index> matrix_size, double width_voxels, std::span<const cfloat> values) {
    std::vector<double> energy(values.size());
#pragma omp parallel for schedule(static)
    for (std::size_t n = 0; n < values.size(); ++n) {
        energy[n] = std::norm(cdouble(values[n]));
    }
    smooth(matrix_size, width_voxels, energy);
    return energy;
}

}  // namespace

void smooth(PerAxis<Index> matrix_size, double width_voxels, std::vector<double>& values) {
    if (!(width_voxels > 0)) {
        return;
    }
    const std::vector<double> weights = gaussian(width_voxels);
    std::vector<double> before;
    Index stride = 1;
    for (int axis = 0; axis < 3; ++axis) {
        const Index n = matrix_size[axis];
        if (n > 1) {
            before.swap(values);
            values.resize(before.size());
            const Index rows = static_cast<Index>(values.size()) / stride;
#pragma omp parallel for schedule(static)
            for (Index row = 0; row < rows; row += stride == 1 ? n : 1) {
                const double* line = before.data() + (row - row % n) * stride;
                double* to = values.data() + row * stride;
                if (stride == 1) {
                    smooth_line(weights, n, line, to);
                } else {
                    smooth_row(weights, row % n, n, stride, line, to);
                }
            }
        }
        stride *= n;
    }
}

std::vector<double> local_variance(PerAxis<Index> matrix_size, std::span<const cfloat> of_image,
                                   std::span<const cfloat> of_error) {
    const auto voxels = static_cast<std::size_t>(matrix_size[0] * matrix_size[1] * matrix_size[2]);
    std::vector<double> variance(of_image.size());
    for (std::size_t first = 0; first < of_image.size(); first += voxels) {
        const std::vector<double> shown =
            smoothed_energy(matrix_size, image_width_voxels, of_image.subspan(first, voxels));
        const std::vector<double> added =
            smoothed_energy(matrix_size, error_width_voxels, of_error.subspan(first, voxels));
#pragma omp parallel for schedule(static)
        for (std::size_t n = 0; n < voxels; ++n) {
            variance[first + n] = shown[n] + added[n];
        }
    }
    const double mean = std::accumulate(variance.begin(), variance.end(), 0.0) / static_cast<double>(variance.size());
#pragma omp parallel for schedule(static)
    for (std::size_t n = 0; n < variance.size(); ++n) {
        variance[n] = mean > 0 ? std::max(variance[n], least_variance * mean) : 1;
    }
    return variance;
}

}  // namespace recon
