#include "app/reconstruction/check/low_resolution_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/reconstruction/check/band_plan.hpp"
#include "core/operators/encoding.hpp"
#include "core/operators/operator_algebra.hpp"
#include "core/operators/q_kernel.hpp"
#include "solver/conjugate_gradient.hpp"

namespace recon {
namespace {

constexpr int fit_iterations = 4;
constexpr SumsOptions q_options{SumsMethod::automatic, 1e-4, Precision::double_};

Shape of_coils(const Shape& shape, const Scan& probe) { return shape.with_axis("coil", probe.coil_count); }

/// S_c = m_c / sqrt(sum |m|^2), m the density weighted adjoint of the Hann windowed centre of k-space.
std::vector<cfloat> maps_of(const BandPlan& plan, const Scan& probe, Backend& backend) {
    double radius = 12;
    for (const Index extent : probe.geometry.matrix_size) {
        radius = extent > 1 ? std::min(radius, static_cast<double>(extent) / 4) : radius;
    }
    const Trajectory& trajectory = plan.trajectory();
    const Index sample_count = plan.sample_count();
    std::vector<cfloat> windowed = plan.kspace_of(probe);
    for (Index m = 0; m < sample_count; ++m) {
        const double k = std::hypot(trajectory.k[0][m], trajectory.k[1][m], trajectory.k[2][m]);
        const double hann = k < radius ? std::cos(pi * k / (2 * radius)) : 0;
        for (Index coil = 0; coil < probe.coil_count; ++coil) {
            windowed[coil * sample_count + m] *= static_cast<float>(hann * hann * plan.weights()[m]);
        }
    }
    Array data(backend, of_coils(Shape::samples(sample_count), probe), Precision::single);
    upload(std::span<const cfloat>(windowed), data);
    Array images(backend, of_coils(plan.image(), probe), Precision::single);
    plan.sums()->adjoint(data, images);
    std::vector<cfloat> maps = download<float>(images);
    const Index voxel_count = plan.image().element_count();
    for (Index n = 0; n < voxel_count; ++n) {
        double square = 0;
        for (Index coil = 0; coil < probe.coil_count; ++coil) {
            square += std::norm(cdouble(maps[coil * voxel_count + n]));
        }
        const auto scale = static_cast<float>(square > 0 ? 1 / std::sqrt(square) : 0);
        for (Index coil = 0; coil < probe.coil_count; ++coil) {
            maps[coil * voxel_count + n] *= scale;
        }
    }
    return maps;
}

/// The probe's maps, or those of its k-space.
std::shared_ptr<const CoilSensitivity> sensitivity(const BandPlan& plan, const Scan& probe, Backend& backend) {
    if (probe.coil_count == 1 && probe.coil_maps.empty()) {
        return std::make_shared<const CoilSensitivity>();
    }
    Array maps(backend, of_coils(plan.image(), probe), Precision::single);
    if (probe.coil_maps.empty()) {
        upload(std::span<const cfloat>(maps_of(plan, probe, backend)), maps);
    } else {
        upload(std::span<const cfloat>(probe.coil_maps), maps);
    }
    return std::make_shared<const CoilSensitivity>(std::move(maps));
}

}  // namespace

struct LowResolutionFits::Plan {
    BandPlan band;
    std::shared_ptr<const Array> roots;  ///< of the weights, [sample]
    std::shared_ptr<const ToeplitzPlan> toeplitz;

    Plan(const Scan& probe, Backend& backend) : band(probe, backend) {
        if (band.is_empty()) {
            return;
        }
        std::vector<cdouble> values(band.weights().begin(), band.weights().end());
        for (cdouble& root : values) {
            root = std::sqrt(root.real());
        }
        Array on_backend(backend, Shape::samples(band.sample_count()), Precision::single);
        upload(values, on_backend);
        roots = std::make_shared<const Array>(std::move(on_backend));
        const Array q = compute_q(backend, band.trajectory(), probe.geometry.matrix_size, band.weights(), q_options);
        toeplitz = backend.make_toeplitz(band.image(), q, Precision::single);
    }
};

LowResolutionFit LowResolutionFits::fit(const Scan& probe, std::vector<cfloat>* explained) {
    std::shared_ptr<const Plan> plan = first_;
    if (!plan || plan->band.source() != probe.frames.front().trajectory) {
        plan = std::make_shared<const Plan>(probe, backend_);
        first_ = first_ ? first_ : plan;
    }
    const BandPlan& band = plan->band;
    const Shape& shape = band.image();
    LowResolutionFit fit{.samples_per_voxel = static_cast<double>(band.sample_count() * probe.coil_count) /
                                              static_cast<double>(shape.element_count())};
    if (explained != nullptr) {
        explained->assign(probe.frames.front().kspace.size(), 0);
    }
    if (band.is_empty()) {
        return fit;
    }
    Array data(backend_, of_coils(Shape::samples(band.sample_count()), probe), Precision::single);
    upload(std::span<const cfloat>(band.kspace_of(probe)), data);
    for (Index coil = 0; coil < probe.coil_count; ++coil) {
        const ArrayView of_coil = data.view().slice(coil);
        backend_.multiply(Conjugate::no, *plan->roots, of_coil, Accumulate::no, of_coil);
    }
    const double energy = std::pow(norm(data), 2);
    if (!(energy > 0)) {
        return fit;
    }
    const Encoding encoding(backend_, {band.sums(), sensitivity(band, probe, backend_), plan->roots, plan->toeplitz});
    Array right(backend_, shape, Precision::single), image(backend_, shape, Precision::single),
        product(backend_, shape, Precision::single);
    encoding.adjoint(data, right);
    backend_.fill(0, image);
    const Normal normal(encoding);
    solve_cg(normal, right, image, {.iterations = fit_iterations, .guard_vectors = 0});
    encoding.normal(image, product);
    // |E x - d|^2 = |d|^2 - 2 Re x^H E^H d + x^H E^H E x
    const double square = energy - 2 * backend_.dot(image, right).real() + backend_.dot(image, product).real();
    fit.residual = std::sqrt(std::max(0.0, square) / energy);
    const double weight_sum = std::accumulate(band.weights().begin(), band.weights().end(), 0.0);
    if (explained != nullptr) {
        encoding.forward(image, data);
        std::vector<cfloat> values = download<float>(data);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double root = std::sqrt(band.weights()[i % band.weights().size()]);
            values[i] = root > 0 ? values[i] / static_cast<float>(root) : 0;
        }
        band.put_into(*explained, values);
    }
    fit.noise = noise_sigma_ * std::sqrt(weight_sum * static_cast<double>(probe.coil_count) / energy);
    return fit;
}

std::vector<cfloat> maps_of_centre(const Scan& probe, Backend& backend) {
    const BandPlan plan(probe, backend);
    return plan.is_empty() ? std::vector<cfloat>(plan.image().element_count() * probe.coil_count)
                           : maps_of(plan, probe, backend);
}

}  // namespace recon
