#include "app/reconstruction/check/positions/sharp_fit.hpp"

#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "app/reconstruction/check/fits/low_resolution_fit.hpp"
#include "core/operators/operator_algebra.hpp"
#include "solver/conjugate_gradient.hpp"

namespace recon {
namespace {

using Samples = std::vector<cfloat>;

double norm_of(std::span<const cfloat> values) {
    return std::sqrt(std::accumulate(values.begin(), values.end(), 0.0,
                                     [](double sum, cfloat value) { return sum + std::norm(cdouble(value)); }));
}

}  // namespace

SharpFit::SharpFit(const Scan& probe, Backend& backend)
    : backend_(backend),
      probe_(probe),
      plan_(probe, band_of_fit(probe.geometry.matrix_size, FitDetail::sharp), backend) {
    if (!plan_.is_empty()) {
        encoding_ = plan_.encoding(probe);
        fit(plan_.data(probe));
    }
}

double SharpFit::energy() const { return std::pow(norm(*kspace_), 2); }

double SharpFit::residual() const { return norm_of(rest_) / std::sqrt(energy()); }

std::optional<GaussNewtonStep> SharpFit::step(const std::vector<Trajectory>& changes) const {
    PerAxis<Samples> products;
    for (int axis = 0; axis < 3; ++axis) {
        if (probe_.geometry.matrix_size[axis] > 1) {
            products[axis] = times_position(axis);
        }
    }
    std::vector<Samples> columns;
    for (const Trajectory& change : changes) {
        columns.push_back(unexplained_change(change, products));
    }
    return gauss_newton_step(columns, rest_, weights());
}

void SharpFit::repeat_on_itself() {
    const double weight_sum = std::accumulate(weights().begin(), weights().end(), 0.0);
    Array data(backend_, kspace_->shape(), Precision::single);
    backend_.fill_white(0, 0, data);
    Samples noise = download<float>(data);
    const std::size_t count = weights().size();
    for (std::size_t first = 0; first < noise.size(); first += count) {
        const double sigma = norm_of(std::span(rest_).subspan(first, count)) / std::sqrt(weight_sum);
        for (std::size_t m = 0; m < count; ++m) {
            noise[first + m] *= static_cast<float>(sigma * std::sqrt(weights()[m]));
        }
    }
    Array added(backend_, kspace_->shape(), Precision::single);
    upload(std::span<const cfloat>(noise), added);
    encoding_->forward(*image_, data);
    backend_.axpby(1, added, 1, data);
    fit(std::move(data));
}

void SharpFit::fit(Array data) {
    kspace_ = std::move(data);
    image_ = image_of(*kspace_);
    rest_ = download<float>(remainder(*kspace_, *image_));
}

Array SharpFit::image_of(const Array& data) const {
    const Shape& shape = plan_.band().image();
    Array right(backend_, shape, Precision::single), image(backend_, shape, Precision::single);
    encoding_->adjoint(data, right);
    backend_.fill(0, image);
    const Normal normal(*encoding_);
    solve_cg(normal, right, image, {.iterations = iterations_of_fit(FitDetail::sharp), .guard_vectors = 0});
    return image;
}

Array SharpFit::remainder(const Array& data, const Array& image) const {
    Array rest(backend_, data.shape(), Precision::single);
    encoding_->forward(image, rest);
    backend_.axpby(1, data, -1, rest);
    return rest;
}

/// sqrt(w) F S r rho, r along an axis in fields of view.
Samples SharpFit::times_position(int axis) const {
    const PerAxis<Index>& size = probe_.geometry.matrix_size;
    std::vector<cfloat> voxels = download<float>(*image_);
    Index n = 0;
    for (Index z = 0; z < size[2]; ++z) {
        for (Index y = 0; y < size[1]; ++y) {
            for (Index x = 0; x < size[0]; ++x) {
                const Index at = axis == 0 ? x : axis == 1 ? y : z;
                voxels[static_cast<std::size_t>(n++)] *=
                    static_cast<float>(at - size[axis] / 2) / static_cast<float>(size[axis]);
            }
        }
    }
    Array moved(backend_, image_->shape(), Precision::single), seen(backend_, kspace_->shape(), Precision::single);
    upload(std::span<const cfloat>(voxels), moved);
    encoding_->forward(moved, seen);
    return download<float>(seen);
}

/// The change of E rho with the positions of the samples, without what another image would explain.
Samples SharpFit::unexplained_change(const Trajectory& change, const PerAxis<Samples>& products) const {
    Samples sum(rest_.size());
    const std::vector<Index>& inside = plan_.band().inside();
    for (int axis = 0; axis < 3; ++axis) {
        for (std::size_t i = 0; i < products[axis].size(); ++i) {
            const auto m = static_cast<std::size_t>(inside[i % inside.size()]);
            sum[i] += cfloat(0, static_cast<float>(-2 * pi * change.k[axis][m])) * products[axis][i];
        }
    }
    Array data(backend_, kspace_->shape(), Precision::single);
    upload(std::span<const cfloat>(sum), data);
    return download<float>(remainder(data, image_of(data)));
}

}  // namespace recon
