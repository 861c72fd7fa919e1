// Every way to step the sheet of heart cells on a GPU, against the CPU and against an independent program.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/heart/cpu_excitation.hpp"
#include "gpu/heart/heart_step.hpp"
#include "tests/gpu/gpu_fixture.hpp"

namespace recon::heart {
namespace {

class Heart : public test::OnGpu<> {
protected:
    Devices devices() { return {.cpu = nullptr, .gpus = {&gpu()}, .no_gpu = {}, .tuning = {}}; }

    std::vector<Step> steps() {
        std::vector<Step> all = gpu_steps();
        std::erase_if(all, [&](const Step& step) { return !step.obstacle(devices()).empty(); });
        return all;
    }

    static ExcitationSetup setup_of(Index size, Precision precision) {
        ExcitationSetup setup;
        setup.size = size;
        setup.time_step = setup.model.stable_time_step(size);
        setup.precision = precision;
        return setup;
    }

    /// None if this GPU is too small for that way to step.
    std::unique_ptr<Excitation> make(const Step& step, Index size) {
        try {
            return step.make(devices(), setup_of(size, step.precision));
        } catch (const UsageError&) {
            return nullptr;
        }
    }

    static double difference(const ExcitationState& a, const ExcitationState& b) {
        double most = 0;
        for (std::size_t i = 0; i < a.excitation.size(); ++i) {
            most =
                std::max({most, std::abs(a.excitation[i] - b.excitation[i]), std::abs(a.recovery[i] - b.recovery[i])});
        }
        return most;
    }

    /// Of numbers up to 2: a few hundred steps of roundings that differ in the last place.
    static double tolerance(const Step& step) { return step.precision == Precision::single ? 2e-4 : 1e-12; }
};

TEST_F(Heart, EveryStepIsTheCpus) {
    for (const Index size : {2, 3, 17, 33, 96, 97, 130, 200, 515}) {
        const auto exact = make_cpu_excitation(setup_of(size, Precision::double_));
        std::array<ExcitationState, 3> expected;
        std::array<Index, 3> counts{1, 40, 129};  // 1, 41 and 170 steps in all
        for (std::size_t i = 0; i < counts.size(); ++i) {
            exact->advance(counts[i]);
            expected[i] = exact->state();
        }
        for (const Step& step : steps()) {
            const auto sheet = make(step, size);
            if (!sheet) {
                continue;
            }
            for (std::size_t i = 0; i < counts.size(); ++i) {
                sheet->advance(counts[i]);
                EXPECT_LT(difference(sheet->state(), expected[i]), tolerance(step))
                    << step.id << ", " << size << " cells, part " << i;
            }
            sheet->advance(0);
            EXPECT_LT(difference(sheet->state(), expected.back()), tolerance(step)) << step.id << ", no step";
            sheet->set_state(ExcitationState::spiral_start(size));
            sheet->advance(1);
            EXPECT_LT(difference(sheet->state(), expected.front()), tolerance(step)) << step.id << ", from anew";
        }
    }
}

TEST_F(Heart, LargeSheetsAreTheCpus) {
    const Index size = 1024;
    const auto exact = make_cpu_excitation(setup_of(size, Precision::double_));
    exact->advance(60);
    const ExcitationState expected = exact->state();
    for (const Step& step : steps()) {
        if (const auto sheet = make(step, size)) {
            sheet->advance(60);
            EXPECT_LT(difference(sheet->state(), expected), tolerance(step)) << step.id;
        }
    }
}

TEST_F(Heart, HasTheValuesOfAnIndependentProgram) {
    constexpr struct {
        Index size, step;
        double largest, root_mean_square;
    } references[] = {{200, 100, 0.993747429879, 0.644345664540},
                      {200, 19390, 0.966243513049, 0.646961264124},
                      {256, 12383, 0.955696947880, 0.664910006809},
                      {1024, 1000, 0.994896406859, 0.646999450896},
                      {1024, 115861, 0.969271993287, 0.647036777508}};
    constexpr double digits = 1e-9;
    const std::array<Backend*, 1> devices{&gpu()};
    for (const auto& reference : references) {
        const auto sheet = make_excitation(devices, setup_of(reference.size, Precision::double_));
        sheet->advance(reference.step);
        const ExcitationState state = sheet->state();
        EXPECT_NEAR(state.largest(), reference.largest, digits) << reference.size << ", " << reference.step;
        EXPECT_NEAR(state.root_mean_square(), reference.root_mean_square, digits)
            << reference.size << ", " << reference.step;
    }
}

TEST_F(Heart, ManyLaunchesAreOneLaunch) {
    const std::array<Backend*, 1> devices{&gpu()};
    const auto many = make_excitation(devices, setup_of(300, Precision::double_));
    const auto one = make_excitation(devices, setup_of(300, Precision::double_));
    one->advance(997);
    for (Index step = 0; step < 997; step += 1 + step % 13) {
        many->advance(std::min<Index>(1 + step % 13, 997 - step));
    }
    EXPECT_EQ(many->state().excitation, one->state().excitation);
    EXPECT_EQ(many->state().recovery, one->state().recovery);
}

TEST_F(Heart, RefusesTissueThatDiffers) {
    ExcitationSetup setup = setup_of(10, Precision::double_);
    setup.tissue = ExcitationTissue{std::vector<double>(100, 1), std::vector<double>(100, 0.1)};
    const std::array<Backend*, 1> devices{&gpu()};
    EXPECT_THROW(make_excitation(devices, setup), UsageError);
}

}  // namespace
}  // namespace recon::heart
