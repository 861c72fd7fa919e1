#include "core/heart/cpu_excitation.hpp"

#include <omp.h>

#include <algorithm>

#include "core/heart/excitation_band.hpp"
#include "core/heart/tiny_numbers.hpp"

namespace recon {
namespace {

constexpr Index least_rows = 16;  ///< of a band: for fewer, threads would do more for each other than for themselves

/// Rows that neighbouring bands have in common, an eighth of a band: work done twice stays below that.
Index halo_of(Index size, Index bands) {
    constexpr Index most_halo = 16;
    return bands == 1 ? 0 : std::clamp<Index>(size / bands / 8, 1, most_halo);
}

template <class T>
class CpuExcitation final : public Excitation {
public:
    CpuExcitation(const ExcitationSetup& setup, int thread_count) : size_(setup.size) {
        const Index bands = std::clamp<Index>(setup.size / least_rows, 1, thread_count);
        for (Index band = 0; band < bands; ++band) {
            const Index first = band * setup.size / bands, end = (band + 1) * setup.size / bands;
            bands_.emplace_back(setup, first, end - first, halo_of(setup.size, bands));
        }
        set_state(ExcitationState::spiral_start(setup.size));
    }

    void advance(Index steps) override {
        if (bands_.size() == 1) {
            const TinyNumbersAreZero on_this_thread;
            bands_.front().advance(steps);
            return;
        }
        const Index halo = bands_.front().halo();
        const int count = static_cast<int>(bands_.size());
#pragma omp parallel num_threads(count)
        {
            // Fewer threads than asked for, as within another parallel region, take several bands each.
            const TinyNumbersAreZero on_this_thread;
            const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
            for (Index left = steps; left > 0; left -= std::min(left, halo)) {
                for (int band = thread; band < count; band += threads) {
                    if (band > 0) {
                        bands_[band].take_halo(bands_[band - 1]);
                    }
                    if (band + 1 < count) {
                        bands_[band].take_halo(bands_[band + 1]);
                    }
                }
#pragma omp barrier
                for (int band = thread; band < count; band += threads) {
                    bands_[band].advance(std::min(left, halo));
                }
#pragma omp barrier
            }
        }
    }

    void synchronize() override {}

    ExcitationState state() override {
        ExcitationState state = ExcitationState::at_rest(size_);
        for (const ExcitationBand<T>& band : bands_) {
            band.copy_own_to(state);
        }
        return state;
    }

    void set_state(const ExcitationState& state) override {
        state.require_size(size_);
        for (ExcitationBand<T>& band : bands_) {
            band.copy_from(state);
        }
    }

private:
    Index size_;
    std::vector<ExcitationBand<T>> bands_;
};

const Registration cpu_excitation_registered(excitation_kinds(),
                                             ExcitationKind{
                                                 .name = "cpu",
                                                 .make = [](std::span<Backend* const>, const ExcitationSetup& setup) {
                                                     return make_cpu_excitation(setup);
                                                 }});

}  // namespace

std::unique_ptr<Excitation> make_cpu_excitation(const ExcitationSetup& setup, int thread_count) {
    setup.model.require_valid(setup.size, setup.time_step);
    const int threads = thread_count > 0 ? thread_count : omp_get_max_threads();
    return with_precision(setup.precision, [&](auto zero) -> std::unique_ptr<Excitation> {
        return std::make_unique<CpuExcitation<decltype(zero)>>(setup, threads);
    });
}

}  // namespace recon
