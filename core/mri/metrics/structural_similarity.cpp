#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/shape.hpp"
#include "core/mri/metrics/image_metrics.hpp"

namespace recon {

namespace {

constexpr Index radius = 5;  // 11 voxels wide
constexpr double sigma = 1.5;
constexpr double k1 = 0.01, k2 = 0.03;
constexpr Index planes_per_chunk = 32;  // fixed, so that the sum does not depend on the number of threads

/// exp(-u^2 / 2 sigma^2) for u = -radius ... radius. Not normalised: every sum is divided by its own weights.
std::array<double, 2 * radius + 1> gaussian() {
    std::array<double, 2 * radius + 1> weights{};
    for (Index u = -radius; u <= radius; ++u) {
        weights[u + radius] = std::exp(-static_cast<double>(u * u) / (2 * sigma * sigma));
    }
    return weights;
}

const std::array<double, 2 * radius + 1> window = gaussian();

/// 1 / sum of the weights that fall inside an axis, for each position of the window.
std::vector<double> inverse_weight_sums(Index extent) {
    std::vector<double> inverse(extent);
    for (Index i = 0; i < extent; ++i) {
        double sum = 0;
        for (Index j = std::max<Index>(0, i - radius); j <= std::min(extent - 1, i + radius); ++j) {
            sum += window[j - i + radius];
        }
        inverse[i] = 1 / sum;
    }
    return inverse;
}

/// Local means of x, y, x^2, y^2, x y: what SSIM is made of.
constexpr int moment_count = 5;

/// One z-range of the volume: moments filtered in-plane plane by plane, kept for as long as the window along z needs
/// them.
class SsimChunk {
public:
    explicit SsimChunk(PerAxis<Index> size)
        : size_(size),
          plane_(size[0] * size[1]),
          inverse_{inverse_weight_sums(size[0]), inverse_weight_sums(size[1]), inverse_weight_sums(size[2])},
          ring_(ring_planes() * moment_count * plane_),
          rows_(plane_),
          padded_(size[0] + 2 * radius),
          local_(moment_count * size[0]) {}

    /// Sum of SSIM over the planes first ... last - 1.
    double sum(const float* x, const float* y, Index first, Index last, double c1, double c2) {
        double total = 0;
        Index ready = std::max<Index>(0, first - radius);  // planes below are filtered
        for (Index z = first; z < last; ++z) {
            for (; ready <= std::min(size_[2] - 1, z + radius); ++ready) {
                filter_plane(x + ready * plane_, y + ready * plane_, ready);
            }
            total += plane_sum(z, c1, c2);
        }
        return total;
    }

private:
    Index ring_planes() const { return std::min(size_[2], 2 * radius + 1); }
    double* moment(Index z, int which) { return ring_.data() + ((z % ring_planes()) * moment_count + which) * plane_; }

    void filter_plane(const float* x, const float* y, Index z) {
        for (int which = 0; which < moment_count; ++which) {
            for (Index row = 0; row < size_[1]; ++row) {
                const float* xr = x + row * size_[0];
                const float* yr = y + row * size_[0];
                filter_row(which, xr, yr, rows_.data() + row * size_[0]);
            }
            filter_columns(moment(z, which));
        }
    }

    void filter_row(int which, const float* x, const float* y, double* out) {
        double* values = padded_.data() + radius;  // zeros on both sides add nothing
        for (Index i = 0; i < size_[0]; ++i) {
            const double a = x[i], b = y[i];
            values[i] = which == 0 ? a : which == 1 ? b : which == 2 ? a * a : which == 3 ? b * b : a * b;
        }
        for (Index i = 0; i < size_[0]; ++i) {
            double sum = 0;
            for (Index u = 0; u <= 2 * radius; ++u) {
                sum += window[u] * padded_[i + u];
            }
            out[i] = sum * inverse_[0][i];
        }
    }

    void filter_columns(double* out) {
        for (Index row = 0; row < size_[1]; ++row) {
            double* target = out + row * size_[0];
            std::fill_n(target, size_[0], 0.0);
            for (Index j = std::max<Index>(0, row - radius); j <= std::min(size_[1] - 1, row + radius); ++j) {
                const double weight = window[j - row + radius] * inverse_[1][row];
                const double* source = rows_.data() + j * size_[0];
                for (Index i = 0; i < size_[0]; ++i) {
                    target[i] += weight * source[i];
                }
            }
        }
    }

    double plane_sum(Index z, double c1, double c2) {
        double total = 0;
        const Index width = size_[0];
        for (Index row = 0; row < size_[1]; ++row) {
            std::fill(local_.begin(), local_.end(), 0.0);
            for (Index j = std::max<Index>(0, z - radius); j <= std::min(size_[2] - 1, z + radius); ++j) {
                const double weight = window[j - z + radius] * inverse_[2][z];
                for (int which = 0; which < moment_count; ++which) {
                    const double* source = moment(j, which) + row * width;
                    double* target = local_.data() + which * width;
                    for (Index i = 0; i < width; ++i) {
                        target[i] += weight * source[i];
                    }
                }
            }
            const double *mx = local_.data(), *my = mx + width, *mxx = my + width, *myy = mxx + width,
                         *mxy = myy + width;
            double row_sum = 0;
            for (Index i = 0; i < width; ++i) {
                // [Wang 2004, eq. 13]; rounding must not make a variance negative
                const double vx = std::max(0.0, mxx[i] - mx[i] * mx[i]);
                const double vy = std::max(0.0, myy[i] - my[i] * my[i]);
                const double covariance = mxy[i] - mx[i] * my[i];
                row_sum += (2 * mx[i] * my[i] + c1) * (2 * covariance + c2) /
                           ((mx[i] * mx[i] + my[i] * my[i] + c1) * (vx + vy + c2));
            }
            total += row_sum;
        }
        return total;
    }

    PerAxis<Index> size_;
    Index plane_;
    PerAxis<std::vector<double>> inverse_;
    std::vector<double> ring_;    ///< [x y moment plane]
    std::vector<double> rows_;    ///< [x y], filtered along x
    std::vector<double> padded_;  ///< one row with zeros on both sides
    std::vector<double> local_;   ///< [x moment], filtered along all axes
};

}  // namespace

double mean_ssim(std::span<const float> image, std::span<const float> reference, PerAxis<Index> matrix_size,
                 double peak) {
    const Index voxel_count = Shape::image(matrix_size).element_count();
    if (static_cast<Index>(image.size()) != voxel_count || image.size() != reference.size() || !(peak > 0)) {
        throw ShapeError(fmt::format("SSIM: {} and {} voxels for {}, peak {}", image.size(), reference.size(),
                                     Shape::image(matrix_size).text(), peak));
    }
    const double c1 = (k1 * peak) * (k1 * peak), c2 = (k2 * peak) * (k2 * peak);

    const Index chunk_count = (matrix_size[2] + planes_per_chunk - 1) / planes_per_chunk;
    std::vector<double> sums(chunk_count);
    // Scratch is allocated here because an exception must not leave the parallel region.
    std::vector<SsimChunk> chunks(std::min<Index>(omp_get_max_threads(), chunk_count), SsimChunk(matrix_size));
#pragma omp parallel for schedule(dynamic) num_threads(static_cast <int>(chunks.size()))
    for (Index chunk = 0; chunk < chunk_count; ++chunk) {
        const Index first = chunk * planes_per_chunk;
        const Index last = std::min(first + planes_per_chunk, matrix_size[2]);
        sums[chunk] = chunks[omp_get_thread_num()].sum(image.data(), reference.data(), first, last, c1, c2);
    }
    double total = 0;
    for (const double sum : sums) {
        total += sum;
    }
    return total / static_cast<double>(voxel_count);
}

}  // namespace recon
