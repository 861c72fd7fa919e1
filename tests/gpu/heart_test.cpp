// Every way to step the sheet of heart cells on a GPU, against the CPU and against an independent program.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/heart/cpu_excitation.hpp"
#include "gpu/device/device_count.hpp"
#include "gpu/heart/heart_step.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/support/error_matchers.hpp"

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

/// A strip of the sheet for each of so many backends: on the GPUs there are in turn, so that one may have several.
class SeveralGpus : public Heart {
protected:
    Devices several(int count) {
        Devices devices{.cpu = nullptr, .gpus = {}, .no_gpu = {}, .tuning = {}};
        while (std::ssize(backends_) < count) {
            backends_.push_back(make_cuda_backend(static_cast<int>(std::ssize(backends_)) % cuda_device_count()));
        }
        for (int i = 0; i < count; ++i) {
            devices.gpus.push_back(backends_[i].get());
        }
        return devices;
    }

    static Step step_of(const std::string& id) {
        const std::vector<Step> all = gpu_steps();
        return *std::ranges::find(all, id, &Step::id);
    }

    static void expect_same_bytes(const ExcitationState& found, const ExcitationState& expected,
                                  const std::string& what) {
        EXPECT_TRUE(found.excitation == expected.excitation) << what << ", E";
        EXPECT_TRUE(found.recovery == expected.recovery) << what << ", R";
    }

private:
    std::vector<std::unique_ptr<Backend>> backends_;
};

TEST_F(SeveralGpus, HaveTheBytesOfOne) {
    for (const Index size : {31, 97, 130, 515, 1031}) {
        const ExcitationSetup setup = setup_of(size, Precision::double_);
        const auto one = step_of("blocked-4").make(devices(), setup);
        std::array<ExcitationState, 3> expected;
        std::array<Index, 3> counts{1, 40, 801};
        for (std::size_t i = 0; i < counts.size(); ++i) {
            one->advance(counts[i]);
            expected[i] = one->state();
        }
        for (const int gpu_count : {1, 2, 3, 5}) {
            for (const std::string id : {"several-gpus", "several-gpus-serial"}) {
                const std::string what = std::to_string(size) + " cells, " + std::to_string(gpu_count) + " x " + id;
                const auto sheet = step_of(id).make(several(gpu_count), setup);
                for (std::size_t i = 0; i < counts.size(); ++i) {
                    sheet->advance(counts[i]);
                    expect_same_bytes(sheet->state(), expected[i], what + ", part " + std::to_string(i));
                }
                sheet->set_state(expected[0]);
                expect_same_bytes(sheet->state(), expected[0], what + ", what was set");
                sheet->advance(counts[1]);
                expect_same_bytes(sheet->state(), expected[1], what + ", from what was set");
            }
        }
    }
}

TEST_F(SeveralGpus, AreWhatADeviceOfThatNameMeans) {
    for (const Precision precision : {Precision::double_, Precision::single}) {
        const ExcitationSetup setup = setup_of(300, precision);
        const auto one = make_excitation(std::array<Backend*, 1>{&gpu()}, setup);
        const auto three = make_excitation(several(3).gpus, setup);
        one->advance(997);
        for (Index step = 0; step < 997; step += 1 + step % 13) {
            three->advance(std::min<Index>(1 + step % 13, 997 - step));
        }
        expect_same_bytes(three->state(), one->state(), "precision " + std::string(name_of(precision)));
    }
}

TEST_F(SeveralGpus, NeedStripsAsThickAsTheirHalo) {
    const std::vector<Backend*> gpus = several(3).gpus;
    test::expect_error<UsageError>([&] { make_excitation(gpus, setup_of(17, Precision::double_)); },
                                   {"17 rows for 3 devices are 5 each", "at least the 6"});
    EXPECT_NE(make_excitation(gpus, setup_of(18, Precision::double_)), nullptr);
    EXPECT_NE(step_of("several-gpus").obstacle(devices()), "");
    EXPECT_EQ(step_of("several-gpus").obstacle(several(2)), "");
}

TEST_F(Heart, RefusesTissueThatDiffers) {
    ExcitationSetup setup = setup_of(10, Precision::double_);
    setup.tissue = ExcitationTissue{std::vector<double>(100, 1), std::vector<double>(100, 0.1)};
    const std::array<Backend*, 1> devices{&gpu()};
    EXPECT_THROW(make_excitation(devices, setup), UsageError);
}

}  // namespace
}  // namespace recon::heart
