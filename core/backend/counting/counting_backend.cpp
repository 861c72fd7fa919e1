#include "core/backend/counting/counting_backend.hpp"

#include <atomic>
#include <cstdint>

#include "core/backend/coil_matrices.hpp"
#include "core/backend/counting/counting_plans.hpp"

namespace recon {
namespace {

/// Nothing to compute: the operands were checked before. Only lists of places, singular values and
/// eigenvectors take memory.
class CountingImagePrimitives final : public ImagePrimitives {
private:
    void do_difference(int, ConstArrayView, ArrayView) const override {}
    void do_add_adjoint_difference(int, ConstArrayView, ArrayView) const override {}
    void do_pick(const PerAxis<std::vector<Index>>& places, ConstArrayView x, ArrayView) const override {
        const Backend& backend = x.backend();
        const std::size_t count = places[0].size() + places[1].size() + places[2].size();
        const MemoryClaim for_a_moment(backend.memory(), backend.memory_is_host() ? 0 : count * sizeof(Index));
    }
    void do_smooth(int, std::span<const double>, ConstArrayView, ArrayView) const override {}
    void do_difference_normal(const DifferenceWeights&, ConstArrayView, ArrayView) const override {}
    void do_joint_magnitudes(ConstArrayView, ArrayView) const override {}
    void do_soft_threshold(double, Index, ArrayView) const override {}
    void do_wavelet_step(const WaveletStep&, ConstArrayView, ArrayView) const override {}
    void do_shrink_singular_values(double, const BlockGrid& blocks, ConstArrayView x, ArrayView,
                                   ArrayView) const override {
        const Backend& backend = x.backend();
        const MemoryClaim for_a_moment(backend.memory(),
                                       backend.plan_sizes().singular_values(x.shape().extent(3), blocks.count()));
    }
    void do_dominant_eigenvectors(const CoilMatrices& matrices, Index, Index, ArrayView,
                                  ArrayView found) const override {
        const Backend& backend = found.backend();
        const MemoryClaim for_a_moment(
            backend.memory(), backend.plan_sizes().dominant_eigenvectors(matrices.sizes(), found.shape().extent(2)));
    }
};

class CountingBackend final : public Backend {
public:
    explicit CountingBackend(const Backend& like) : like_(like), memory_("forecast for " + like.name()) {}

    std::string name() const override { return like_.name(); }
    std::string description() const override { return "books of " + like_.name() + ", without its work"; }
    std::size_t memory_free_bytes() const override { return memory_.left(); }
    MemoryBudget& memory() const override { return memory_; }
    bool memory_is_host() const override { return like_.memory_is_host(); }

    void* allocate(std::size_t bytes) override {
        memory_.take(bytes);
        constexpr std::size_t alignment = 64;
        // NOLINTNEXTLINE(performance-no-int-to-ptr): addresses of nothing
        return reinterpret_cast<void*>(next_address_.fetch_add((bytes / alignment + 1) * alignment));
    }
    void deallocate(void*, std::size_t bytes) noexcept override { memory_.give_back(bytes); }

    void upload(const void*, Precision host_precision, ArrayView array) override {
        pass_conversion(host_precision, array);
    }
    void download(ConstArrayView array, void*, Precision host_precision) override {
        pass_conversion(host_precision, array);
    }
    void synchronize() override {}
    bool computes() const override { return false; }

    const ImagePrimitives& image_primitives() const override { return image_primitives_; }

    const PlanSizes& plan_sizes() const override { return like_.plan_sizes(); }
    double predicted_exact_seconds(const VoxelGrid& grid, Index sample_count, Index transform_count,
                                   Precision precision) const override {
        return like_.predicted_exact_seconds(grid, sample_count, transform_count, precision);
    }
    double predicted_nufft_seconds(const NufftDesign& design, Index sample_count, Index transform_count,
                                   Precision precision) const override {
        return like_.predicted_nufft_seconds(design, sample_count, transform_count, precision);
    }
    double predicted_toeplitz_seconds(const Shape& image_shape, Index coil_count, Precision precision) const override {
        return like_.predicted_toeplitz_seconds(image_shape, coil_count, precision);
    }
    const CpuCosts& nufft_design_costs() const override { return like_.nufft_design_costs(); }

    std::unique_ptr<FourierSums> make_exact_sums(const Trajectory& trajectory, const VoxelGrid& grid,
                                                 Precision precision) override {
        return make_counting_exact_sums(books(), grid, trajectory.sample_count(), precision);
    }
    std::unique_ptr<GriddingPlan> make_gridding(const Trajectory& trajectory, const GriddingGeometry& geometry,
                                                Precision precision) override {
        return make_counting_gridding(books(), geometry, trajectory.sample_count(), precision);
    }
    std::unique_ptr<PaddedFftPlan> make_padded_fft(const PaddedFftGeometry& geometry, Precision precision) override {
        return make_counting_padded_fft(books(), geometry, precision);
    }
    std::unique_ptr<ToeplitzPlan> make_toeplitz(const Shape& image_shape, ConstArrayView q, Precision precision,
                                                std::optional<Array> modulation) override {
        ToeplitzPlan::require_parts(image_shape, q, precision, modulation);
        return make_counting_toeplitz(books(), toeplitz_scratch(), image_shape, q.precision(), std::move(modulation),
                                      precision);
    }
    std::unique_ptr<ToeplitzPlan> make_circulant(const Shape& image_shape, ConstArrayView factors,
                                                 Precision precision) override {
        ToeplitzPlan::require_factors(image_shape, factors);
        return make_counting_circulant(books(), toeplitz_scratch(), image_shape, factors.shape().matrix_size(),
                                       precision);
    }
    std::unique_ptr<PositionSums> make_position_sums(const Trajectory& trajectory, const Positions& positions,
                                                     Precision precision) override {
        return make_counting_position_sums(trajectory.sample_count(), static_cast<Index>(positions.r[0].size()),
                                           precision);
    }
    std::unique_ptr<FourierSums> make_off_resonance_sums(const Trajectory& trajectory, const VoxelGrid& grid,
                                                         std::span<const float> sample_times_s,
                                                         const OffResonanceMaps& maps, Precision precision) override {
        require_sample_times(sample_times_s, trajectory.sample_count());
        maps.require_valid(grid.shape.element_count());
        return make_counting_off_resonance_sums(books(), grid, trajectory.sample_count(), precision);
    }

private:
    CountingBooks books() const { return {memory_, like_.plan_sizes()}; }

    std::shared_ptr<CountingScratch> toeplitz_scratch() {
        std::shared_ptr<CountingScratch> scratch = toeplitz_scratch_.lock();
        if (!scratch) {
            scratch = std::make_shared<CountingScratch>();
            toeplitz_scratch_ = scratch;
        }
        return scratch;
    }

    void pass_conversion(Precision host_precision, ConstArrayView array) const {
        if (host_precision != array.precision()) {
            const std::size_t host_bytes = static_cast<std::size_t>(array.size()) * complex_bytes(host_precision);
            books().pass(plan_sizes().conversion(host_bytes, memory_.piece_bytes()));
        }
    }

    void do_fill(cdouble, ArrayView) override {}
    void do_fill_white(const WhiteNoise&, Index, ArrayView) override {}
    void do_copy(ConstArrayView, ArrayView) override {}
    void do_scale(cdouble, ArrayView) override {}
    void do_axpby(cdouble, ConstArrayView, cdouble, ArrayView) override {}
    void do_multiply(Conjugate, ConstArrayView, ConstArrayView, Accumulate, ArrayView) override {}
    void do_divide(ConstArrayView, ConstArrayView, ArrayView) override {}
    void do_square_root(ArrayView) override {}
    void do_mirror_conjugate(ConstArrayView, ArrayView) override {}
    void do_dots(Index, ConstArrayView, ConstArrayView, ArrayView) override {}
    void do_add_combination(Index, ConstArrayView, ConstArrayView, ArrayView) override {}

    const Backend& like_;
    mutable MemoryBudget memory_;
    CountingImagePrimitives image_primitives_;
    std::weak_ptr<CountingScratch> toeplitz_scratch_;
    /// Beyond what a process can have on any machine of today: to follow such an address is a fault, never a mix-up.
    std::atomic<std::uintptr_t> next_address_ = std::uintptr_t{1} << 60;
};

}  // namespace

std::unique_ptr<Backend> make_counting_backend(const Backend& like) { return std::make_unique<CountingBackend>(like); }

}  // namespace recon
