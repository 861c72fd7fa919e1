#pragma once

#include <memory>

#include "core/backend/plan_sizes.hpp"
#include "core/base/memory_budget.hpp"

namespace recon {

/// Books that plans enter what they hold and take into.
struct CountingBooks {
    MemoryBudget& memory;
    const PlanSizes& sizes;

    std::size_t piece_bytes() const { return memory.piece_bytes(); }
    /// Enters what a plan holds, and for a moment what making it takes besides.
    MemoryClaim make(const PlanBytes& bytes) const {
        MemoryClaim held(memory, bytes.held);
        pass(bytes.making);
        return held;
    }
    void pass(std::size_t bytes) const { const MemoryClaim for_a_moment(memory, bytes); }
};

/// What the Toeplitz plans of a backend share while they run: made by the first run, grown by larger ones.
class CountingScratch {
public:
    void require(const CountingBooks& books, std::size_t bytes) {
        if (bytes > bytes_) {
            claim_ = MemoryClaim();
            claim_ = MemoryClaim(books.memory, bytes);
            bytes_ = bytes;
        }
    }

private:
    MemoryClaim claim_;
    std::size_t bytes_ = 0;
};

std::unique_ptr<FourierSums> make_counting_exact_sums(const CountingBooks&, const VoxelGrid&, Index sample_count,
                                                      Precision);
std::unique_ptr<FourierSums> make_counting_off_resonance_sums(const CountingBooks&, const VoxelGrid&,
                                                              Index sample_count, Precision);
std::unique_ptr<GriddingPlan> make_counting_gridding(const CountingBooks&, const GriddingGeometry&, Index sample_count,
                                                     Precision);
std::unique_ptr<PaddedFftPlan> make_counting_padded_fft(const CountingBooks&, const PaddedFftGeometry&, Precision);
std::unique_ptr<PositionSums> make_counting_position_sums(Index sample_count, Index position_count, Precision);
std::unique_ptr<ToeplitzPlan> make_counting_toeplitz(const CountingBooks&, std::shared_ptr<CountingScratch>,
                                                     const Shape& image_shape, Precision q_precision,
                                                     std::optional<Array> modulation, Precision);
std::unique_ptr<ToeplitzPlan> make_counting_circulant(const CountingBooks&, std::shared_ptr<CountingScratch>,
                                                      const Shape& image_shape, const PerAxis<Index>& grid_size,
                                                      Precision);

}  // namespace recon
