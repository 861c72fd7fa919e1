#pragma once

#include <functional>
#include <memory>
#include <span>

#include "core/backend/plans.hpp"
#include "core/operators/even_grid.hpp"
#include "core/operators/linear_operator.hpp"

namespace recon {

/// Points of the grid of frequencies on which a circulant operator on images is diagonal: the matrix size, or the next
/// one with a fast FFT.
PerAxis<Index> circulant_grid(PerAxis<Index> matrix_size);

/// Numbers at the points of circulant_grid [x y z] in FFT order, which are made where they are needed: writes those
/// from `first` on. Called by several threads.
using FrequencyRuns = std::function<void(Index first, std::span<double> values)>;

/// Those of a function of the number of a point.
template <class Value>
FrequencyRuns of_each_frequency(Value value) {
    return [value](Index first, std::span<double> values) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = value(static_cast<std::size_t>(first) + i);
        }
    };
}

/// Those that are even along each axis, by the place of a point in the octant.
template <class Value>
FrequencyRuns of_even_frequencies(const EvenGrid& grid, Value value) {
    return [grid, value](Index first, std::span<double> values) {
        grid.visit(first, first + std::ssize(values), [&](Index i, Index at) {
            values[static_cast<std::size_t>(i - first)] = value(static_cast<std::size_t>(at));
        });
    };
}

/// x -> crop F^-1 (h F pad x), F the FFT on circulant_grid: self-adjoint and positive definite.
class CirculantFilter final : public LinearOperator {
public:
    /// @param factors  h  @throws ShapeError unless all are positive and finite
    CirculantFilter(Backend& backend, const Shape& image_shape, const FrequencyRuns& factors, Precision precision);

    /// y = conj(d) (this of d x), or that added to it. @param d  [x y z]  @param y  neither x nor d
    void between(ConstArrayView d, ConstArrayView x, Accumulate accumulate, ArrayView y) const {
        plan_->apply(x, d.reshaped(domain().with_axis("coil", 1)), y, accumulate);
    }

private:
    void do_forward(ConstArrayView x, ArrayView y) const override { plan_->apply(x, std::nullopt, y); }
    void do_adjoint(ConstArrayView y, ArrayView x) const override { do_forward(y, x); }

    std::unique_ptr<const ToeplitzPlan> plan_;
};

}  // namespace recon
