#include "app/reconstruction/check/low_resolution_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/mri/density_compensation.hpp"
#include "core/mri/resample.hpp"
#include "core/operators/encoding.hpp"
#include "core/operators/operator_algebra.hpp"
#include "core/operators/q_kernel.hpp"
#include "solver/conjugate_gradient.hpp"

namespace recon {
namespace {

constexpr Index most_coils = 8;
constexpr int iterations = 4;
constexpr SumsOptions sums_options{SumsMethod::automatic, 1e-4, Precision::single};
constexpr SumsOptions q_options{SumsMethod::automatic, 1e-4, Precision::double_};

int axis_count(const PerAxis<Index>& matrix_size) {
    return static_cast<int>(std::count_if(matrix_size.begin(), matrix_size.end(), [](Index n) { return n > 1; }));
}

PerAxis<Index> coarse_matrix(const PerAxis<Index>& matrix_size) {
    constexpr std::array<Index, 4> most_voxels{1, 64, 32, 16};  // along an axis of images with so many axes
    const Index most = most_voxels[axis_count(matrix_size)];
    PerAxis<Index> coarse{};
    std::transform(matrix_size.begin(), matrix_size.end(), coarse.begin(),
                   [&](Index extent) { return std::min(extent, most); });
    return coarse;
}

bool is_within(const Trajectory& trajectory, Index m, const PerAxis<Index>& matrix_size) {
    for (int axis = 0; axis < 3; ++axis) {
        if (matrix_size[axis] > 1 && std::abs(trajectory.k[axis][m]) > static_cast<double>(matrix_size[axis]) / 2) {
            return false;
        }
    }
    return true;
}

std::vector<Index> all_coils(Index coil_count) {
    std::vector<Index> coils(coil_count);
    std::iota(coils.begin(), coils.end(), 0);
    return coils;
}

/// The coils of the most energy, those of none left out, in ascending order.
std::vector<Index> strongest_coils(const Frame& frame, Index coil_count) {
    const Index sample_count = frame.sample_count();
    std::vector<double> energy(coil_count, 0.0);
    for (Index coil = 0; coil < coil_count; ++coil) {
        for (Index m = 0; m < sample_count; ++m) {
            energy[coil] += std::norm(cdouble(frame.kspace[coil * sample_count + m]));
        }
    }
    std::vector<Index> coils = all_coils(coil_count);
    std::erase_if(coils, [&](Index coil) { return !(energy[coil] > 0); });
    std::stable_sort(coils.begin(), coils.end(), [&](Index a, Index b) { return energy[a] > energy[b]; });
    coils.resize(std::min<std::size_t>(coils.size(), most_coils));
    std::sort(coils.begin(), coils.end());
    return coils;
}

/// Samples of every stride-th pair of readouts, so that what alternates from readout to readout is there.
std::vector<Index> chosen_samples(const Scan& scan, const Frame& frame, const PerAxis<Index>& matrix_size) {
    const Index sample_count = frame.sample_count();
    Index inside = 0;
    for (Index m = 0; m < sample_count; ++m) {
        inside += is_within(*frame.trajectory, m, matrix_size) ? 1 : 0;
    }
    constexpr Index enough_for_a_voxel = 6;
    const Index enough = enough_for_a_voxel * Shape::image(matrix_size).element_count();
    const Index length = scan.samples_per_readout > 0 ? scan.samples_per_readout : 1;
    const Index stride = std::max<Index>(1, inside / std::max<Index>(1, enough));
    std::vector<Index> chosen;
    for (Index m = 0; m < sample_count; ++m) {
        if (m / (2 * length) % stride == 0) {
            chosen.push_back(m);
        }
    }
    return chosen;
}

/// K-space of the chosen coils and samples.
std::vector<cfloat> chosen_kspace(const Frame& frame, const std::vector<Index>& coils,
                                  const std::vector<Index>& samples) {
    std::vector<cfloat> kspace;
    kspace.reserve(coils.size() * samples.size());
    for (const Index coil : coils) {
        for (const Index m : samples) {
            kspace.push_back(frame.kspace[coil * frame.sample_count() + m]);
        }
    }
    return kspace;
}

std::vector<cfloat> coarse_maps(const Scan& scan, const Geometry& coarse) {
    const Index voxel_count = Shape::image(scan.geometry.matrix_size).element_count();
    Geometry fine = scan.geometry;
    Geometry target = coarse;
    for (Geometry* geometry : {&fine, &target}) {  // the same field of view, whatever it is
        geometry->orientation.reset();
        geometry->field_of_view_mm = {1, 1, 1};
    }
    std::vector<cfloat> maps;
    for (Index coil = 0; coil < scan.coil_count; ++coil) {
        const std::span<const cfloat> map(scan.coil_maps.data() + coil * voxel_count, voxel_count);
        const std::vector<cfloat> resampled = resample<cfloat>(map, fine, target, "coil maps").voxels;
        maps.insert(maps.end(), resampled.begin(), resampled.end());
    }
    return maps;
}

/// The samples of a probe inside its band, of some of its coils, with weights and sums.
struct BandProblem {
    Trajectory trajectory;
    std::vector<cfloat> kspace;  ///< [sample coil]
    std::vector<double> weights;
    std::shared_ptr<const FourierSums> sums;
    Shape image;
    Index coil_count;

    BandProblem(const Scan& probe, const std::vector<Index>& coils, Backend& backend)
        : image(Shape::image(probe.geometry.matrix_size)), coil_count(static_cast<Index>(coils.size())) {
        const Frame& frame = probe.frames.front();
        std::vector<Index> inside;
        for (Index m = 0; m < frame.sample_count(); ++m) {
            if (is_within(*frame.trajectory, m, probe.geometry.matrix_size)) {
                inside.push_back(m);
                for (int axis = 0; axis < 3; ++axis) {
                    trajectory.k[axis].push_back(frame.trajectory->k[axis][m]);
                }
            }
        }
        kspace = chosen_kspace(frame, coils, inside);
        if (inside.empty() || coils.empty()) {
            return;
        }
        constexpr int rough = 5;
        weights = pipe_menon_weights(backend, trajectory, probe.geometry.matrix_size, rough);
        const VoxelGrid grid = VoxelGrid::image(probe.geometry.matrix_size);
        sums = make_fourier_sums(backend, trajectory, grid,
                                 choose_sums(backend, sums_options, sample_count(), grid, coil_count), sums_options);
    }
    Index sample_count() const { return trajectory.sample_count(); }
    bool is_empty() const { return !sums; }
    Shape samples_of_coils() const { return Shape::samples(sample_count()).with_axis("coil", coil_count); }
    Shape images_of_coils() const { return image.with_axis("coil", coil_count); }
};

/// S_c = m_c / sqrt(sum |m|^2), m the density weighted adjoint of the Hann windowed centre of k-space.
std::vector<cfloat> maps_of(const BandProblem& problem, Backend& backend) {
    double radius = 12;
    for (const Index extent : problem.image.matrix_size()) {
        radius = extent > 1 ? std::min(radius, static_cast<double>(extent) / 4) : radius;
    }
    const Trajectory& trajectory = problem.trajectory;
    const Index sample_count = problem.sample_count();
    std::vector<cfloat> windowed(problem.kspace);
    for (Index m = 0; m < sample_count; ++m) {
        const double k = std::hypot(trajectory.k[0][m], trajectory.k[1][m], trajectory.k[2][m]);
        const double hann = k < radius ? std::cos(pi * k / (2 * radius)) : 0;
        for (Index coil = 0; coil < problem.coil_count; ++coil) {
            windowed[coil * sample_count + m] *= static_cast<float>(hann * hann * problem.weights[m]);
        }
    }
    Array data(backend, problem.samples_of_coils(), Precision::single);
    upload(std::span<const cfloat>(windowed), data);
    Array images(backend, problem.images_of_coils(), Precision::single);
    problem.sums->adjoint(data, images);
    std::vector<cfloat> maps = download<float>(images);
    const Index voxel_count = problem.image.element_count();
    for (Index n = 0; n < voxel_count; ++n) {
        double square = 0;
        for (Index coil = 0; coil < problem.coil_count; ++coil) {
            square += std::norm(cdouble(maps[coil * voxel_count + n]));
        }
        const auto scale = static_cast<float>(square > 0 ? 1 / std::sqrt(square) : 0);
        for (Index coil = 0; coil < problem.coil_count; ++coil) {
            maps[coil * voxel_count + n] *= scale;
        }
    }
    return maps;
}

/// The probe's maps of these coils, or those of its k-space.
std::shared_ptr<const CoilSensitivity> sensitivity(const BandProblem& problem, const Scan& probe,
                                                   const std::vector<Index>& coils, Backend& backend) {
    if (probe.coil_count == 1 && probe.coil_maps.empty()) {
        return std::make_shared<const CoilSensitivity>();
    }
    std::vector<cfloat> values;
    if (probe.coil_maps.empty()) {
        values = maps_of(problem, backend);
    } else {
        const Index voxel_count = problem.image.element_count();
        for (const Index coil : coils) {
            const auto map = probe.coil_maps.begin() + coil * voxel_count;
            values.insert(values.end(), map, map + voxel_count);
        }
    }
    Array maps(backend, problem.images_of_coils(), Precision::single);
    upload(std::span<const cfloat>(values), maps);
    return std::make_shared<const CoilSensitivity>(std::move(maps));
}

}  // namespace

Scan calibration_probe(const Scan& scan) {
    Frame first = scan.frames.front();
    first.load();
    Scan probe;
    probe.path = scan.path;
    probe.geometry = scan.geometry;
    probe.geometry.matrix_size = coarse_matrix(scan.geometry.matrix_size);
    probe.samples_per_readout = scan.samples_per_readout;
    const std::vector<Index> samples = chosen_samples(scan, first, probe.geometry.matrix_size);
    probe.coil_count = scan.coil_count;
    auto trajectory = std::make_shared<Trajectory>();
    for (int axis = 0; axis < 3; ++axis) {
        for (const Index m : samples) {
            trajectory->k[axis].push_back(first.trajectory->k[axis][m]);
        }
    }
    Frame frame;
    frame.trajectory = trajectory;
    frame.kspace = chosen_kspace(first, all_coils(scan.coil_count), samples);
    probe.frames.push_back(std::move(frame));
    if (!scan.coil_maps.empty()) {
        probe.coil_maps = coarse_maps(scan, probe.geometry);
    }
    return probe;
}

std::vector<cfloat> maps_of_centre(const Scan& probe, Backend& backend) {
    const BandProblem problem(probe, all_coils(probe.coil_count), backend);
    return problem.is_empty() ? std::vector<cfloat>(problem.image.element_count() * probe.coil_count)
                              : maps_of(problem, backend);
}

LowResolutionFit fit_at_low_resolution(const Scan& probe, Backend& backend, double noise_sigma) {
    const std::vector<Index> coils = strongest_coils(probe.frames.front(), probe.coil_count);
    const BandProblem problem(probe, coils, backend);
    LowResolutionFit fit{.residual = 1,
                         .samples_per_voxel = static_cast<double>(problem.sample_count() * problem.coil_count) /
                                              static_cast<double>(problem.image.element_count())};
    if (problem.is_empty()) {
        return fit;
    }
    const std::vector<double>& weights = problem.weights;
    std::vector<cdouble> roots(weights.begin(), weights.end());
    for (cdouble& root : roots) {
        root = std::sqrt(root.real());
    }
    Array factors(backend, Shape::samples(problem.sample_count()), Precision::single);
    upload(roots, factors);
    const auto shared_factors = std::make_shared<const Array>(std::move(factors));
    Array data(backend, problem.samples_of_coils(), Precision::single);
    upload(std::span<const cfloat>(problem.kspace), data);
    for (Index coil = 0; coil < problem.coil_count; ++coil) {
        const ArrayView of_coil = data.view().slice(coil);
        backend.multiply(Conjugate::no, *shared_factors, of_coil, Accumulate::no, of_coil);
    }
    const double energy = std::pow(norm(data), 2);
    if (!(energy > 0)) {
        return fit;
    }
    const Array q = compute_q(backend, problem.trajectory, probe.geometry.matrix_size, weights, q_options);
    const Encoding encoding(backend, {problem.sums, sensitivity(problem, probe, coils, backend), shared_factors,
                                      backend.make_toeplitz(problem.image, q, Precision::single)});
    Array right(backend, problem.image, Precision::single), image(backend, problem.image, Precision::single),
        product(backend, problem.image, Precision::single);
    encoding.adjoint(data, right);
    backend.fill(0, image);
    const Normal normal(encoding);
    solve_cg(normal, right, image, {.iterations = iterations, .guard_vectors = 0});
    encoding.normal(image, product);
    // |E x - d|^2 = |d|^2 - 2 Re x^H E^H d + x^H E^H E x
    const double square = energy - 2 * backend.dot(image, right).real() + backend.dot(image, product).real();
    fit.residual = std::sqrt(std::max(0.0, square) / energy);
    const double weight_sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    fit.noise = noise_sigma * std::sqrt(weight_sum * static_cast<double>(problem.coil_count) / energy);
    return fit;
}

}  // namespace recon
