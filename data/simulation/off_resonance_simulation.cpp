#include "data/simulation/off_resonance_simulation.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/backend/plans.hpp"
#include "core/base/error.hpp"
#include "core/fourier/voxel_grid.hpp"

namespace recon {
namespace {

double spot(const PerAxis<double>& r, const PerAxis<double>& centre, double width) {
    double square = 0;
    for (int axis = 0; axis < 3; ++axis) {
        square += (r[axis] - centre[axis]) * (r[axis] - centre[axis]);
    }
    return std::exp(-square / (2 * width * width));
}

constexpr PerAxis<double> sinuses{0, -0.26, 0.02};
constexpr PerAxis<double> right_ear{-0.27, 0.06, 0}, left_ear{0.27, 0.06, 0};

}  // namespace

double head_off_resonance(const PerAxis<double>& r) {
    return 0.85 * spot(r, sinuses, 0.13) - 0.45 * (spot(r, right_ear, 0.09) + spot(r, left_ear, 0.09)) + 0.3 * r[0] -
           0.2 * r[1];
}

double head_r2star(const PerAxis<double>& r) {
    return std::min(1.0,
                    0.4 + 0.6 * spot(r, sinuses, 0.13) + 0.3 * (spot(r, right_ear, 0.09) + spot(r, left_ear, 0.09)));
}

std::vector<cdouble> signal_with_off_resonance(Backend& backend, std::span<const cdouble> images,
                                               const PerAxis<Index>& matrix_size, Index coil_count,
                                               std::span<const float> off_resonance_hz,
                                               std::span<const float> r2star_per_s, const Trajectory& trajectory,
                                               std::span<const float> sample_times_s) {
    const VoxelGrid grid = VoxelGrid::image(matrix_size);
    const Index voxel_count = grid.shape.element_count();
    const Index sample_count = trajectory.sample_count();
    if (static_cast<Index>(images.size()) != voxel_count * coil_count ||
        static_cast<Index>(off_resonance_hz.size()) != voxel_count ||
        static_cast<Index>(r2star_per_s.size()) != voxel_count ||
        static_cast<Index>(sample_times_s.size()) != sample_count) {
        throw ShapeError("simulated off-resonance: images, maps or times are of the wrong size");
    }
    std::map<float, std::vector<Index>> samples_at;
    for (Index m = 0; m < sample_count; ++m) {
        samples_at[sample_times_s[m]].push_back(m);
    }
    std::vector<cdouble> signal(sample_count * coil_count);
    std::vector<cdouble> modulated(images.size());
    Array image(backend, grid.shape.with_axis("coil", coil_count), Precision::double_);
    for (const auto& group : samples_at) {
        const float time_s = group.first;
        const std::vector<Index>& samples = group.second;
#pragma omp parallel for schedule(static)
        for (Index n = 0; n < voxel_count; ++n) {
            const cdouble factor = std::polar(std::exp(-double{r2star_per_s[n]} * double{time_s}),
                                              -2 * pi * double{off_resonance_hz[n]} * double{time_s});
            for (Index coil = 0; coil < coil_count; ++coil) {
                modulated[coil * voxel_count + n] = factor * images[coil * voxel_count + n];
            }
        }
        const auto count = static_cast<Index>(samples.size());
        Trajectory part;
        for (int axis = 0; axis < 3; ++axis) {
            for (const Index m : samples) {
                part.k[axis].push_back(trajectory.k[axis][m]);
            }
        }
        upload(std::span<const cdouble>(modulated), image);
        Array values(backend, Shape::samples(count).with_axis("coil", coil_count), Precision::double_);
        backend.make_exact_sums(part, grid, Precision::double_)->forward(image, values);
        const auto host = download<double>(values);
        for (Index coil = 0; coil < coil_count; ++coil) {
            for (Index i = 0; i < count; ++i) {
                signal[coil * sample_count + samples[i]] = host[coil * count + i];
            }
        }
    }
    return signal;
}

}  // namespace recon
