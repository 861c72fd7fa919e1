// The excitation of the heart on the CPU: values of an independent program, and what must hold of any.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/base/error.hpp"
#include "core/heart/cpu_excitation.hpp"
#include "tests/support/error_matchers.hpp"

namespace recon {
namespace {

ExcitationSetup setup_of(Index size, Precision precision = Precision::double_) {
    ExcitationSetup setup;
    setup.size = size;
    setup.time_step = setup.model.stable_time_step(size);
    setup.precision = precision;
    return setup;
}

struct Reference {
    Index size, step;
    double largest, root_mean_square;
};

/// Of an independent program in double precision. Those of 1024 cells: tests/benchmark/heart_reference.
constexpr Reference references[] = {{200, 1, 1, 0.688672395963},
                                    {200, 100, 0.993747429879, 0.644345664540},
                                    {200, 1939, 0.979787930285, 0.501904106449},
                                    {200, 19390, 0.966243513049, 0.646961264124},
                                    {256, 12383, 0.955696947880, 0.664910006809}};

TEST(Excitation, HasTheValuesOfAnIndependentProgram) {
    constexpr double digits = 1e-9;
    std::unique_ptr<Excitation> sheet;
    Index size = 0, done = 0;
    for (const Reference& reference : references) {
        if (reference.size != size) {
            size = reference.size;
            sheet = make_cpu_excitation(setup_of(size), 1);
            done = 0;
        }
        sheet->advance(reference.step - done);
        done = reference.step;
        const ExcitationState state = sheet->state();
        EXPECT_NEAR(state.largest(), reference.largest, digits) << size << " cells, step " << done;
        EXPECT_NEAR(state.root_mean_square(), reference.root_mean_square, digits) << size << " cells, step " << done;
    }
}

TEST(Excitation, StepsAreThoseOfTheDocument) {
    const ExcitationModel model;
    EXPECT_EQ(steps_until(1000, model.stable_time_step(200)), 19390);
    EXPECT_EQ(steps_until(100, model.stable_time_step(200)), 1939);
    EXPECT_EQ(steps_until(500, model.stable_time_step(256)), 12383);
    EXPECT_EQ(steps_until(500, model.stable_time_step(1024)), 115861);
    EXPECT_EQ(steps_until(0, 0.1), 0);
}

TEST(Excitation, IsTheSameOnAnyNumberOfThreads) {
    for (const Index size : {2, 3, 7, 37, 100}) {
        for (const Precision precision : {Precision::single, Precision::double_}) {
            const auto one = make_cpu_excitation(setup_of(size, precision), 1);
            one->advance(131);
            const ExcitationState expected = one->state();
            for (const int threads : {2, 3, 5, 16}) {
                const auto many = make_cpu_excitation(setup_of(size, precision), threads);
                many->advance(100);
                many->advance(31);
                const ExcitationState found = many->state();
                EXPECT_EQ(found.excitation, expected.excitation) << size << " cells, " << threads << " threads";
                EXPECT_EQ(found.recovery, expected.recovery) << size << " cells, " << threads << " threads";
            }
        }
    }
}

/// The formulas as they are written, one cell after the other, with ghost cells.
ExcitationState plain_steps(const ExcitationSetup& setup, ExcitationState state, int steps) {
    const Index n = setup.size;
    const ExcitationModel& m = setup.model;
    const double alpha = m.diffusion_number(n, setup.time_step), dt = setup.time_step;
    for (int step = 0; step < steps; ++step) {
        const std::vector<double> before = state.excitation;
        const auto at = [&](Index row, Index column) {
            const auto mirrored = [n](Index i) { return i < 0 ? 1 : i >= n ? n - 2 : i; };
            return before[mirrored(row) * n + mirrored(column)];
        };
        for (Index row = 0; row < n; ++row) {
            for (Index column = 0; column < n; ++column) {
                double& e = state.excitation[row * n + column];
                double& r = state.recovery[row * n + column];
                e = at(row, column) + alpha * (at(row, column + 1) + at(row, column - 1) + at(row + 1, column) +
                                               at(row - 1, column) - 4 * at(row, column));
                e = e - dt * (m.k * e * (e - m.a) * (e - 1) + e * r);
                r = r + dt * (m.epsilon + m.m1 * r / (e + m.m2)) * (-r - m.k * e * (e - m.b - 1));
            }
        }
    }
    return state;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        most = std::max(most, std::abs(a[i] - b[i]));
    }
    return most;
}

TEST(Excitation, IsTheFormulas) {
    constexpr double rounding = 1e-12;  // a hundred steps of a few roundings of numbers up to 2
    for (const Index size : {2, 3, 17, 40}) {
        const ExcitationSetup setup = setup_of(size);
        const auto sheet = make_cpu_excitation(setup, 2);
        sheet->advance(100);
        const ExcitationState expected = plain_steps(setup, ExcitationState::spiral_start(size), 100);
        EXPECT_LT(largest_difference(sheet->state().excitation, expected.excitation), rounding) << size;
        EXPECT_LT(largest_difference(sheet->state().recovery, expected.recovery), rounding) << size;
    }
}

TEST(Excitation, AMirroredStartStaysMirroredToTheBit) {
    constexpr Index n = 51;
    ExcitationState start = ExcitationState::spiral_start(n), turned = start;
    for (Index row = 0; row < n; ++row) {
        for (Index column = 0; column < n; ++column) {
            turned.excitation[column * n + (n - 1 - row)] = start.excitation[row * n + column];
            turned.recovery[column * n + (n - 1 - row)] = start.recovery[row * n + column];
        }
    }
    const auto sheet = make_cpu_excitation(setup_of(n), 2), turned_sheet = make_cpu_excitation(setup_of(n), 2);
    turned_sheet->set_state(turned);
    sheet->advance(500);
    turned_sheet->advance(500);
    const ExcitationState a = sheet->state(), b = turned_sheet->state();
    for (Index row = 0; row < n; ++row) {
        for (Index column = 0; column < n; ++column) {
            ASSERT_EQ(a.excitation[row * n + column], b.excitation[column * n + (n - 1 - row)]);
        }
    }
}

/// Of a plane wave from a quarter of the sheet to a half, in sides of the sheet a unit of time.
double wave_speed(Index size) {
    constexpr int steps_at_once = 4;
    ExcitationSetup setup = setup_of(size);
    setup.time_step = setup.model.stable_time_step(400);  // one step for all sizes: only the grid is refined
    ExcitationState start;
    start.size = size;
    start.excitation.resize(size * size);
    start.recovery.resize(size * size);
    for (Index i = 0; i < size * size; ++i) {
        start.excitation[i] = i % size < size / 20 ? 1 : 0;
    }
    const auto sheet = make_cpu_excitation(setup, 1);
    sheet->set_state(start);
    const auto front = [&](double place) {  // step at which E passes 1/2 there, between two cells and two steps
        const double column = place * static_cast<double>(size) - 0.5;
        const auto left = static_cast<Index>(column);
        double before = 0;
        for (Index step = 1; step < 100000; ++step) {
            sheet->advance(steps_at_once);
            const ExcitationState state = sheet->state();
            const double share = column - static_cast<double>(left);
            const double value = (1 - share) * state.excitation[left] + share * state.excitation[left + 1];
            if (value > 0.5) {
                return static_cast<double>(step) - (value - 0.5) / (value - before);
            }
            before = value;
        }
        return std::numeric_limits<double>::quiet_NaN();
    };
    const double first = front(0.25);
    const double between = front(0.5);  // counted from the step after the first
    return 0.25 / ((std::ceil(first) - first + between) * steps_at_once * setup.time_step);
}

TEST(Excitation, APlaneWaveHasASpeedThatNoFinerGridChanges) {
    // Central differences: the error goes with the square of the cells' size.
    const double coarse = wave_speed(100), middle = wave_speed(200), fine = wave_speed(400);
    EXPECT_GT(fine, 0.01);
    EXPECT_LT(std::abs(fine - middle) / fine, 0.03);
    EXPECT_NEAR((middle - coarse) / (fine - middle), 4, 1) << coarse << ", " << middle << ", " << fine;
}

TEST(Excitation, SinglePrecisionGoesTheSameWay) {
    const auto exact = make_cpu_excitation(setup_of(200)),
               rounded = make_cpu_excitation(setup_of(200, Precision::single));
    exact->advance(1000);
    rounded->advance(1000);
    constexpr double of_floats = 1e-3;  // a front that moves by 1e-4 of its width
    EXPECT_LT(largest_difference(exact->state().excitation, rounded->state().excitation), of_floats);
}

TEST(Excitation, AScarStopsTheWave) {
    constexpr Index n = 60;
    ExcitationSetup setup = setup_of(n);
    setup.tissue = ExcitationTissue{std::vector<double>(n * n, 1), std::vector<double>(n * n, setup.model.a)};
    const auto sheet = make_cpu_excitation(setup, 3), whole = make_cpu_excitation(setup_of(n), 1);
    sheet->advance(200);
    whole->advance(200);
    EXPECT_LT(largest_difference(sheet->state().excitation, whole->state().excitation), 1e-10) << "no scar at all";
    for (Index row = 0; row < n; ++row) {
        for (Index column = 30; column < 36; ++column) {
            setup.tissue->conductivity[row * n + column] = 0;
            setup.tissue->threshold[row * n + column] = 0.5;
        }
    }
    ExcitationState start;
    start.size = n;
    start.excitation.assign(n * n, 0);
    start.recovery.assign(n * n, 0);
    for (Index i = 0; i < n * n; ++i) {
        start.excitation[i] = i % n < 4 ? 1 : 0;
    }
    const auto scarred = make_cpu_excitation(setup, 2);
    scarred->set_state(start);
    double beyond = 0;
    for (int i = 0; i < 100; ++i) {
        scarred->advance(20);
        const ExcitationState state = scarred->state();
        for (Index column = 40; column < n; ++column) {
            beyond = std::max(beyond, state.excitation[30 * n + column]);
        }
    }
    EXPECT_LT(beyond, 0.01);
}

TEST(Excitation, RefusesWhatCannotBe) {
    ExcitationSetup setup = setup_of(200);
    const double quarter = setup.time_step * 0.25 / setup.model.diffusion_number(200, setup.time_step);
    setup.time_step = 0.999 * quarter;
    EXPECT_NO_THROW(make_cpu_excitation(setup));
    setup.time_step = 1.001 * quarter;
    test::expect_error<UsageError>([&] { make_cpu_excitation(setup); }, {"`dt`", "alpha", "1/4"});
    for (const Index size : {-1, 0, 1, 100000}) {
        ExcitationSetup absurd = setup_of(200);
        absurd.size = size;
        EXPECT_THROW(make_cpu_excitation(absurd), UsageError) << size;
    }
    for (const double time_step :
         {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e-320}) {
        ExcitationSetup absurd = setup_of(200);
        absurd.time_step = time_step;
        if (time_step > 0 && std::isfinite(time_step)) {
            EXPECT_THROW(steps_until(1, time_step), UsageError);
        } else {
            EXPECT_THROW(make_cpu_excitation(absurd), UsageError) << time_step;
        }
    }
    EXPECT_THROW(steps_until(-1, 0.1), UsageError);
    EXPECT_THROW(steps_until(std::numeric_limits<double>::quiet_NaN(), 0.1), UsageError);
    EXPECT_THROW(make_cpu_excitation(setup_of(20))->set_state(ExcitationState::spiral_start(21)), ShapeError);
}

}  // namespace
}  // namespace recon
