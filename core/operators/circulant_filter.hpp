#pragma once

#include <atomic>
#include <cmath>
#include <memory>
#include <type_traits>

#include "core/backend/plans.hpp"
#include "core/backend/transfer_by_pieces.hpp"
#include "core/operators/linear_operator.hpp"

namespace recon {

/// Points of the grid of frequencies on which a circulant operator on images is diagonal: the matrix size, or the next
/// one with a fast FFT.
PerAxis<Index> circulant_grid(PerAxis<Index> matrix_size);

/// x -> crop F^-1 (h F pad x), F the FFT on circulant_grid: self-adjoint and positive definite.
class CirculantFilter final : public LinearOperator {
public:
    /// @param factor  h of element i of circulant_grid [x y z] in FFT order; called by several threads
    /// @throws ShapeError unless all are positive and finite
    template <class Factor>
    requires std::is_invocable_r_v<double, Factor, std::size_t> CirculantFilter(Backend& backend,
                                                                                const Shape& image_shape,
                                                                                Factor&& factor, Precision precision)
        : CirculantFilter(backend, image_shape, precision) {
        const auto count = static_cast<double>(listed_size(factors_));
        std::atomic<bool> is_positive = true;
        upload_by_pieces(factors_, [&](std::size_t i) {
            const double value = factor(i);
            if (!(value > 0 && std::isfinite(value))) {
                is_positive.store(false, std::memory_order_relaxed);
            }
            return value / count;
        });
        require_positive(is_positive);
    }

private:
    CirculantFilter(Backend& backend, const Shape& image_shape, Precision precision);
    void require_positive(bool is_positive) const;
    void do_forward(ConstArrayView x, ArrayView y) const override;
    void do_adjoint(ConstArrayView y, ArrayView x) const override { do_forward(y, x); }

    std::unique_ptr<const PaddedFftPlan> fft_;
    Array factors_;  ///< [x y z batch]
};

}  // namespace recon
