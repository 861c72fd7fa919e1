#include "core/backend/counting/counting_plans.hpp"

#include <functional>
#include <utility>

namespace recon {
namespace {

/// @tparam sizes_of  PlanSizes::exact_sums or off_resonance_sums
template <PlanBytes (PlanSizes::*sizes_of)(const VoxelGrid&, Index, Index, Precision, std::size_t) const>
class CountingSums final : public FourierSums {
public:
    CountingSums(const CountingBooks& books, const VoxelGrid& grid, Index sample_count, Precision precision)
        : FourierSums(grid, sample_count, precision), books_(books), held_(books.make(sizes(1))) {}

private:
    PlanBytes sizes(Index image_count) const {
        return (books_.sizes.*sizes_of)(grid(), sample_count(), image_count, precision(), books_.piece_bytes());
    }
    void do_forward(ConstArrayView image, ArrayView) const override {
        books_.pass(sizes(image.shape().extent(3)).running);
    }
    void do_adjoint(ConstArrayView, ArrayView image) const override {
        books_.pass(sizes(image.shape().extent(3)).running);
    }

    CountingBooks books_;
    MemoryClaim held_;
};

class CountingGridding final : public GriddingPlan {
public:
    CountingGridding(const CountingBooks& books, const GriddingGeometry& geometry, Index sample_count,
                     Precision precision)
        : GriddingPlan(geometry, sample_count, precision),
          books_(books),
          geometry_(geometry),
          held_(books.make(sizes(1))) {}

    std::size_t plan_bytes() const override { return sizes(1).held; }
    std::size_t scratch_bytes(Index batch_count) const override { return sizes(batch_count).running; }

private:
    PlanBytes sizes(Index batch_count) const {
        return books_.sizes.gridding(geometry_, sample_count(), batch_count, precision(), books_.piece_bytes());
    }
    void do_spread(Index batch_count, ConstArrayView, ArrayView) const override {
        books_.pass(sizes(batch_count).running);
    }
    void do_interpolate(Index batch_count, ConstArrayView, ArrayView) const override {
        books_.pass(sizes(batch_count).running);
    }

    CountingBooks books_;
    GriddingGeometry geometry_;
    MemoryClaim held_;
};

class CountingPaddedFft final : public PaddedFftPlan {
public:
    CountingPaddedFft(const CountingBooks& books, const PaddedFftGeometry& geometry, Precision precision)
        : PaddedFftPlan(geometry, precision), books_(books), held_(books.make(sizes())) {}

private:
    PlanBytes sizes() const {
        return books_.sizes.padded_fft(image_shape().matrix_size(), grid_shape().matrix_size(), precision());
    }
    void do_forward(Index, ConstArrayView, ArrayView) const override { books_.pass(sizes().running); }
    void do_adjoint(Index, ArrayView, ArrayView) const override { books_.pass(sizes().running); }

    CountingBooks books_;
    MemoryClaim held_;
};

class CountingToeplitz final : public ToeplitzPlan {
public:
    using Sizes = std::function<PlanBytes(Index coil_count, Index plan_count)>;

    CountingToeplitz(const CountingBooks& books, std::shared_ptr<CountingScratch> scratch, const Shape& image_shape,
                     Precision precision, Sizes sizes, std::optional<Array> modulation = std::nullopt)
        : ToeplitzPlan(image_shape, precision),
          books_(books),
          scratch_(std::move(scratch)),
          sizes_(std::move(sizes)),
          modulation_(std::move(modulation)) {
        // Sizes are told with the scratch, which the first run makes; what making takes is beyond both.
        const PlanBytes bytes = sizes_(1, 1);
        own_bytes_ = sizes_(1, 2).held - bytes.held;
        held_ = books.make({own_bytes_, bytes.held + bytes.making - own_bytes_, 0});
    }

private:
    void do_apply(ConstArrayView, const std::optional<ConstArrayView>& coil_maps, ArrayView,
                  Accumulate) const override {
        const PlanBytes bytes = sizes_(coil_maps ? coil_maps->shape().extent(3) : 1, 1);
        scratch_->require(books_, bytes.held - own_bytes_);
        books_.pass(bytes.running);
    }

    CountingBooks books_;
    std::shared_ptr<CountingScratch> scratch_;
    Sizes sizes_;
    std::optional<Array> modulation_;
    std::size_t own_bytes_ = 0;  ///< of this plan alone: what one more adds
    MemoryClaim held_;
};

class CountingPositionSums final : public PositionSums {
public:
    using PositionSums::PositionSums;

private:
    void do_adjoint(ConstArrayView, ArrayView) const override {}
};

}  // namespace

std::unique_ptr<FourierSums> make_counting_exact_sums(const CountingBooks& books, const VoxelGrid& grid,
                                                      Index sample_count, Precision precision) {
    return std::make_unique<CountingSums<&PlanSizes::exact_sums>>(books, grid, sample_count, precision);
}

std::unique_ptr<FourierSums> make_counting_off_resonance_sums(const CountingBooks& books, const VoxelGrid& grid,
                                                              Index sample_count, Precision precision) {
    return std::make_unique<CountingSums<&PlanSizes::off_resonance_sums>>(books, grid, sample_count, precision);
}

std::unique_ptr<GriddingPlan> make_counting_gridding(const CountingBooks& books, const GriddingGeometry& geometry,
                                                     Index sample_count, Precision precision) {
    return std::make_unique<CountingGridding>(books, geometry, sample_count, precision);
}

std::unique_ptr<PaddedFftPlan> make_counting_padded_fft(const CountingBooks& books, const PaddedFftGeometry& geometry,
                                                        Precision precision) {
    return std::make_unique<CountingPaddedFft>(books, geometry, precision);
}

std::unique_ptr<PositionSums> make_counting_position_sums(Index sample_count, Index position_count,
                                                          Precision precision) {
    return std::make_unique<CountingPositionSums>(sample_count, position_count, precision);
}

std::unique_ptr<ToeplitzPlan> make_counting_toeplitz(const CountingBooks& books,
                                                     std::shared_ptr<CountingScratch> scratch, const Shape& image_shape,
                                                     Precision q_precision, std::optional<Array> modulation,
                                                     Precision precision) {
    return std::make_unique<CountingToeplitz>(
        books, std::move(scratch), image_shape, precision,
        [=](Index coil_count, Index plan_count) {
            return books.sizes.toeplitz(image_shape, coil_count, precision, q_precision, books.piece_bytes(),
                                        plan_count);
        },
        std::move(modulation));
}

std::unique_ptr<ToeplitzPlan> make_counting_circulant(const CountingBooks& books,
                                                      std::shared_ptr<CountingScratch> scratch,
                                                      const Shape& image_shape, const PerAxis<Index>& grid_size,
                                                      Precision precision) {
    return std::make_unique<CountingToeplitz>(
        books, std::move(scratch), image_shape, precision, [=](Index, Index plan_count) {
            return books.sizes.circulant(image_shape, grid_size, precision, books.piece_bytes(), plan_count);
        });
}

}  // namespace recon
