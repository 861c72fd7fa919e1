#include "app/python/binding/python_operators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.hpp"
#include "core/operators/operator_algebra.hpp"
#include "core/operators/sampling/nufft.hpp"
#include "core/operators/toeplitz_of_samples.hpp"
#include "solver/conjugate_gradient.hpp"

namespace recon {
namespace {

namespace nb = nanobind;

/// @throws UsageError for another number of dimensions than the image has
Trajectory trajectory_of(const GivenTrajectory& given, const Extents& image_extents) {
    const std::size_t dimensions = given.shape(1);
    if (dimensions != image_extents.size()) {
        throw UsageError(fmt::format("the trajectory has {} dimensions, the image {}; expected as many", dimensions,
                                     image_extents.size()));
    }
    Trajectory trajectory;
    for (std::size_t axis = 0; axis < trajectory.k.size(); ++axis) {
        std::vector<double>& k = trajectory.k[axis];
        k.assign(given.shape(0), 0);
        for (std::size_t m = 0; axis < dimensions && m < k.size(); ++m) {
            k[m] = given.data()[m * dimensions + axis];
        }
    }
    return trajectory;
}

PerAxis<Index> matrix_of(const Extents& image_extents) {
    PerAxis<Index> matrix{1, 1, 1};
    for (std::size_t axis = 0; axis < image_extents.size(); ++axis) {
        matrix.at(axis) = static_cast<Index>(image_extents[image_extents.size() - 1 - axis]);
    }
    return matrix;
}

Extents joined(Extents first, const Extents& then) {
    first.insert(first.end(), then.begin(), then.end());
    return first;
}

Index product_of(const Extents& extents) {
    return std::accumulate(extents.begin(), extents.end(), Index{1},
                           [](Index product, std::size_t extent) { return product * static_cast<Index>(extent); });
}

/// Ctrl-C ends the iterations.
class UntilCtrlC final : public IterationObserver {
public:
    bool iteration_done(int, double, ConstArrayView) override {
        const nb::gil_scoped_acquire python;
        return PyErr_CheckSignals() == 0;
    }
};

}  // namespace

PythonNufft::PythonNufft(const GivenTrajectory& trajectory, const OperatorSite& site)
    : shared_(shared_backend(site.device, site.thread_count)), site_(site) {
    const Trajectory positions = trajectory_of(trajectory, site.image_extents);
    const Turn turn(*shared_);
    sums_ = std::make_unique<Nufft>(*shared_->backend, positions, VoxelGrid::image(matrix_of(site.image_extents)),
                                    site.tolerance, site.precision);
}

Extents PythonNufft::batch_of(const GivenArray& given, const Extents& extents, const std::string& what) {
    if (given.ndim() < extents.size()) {
        throw UsageError(fmt::format("{}: found axes {}, expected {} or more", what, given.ndim(), extents.size()));
    }
    Extents batch;
    for (std::size_t axis = 0; axis < given.ndim() - extents.size(); ++axis) {
        batch.push_back(given.shape(axis));
    }
    return batch;
}

nb::object PythonNufft::forward(const GivenArray& image, const std::optional<ResultArray>& out) const {
    const std::string what = "Nufft.forward: the image", result = "Nufft.forward: the samples";
    const Extents batch = batch_of(image, site_.image_extents, what);
    const Index count = product_of(batch);
    return ForeignCall(shared_).run(image, {what, joined(batch, site_.image_extents), site_.precision},
                                    sums_->grid().shape.with_axis("batch", count),
                                    {result, joined(batch, site_.sample_extents), site_.precision},
                                    Shape::samples(sums_->sample_count()).with_axis("batch", count), out,
                                    [this](ConstArrayView x, ArrayView y) { sums_->forward(x, y); });
}

nb::object PythonNufft::adjoint(const GivenArray& samples, const std::optional<ResultArray>& out) const {
    const std::string what = "Nufft.adjoint: the samples", result = "Nufft.adjoint: the image";
    const Extents batch = batch_of(samples, site_.sample_extents, what);
    const Index count = product_of(batch);
    return ForeignCall(shared_).run(samples, {what, joined(batch, site_.sample_extents), site_.precision},
                                    Shape::samples(sums_->sample_count()).with_axis("batch", count),
                                    {result, joined(batch, site_.image_extents), site_.precision},
                                    sums_->grid().shape.with_axis("batch", count), out,
                                    [this](ConstArrayView x, ArrayView y) { sums_->adjoint(x, y); });
}

PythonEncoding::PythonEncoding(const GivenTrajectory& trajectory, const std::optional<GivenArray>& coil_maps,
                               const std::optional<GivenWeights>& weights, bool toeplitz, const OperatorSite& site)
    : shared_(shared_backend(site.device, site.thread_count)), site_(site) {
    const Trajectory positions = trajectory_of(trajectory, site.image_extents);
    const PerAxis<Index> matrix = matrix_of(site.image_extents);
    const std::size_t coil_count = coil_maps && coil_maps->ndim() > 0 ? coil_maps->shape(0) : 1;
    kspace_extents_ = joined({coil_count}, site.sample_extents);
    std::vector<double> w(weights ? weights->data() : nullptr, weights ? weights->data() + weights->size() : nullptr);
    if (weights && static_cast<Index>(w.size()) != positions.sample_count()) {
        throw UsageError(fmt::format("there are {} weights for {} samples", w.size(), positions.sample_count()));
    }
    for (const double weight : w) {
        if (!(weight >= 0) || !std::isfinite(weight)) {
            throw UsageError(fmt::format("a weight is {}, expected numbers from 0 on", weight));
        }
    }
    q_of_zero_ = weights ? std::accumulate(w.begin(), w.end(), 0.0) : static_cast<double>(positions.sample_count());
    std::optional<Array> maps;
    if (coil_maps) {
        maps = ForeignCall(shared_).copy_of(
            *coil_maps, {"Encoding: the coil maps", joined({coil_count}, site.image_extents), site.precision},
            Shape::image(matrix).with_axis("coil", static_cast<Index>(coil_count)));
    }

    const Turn turn(*shared_);
    Backend& backend = *shared_->backend;
    if (maps && !std::isfinite(norm(*maps))) {  // summed in double
        throw UsageError("Encoding: the coil maps hold values that are not finite (NaN or infinity), expected numbers");
    }
    auto coils = maps ? std::make_shared<CoilSensitivity>(*std::move(maps)) : std::make_shared<CoilSensitivity>();
    Encoding::Parts parts{
        .sums = std::make_shared<Nufft>(backend, positions, VoxelGrid::image(matrix), site.tolerance, site.precision),
        .coils = std::move(coils),
        .sample_factors = nullptr,
        .toeplitz = nullptr};
    if (toeplitz) {
        parts.toeplitz = toeplitz_of_samples(
            backend,
            {positions, matrix, w, {SumsMethod::automatic, site.tolerance, Precision::double_}, site.precision});
    }
    const auto factors = [&] {
        auto array = std::make_shared<Array>(backend, Shape::samples(positions.sample_count()), site.precision);
        upload_real(w, *array);
        return array;
    };
    if (weights) {
        weighted_ = std::make_unique<Encoding>(backend, Encoding::Parts{parts.sums, parts.coils, factors(), nullptr});
        std::transform(w.begin(), w.end(), w.begin(), [](double weight) { return std::sqrt(weight); });
        parts.sample_factors = factors();
    }
    encoding_ = std::make_unique<Encoding>(backend, std::move(parts));
}

nb::object PythonEncoding::coil_maps() const {
    nb::object found = nb::none();
    encoding_->coils().for_each_piece(
        [&](Index, const std::optional<ConstArrayView>& maps) {  // which are all on the backend: one piece
            if (maps) {
                found = ForeignCall(shared_).host_copy(*maps, joined({kspace_extents_.front()}, site_.image_extents));
            }
        },
        site_.precision);
    return found;
}

nb::object PythonEncoding::weighted_adjoint(const GivenArray& given) const {
    const Encoding& encoding = weighted_ ? *weighted_ : *encoding_;
    return ForeignCall(shared_).run(given, kspace("solve: the k-space"), encoding_->codomain(),
                                    image("solve: the image"), encoding_->domain(), std::nullopt,
                                    [&](ConstArrayView x, ArrayView y) { encoding.adjoint(x, y); });
}

nb::object PythonEncoding::forward(const GivenArray& given, const std::optional<ResultArray>& out) const {
    return ForeignCall(shared_).run(given, image("forward: the image"), encoding_->domain(),
                                    kspace("forward: the k-space"), encoding_->codomain(), out,
                                    [this](ConstArrayView x, ArrayView y) { encoding_->forward(x, y); });
}

nb::object PythonEncoding::adjoint(const GivenArray& given, const std::optional<ResultArray>& out) const {
    return ForeignCall(shared_).run(given, kspace("adjoint: the k-space"), encoding_->codomain(),
                                    image("adjoint: the image"), encoding_->domain(), out,
                                    [this](ConstArrayView x, ArrayView y) { encoding_->adjoint(x, y); });
}

nb::object PythonEncoding::normal(const GivenArray& given, const std::optional<ResultArray>& out) const {
    return ForeignCall(shared_).run(given, image("normal: the image"), encoding_->domain(), image("normal: the result"),
                                    encoding_->domain(), out,
                                    [this](ConstArrayView x, ArrayView y) { encoding_->normal(x, y); });
}

PythonSolution PythonEncoding::solve_normal(const GivenArray& right_hand_side, double lambda, int iterations,
                                            double stop) const {
    if (!(lambda >= 0) || !std::isfinite(lambda) || iterations < 1 || !(stop >= 0)) {
        throw UsageError("lambda and stop are numbers from 0 on, iterations is 1 or more");
    }
    const Normal normal(*encoding_);
    const Identity identity(*shared_->backend, encoding_->domain(), site_.precision);
    const Sum regularised(normal, lambda * q_of_zero_, identity);
    const LinearOperator& system = lambda > 0 ? static_cast<const LinearOperator&>(regularised) : normal;
    UntilCtrlC observer;
    CgReport report;
    nb::object image_found = ForeignCall(shared_).run(
        right_hand_side, image("solve: the right-hand side"), encoding_->domain(), image("solve: the image"),
        encoding_->domain(), std::nullopt, [&](ConstArrayView b, ArrayView x) {
            shared_->backend->fill(0, x);
            report = solve_cg(system, b, x, {.iterations = iterations, .stop = stop}, &observer);
        });
    if (PyErr_Occurred()) {
        throw nb::python_error();
    }
    return {std::move(image_found), report.iterations, report.true_residual, std::string(name_of(report.stopped_by)),
            report.residuals};
}

}  // namespace recon
