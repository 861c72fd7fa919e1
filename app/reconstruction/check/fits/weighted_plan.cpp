#include "app/reconstruction/check/fits/weighted_plan.hpp"

#include <algorithm>
#include <cmath>

#include "core/operators/toeplitz_of_samples.hpp"

namespace recon {
namespace {

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

WeightedPlan::WeightedPlan(const Scan& probe, const PerAxis<Index>& band, Backend& backend)
    : backend_(backend), band_(probe, band, backend) {
    if (band_.is_empty()) {
        return;
    }
    std::vector<cdouble> values(band_.weights().begin(), band_.weights().end());
    for (cdouble& root : values) {
        root = std::sqrt(root.real());
    }
    Array on_backend(backend, Shape::samples(band_.sample_count()), Precision::single);
    upload(values, on_backend);
    roots_ = std::make_shared<Array>(std::move(on_backend));
    toeplitz_ = toeplitz_of_samples(
        backend, {band_.trajectory(), probe.geometry.matrix_size, band_.weights(), q_options, Precision::single});
}

std::unique_ptr<const Encoding> WeightedPlan::encoding(const Scan& probe) const {
    return std::make_unique<const Encoding>(
        backend_, Encoding::Parts{band_.sums(), sensitivity(band_, probe, backend_), roots_, toeplitz_});
}

Array WeightedPlan::data(const std::vector<cfloat>& kspace_inside) const {
    const Index coil_count = std::ssize(kspace_inside) / band_.sample_count();
    Array data(backend_, Shape::samples(band_.sample_count()).with_axis("coil", coil_count), Precision::single);
    upload(std::span<const cfloat>(kspace_inside), data);
    for (Index coil = 0; coil < coil_count; ++coil) {
        const ArrayView of_coil = data.view().slice(coil);
        backend_.multiply(Conjugate::no, *roots_, of_coil, Accumulate::no, of_coil);
    }
    return data;
}

std::vector<cfloat> maps_of_centre(const Scan& probe, Backend& backend) {
    const BandPlan plan(probe, probe.geometry.matrix_size, backend);
    return plan.is_empty() ? std::vector<cfloat>(plan.image().element_count() * probe.coil_count)
                           : maps_of(plan, probe, backend);
}

}  // namespace recon
