#include "app/reconstruction/check/positions/fitted_factors.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <span>

#include "app/reconstruction/check/fits/low_resolution_fit.hpp"
#include "core/mri/check/gauss_newton_step.hpp"
#include "core/operators/operator_algebra.hpp"
#include "solver/conjugate_gradient.hpp"

namespace recon {
namespace {

using Samples = std::vector<cfloat>;

double norm_of(std::span<const cfloat> values) {
    return std::sqrt(std::accumulate(values.begin(), values.end(), 0.0,
                                     [](double sum, cfloat value) { return sum + std::norm(cdouble(value)); }));
}

Scan with_fixes(const Scan& probe, const std::vector<ScanFix>& fixes) {
    Scan changed = probe;
    for (const ScanFix& fix : fixes) {
        apply(fix, changed);
    }
    return changed;
}

/// How samples move with the factor of a fix: dk/df.
Trajectory derivative(const Scan& scan, ScanFix fix) {
    constexpr double step = 1e-4;
    fix.factor = 1 + step;
    Scan moved = scan;
    apply(fix, moved);
    Trajectory change = *moved.frames.front().trajectory;
    const Trajectory& before = *scan.frames.front().trajectory;
    for (int axis = 0; axis < 3; ++axis) {
        for (std::size_t m = 0; m < change.k[axis].size(); ++m) {
            change.k[axis][m] = (change.k[axis][m] - before.k[axis][m]) / step;
        }
    }
    return change;
}

/// One weighted fit, and what is left of it.
class SharpFit {
public:
    SharpFit(const Scan& probe, Backend& backend)
        : backend_(backend),
          probe_(probe),
          plan_(probe, band_of_fit(probe.geometry.matrix_size, FitDetail::sharp), backend) {
        if (!plan_.is_empty()) {
            encoding_ = plan_.encoding(probe);
            fit(plan_.data(probe));
        }
    }

    /// The same again, of data of the image and new noise, in each coil as much as was left: what is found there that
    /// is not in the data is the error of the method, as weights and few iterations make it.
    void repeat_on_itself() {
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

    bool is_empty() const { return plan_.is_empty() || !(energy() > 0); }
    double energy() const { return std::pow(norm(*kspace_), 2); }
    const Samples& rest() const { return rest_; }
    const std::vector<double>& weights() const { return plan_.band().weights(); }

    /// The change of E rho with the positions of the samples, without what another image would explain.
    /// @param change  of the positions of all samples of the probe
    Samples unexplained_change(const Trajectory& change) const {
        Samples sum(rest_.size());
        const std::vector<Index>& inside = plan_.band().inside();
        for (int axis = 0; axis < 3; ++axis) {
            if (probe_.geometry.matrix_size[axis] > 1) {
                const Samples product = times_position(axis);
                for (std::size_t i = 0; i < sum.size(); ++i) {
                    const auto m = static_cast<std::size_t>(inside[i % inside.size()]);
                    sum[i] += cfloat(0, static_cast<float>(-2 * pi * change.k[axis][m])) * product[i];
                }
            }
        }
        Array data(backend_, kspace_->shape(), Precision::single);
        upload(std::span<const cfloat>(sum), data);
        return download<float>(remainder(data, image_of(data)));
    }

private:
    void fit(Array data) {
        kspace_ = std::move(data);
        image_ = image_of(*kspace_);
        rest_ = download<float>(remainder(*kspace_, *image_));
    }

    Array image_of(const Array& data) const {
        const Shape& shape = plan_.band().image();
        Array right(backend_, shape, Precision::single), image(backend_, shape, Precision::single);
        encoding_->adjoint(data, right);
        backend_.fill(0, image);
        const Normal normal(*encoding_);
        solve_cg(normal, right, image, {.iterations = iterations_of_fit(FitDetail::sharp), .guard_vectors = 0});
        return image;
    }

    Array remainder(const Array& data, const Array& image) const {
        Array rest(backend_, data.shape(), Precision::single);
        encoding_->forward(image, rest);
        backend_.axpby(1, data, -1, rest);
        return rest;
    }

    /// sqrt(w) F S r rho, r along an axis in fields of view.
    Samples times_position(int axis) const {
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

    Backend& backend_;
    const Scan& probe_;
    WeightedPlan plan_;
    std::unique_ptr<const Encoding> encoding_;
    std::optional<Array> kspace_, image_;
    Samples rest_;
};

/// By Gauss and Newton.
std::optional<GaussNewtonStep> step_of(const SharpFit& fit, const Scan& changed, const std::vector<ScanFix>& fixes) {
    std::vector<Samples> changes;
    for (const ScanFix& fix : fixes) {
        changes.push_back(fit.unexplained_change(derivative(changed, fix)));
    }
    return gauss_newton_step(changes, fit.rest(), fit.weights());
}

}  // namespace

std::optional<FittedFactors> fit_factors(const Scan& probe, std::vector<ScanFix> fixes, Backend& backend) {
    constexpr int most_rounds = 4;
    constexpr double largest_step = 0.15, at_rest = 0.01;  // what is missing then is of its square
    FittedFactors found;
    found.fixes = std::move(fixes);
    double noise_before = 0;
    for (int round = 0;; ++round) {
        const Scan changed = with_fixes(probe, found.fixes);
        SharpFit fit(changed, backend);
        if (fit.is_empty()) {
            return std::nullopt;
        }
        const double weight_sum = std::accumulate(fit.weights().begin(), fit.weights().end(), 0.0);
        const double noise = std::sqrt(weight_sum / fit.energy());
        found.residual = norm_of(fit.rest()) / std::sqrt(fit.energy());
        if (round == 0) {
            found.residual_before = found.residual;
            noise_before = noise;
        }
        found.noise_ratio = noise / noise_before;
        const auto step = step_of(fit, changed, found.fixes);
        if (!step) {
            return std::nullopt;
        }
        found.deviations = step->deviations;
        double largest = 0;
        for (std::size_t i = 0; i < found.fixes.size(); ++i) {
            const double value = std::clamp(step->values[i], -largest_step, largest_step);
            largest = std::max(largest, std::abs(value));
            found.fixes[i].factor *= 1 + value;
        }
        if (largest < at_rest || round + 1 == most_rounds) {
            if (round > 0) {  // else the factors are 1, or nearly
                fit.repeat_on_itself();
                const auto error = step_of(fit, changed, found.fixes);
                for (std::size_t i = 0; error && i < found.fixes.size(); ++i) {
                    found.fixes[i].factor /= 1 + error->values[i];
                    found.deviations[i] = std::hypot(step->deviations[i], error->deviations[i]);
                }
            }
            return found;
        }
    }
}

}  // namespace recon
