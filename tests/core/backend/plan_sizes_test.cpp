// What plans are predicted to occupy, held against what they book.
#include "core/backend/plan_sizes.hpp"

#include "core/operators/q_kernel.hpp"
#include "core/operators/sampling/nufft.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/memory_limit.hpp"
#include "tests/support/random.hpp"
#include "tests/support/thread_count.hpp"

namespace recon {
namespace {

class PlanSizesOf : public test::EveryBackend {
protected:
    /// Runs make() and use(*plan), and compares the peaks of each with the prediction.
    template <class Make, class Use>
    void expect_as_predicted(const PlanBytes& predicted, Make&& make, Use&& use, const std::string& what,
                             bool tight = true) {
        MemoryBudget& memory = backend_->memory();
        const std::size_t before = memory.in_use();
        memory.restart_peak();
        const auto plan = make();
        const std::size_t making = memory.peak() - before;
        memory.restart_peak();
        use(*plan);
        const std::size_t running = memory.peak() - before;
        EXPECT_LE(making, predicted.held + predicted.making + small) << what;
        EXPECT_LE(running, predicted.held + predicted.running + small) << what;
        const std::size_t peak = std::max(making, running);
        const std::size_t predicted_peak = predicted.held + std::max(predicted.making, predicted.running);
        if (tight) {
            EXPECT_LE(static_cast<double>(predicted_peak), 2 * static_cast<double>(peak) + small) << what;
        }
    }

    test::ThreadCount on_any_machine_{2};   // after the backend has set its own
    static constexpr double small = 300e3;  ///< tables, scalars, what is not booked on the CPU
    static constexpr std::size_t pieces[] = {MemoryBudget::unlimited, std::size_t{4} << 20, std::size_t{256} << 10};
};

TEST_P(PlanSizesOf, Toeplitz) {
    for (const PerAxis<Index> n : {PerAxis<Index>{64, 60, 44}, PerAxis<Index>{300, 280, 1}}) {
        const Shape shape = Shape::image(n);
        Array q(*backend_, VoxelGrid::differences(n).shape, Precision::double_);
        backend_->fill(1, q);
        const Array image = test::random_array(*backend_, shape, Precision::single, 1);
        const Array maps = test::random_array(*backend_, shape.with_axis("coil", 5), Precision::single, 2);
        Array result(*backend_, shape, Precision::single);
        for (const std::size_t piece : pieces) {
            const test::MemoryLimit restore(*backend_, MemoryBudget::unlimited);
            backend_->memory().set_piece_bytes(piece);
            expect_as_predicted(
                backend_->plan_sizes().toeplitz(shape, 5, Precision::single, Precision::double_, piece),
                [&] { return backend_->make_toeplitz(shape, q, Precision::single); },
                [&](const ToeplitzPlan& plan) { plan.apply(image, maps.view(), result); }, shape.text());
        }
    }
}

TEST_P(PlanSizesOf, Circulant) {
    for (const PerAxis<Index> n : {PerAxis<Index>{128, 120, 90}, PerAxis<Index>{600, 540, 1}}) {
        const Shape shape = Shape::image(n);
        Array factors(*backend_, shape, Precision::single);
        backend_->fill(1, factors);
        const Array image = test::random_array(*backend_, shape, Precision::single, 1);
        Array result(*backend_, shape, Precision::single);
        for (const std::size_t piece : pieces) {
            const test::MemoryLimit restore(*backend_, MemoryBudget::unlimited);
            backend_->memory().set_piece_bytes(piece);
            expect_as_predicted(
                backend_->plan_sizes().circulant(shape, n, Precision::single, piece),
                [&] { return backend_->make_circulant(shape, factors, Precision::single); },
                [&](const ToeplitzPlan& plan) { plan.apply(image, std::nullopt, result); }, shape.text());
        }
    }
}

TEST_P(PlanSizesOf, FourierSums) {
    for (const PerAxis<Index> n : {PerAxis<Index>{40, 36, 30}, PerAxis<Index>{128, 120, 1}}) {
        for (const Precision precision : {Precision::single, Precision::double_}) {
            for (const bool shifted : {false, true}) {
                const VoxelGrid grid = shifted ? half_of_differences(n) : VoxelGrid::image(n);
                const Index batch = shifted ? 1 : 5;
                const Index sample_count = 60'000;
                const Trajectory trajectory = test::random_trajectory(sample_count, n, 3);
                const Array samples =
                    test::random_array(*backend_, Shape::samples(sample_count).with_axis("coil", batch), precision, 1);
                Array images(*backend_, grid.shape.with_axis("coil", batch), precision);
                Array sums_of_images(*backend_, samples.shape(), precision);
                for (const SumsMethod method : {SumsMethod::exact, SumsMethod::nufft}) {
                    const SumsOptions options{method, 1e-5, precision};
                    const SumsChoice choice = choose_sums(*backend_, options, sample_count, grid, batch);
                    for (const std::size_t piece : pieces) {
                        const test::MemoryLimit restore(*backend_, MemoryBudget::unlimited);
                        backend_->memory().set_piece_bytes(piece);
                        expect_as_predicted(
                            FourierSumsSizes(*backend_, choice, sample_count).bytes(batch, piece),
                            [&] { return make_fourier_sums(*backend_, trajectory, choice); },
                            [&](const FourierSums& sums) {
                                sums.adjoint(samples, images);
                                sums.forward(images, sums_of_images);
                            },
                            grid.shape.text() + (method == SumsMethod::exact ? " exact " : " NUFFT ") +
                                std::string(name_of(precision)) + " pieces of " + memory_text(piece),
                            // How many tiles a GPU divides depends on the trajectory: predicted is the most.
                            backend_->memory_is_host() || method == SumsMethod::exact);
                    }
                }
            }
        }
    }
}

TEST_P(PlanSizesOf, SumsWithOffResonance) {
    for (const PerAxis<Index> n : {PerAxis<Index>{16, 14, 12}, PerAxis<Index>{1, 48, 50}}) {
        for (const Precision precision : {Precision::single, Precision::double_}) {
            const VoxelGrid grid = VoxelGrid::image(n);
            const Index sample_count = 3000;
            const Trajectory trajectory = test::random_trajectory(sample_count, n, 3);
            const std::vector<float> times_s(sample_count, 0.01F);
            const std::vector<float> map(grid.shape.element_count(), 20.0F);
            const Array samples =
                test::random_array(*backend_, Shape::samples(sample_count).with_axis("coil", 5), precision, 1);
            Array images(*backend_, grid.shape.with_axis("coil", 5), precision);
            Array sums_of_images(*backend_, samples.shape(), precision);
            for (const std::size_t piece : pieces) {
                const test::MemoryLimit restore(*backend_, MemoryBudget::unlimited);
                backend_->memory().set_piece_bytes(piece);
                expect_as_predicted(
                    backend_->plan_sizes().off_resonance_sums(grid, sample_count, 5, precision, piece),
                    [&] {
                        return backend_->make_off_resonance_sums(trajectory, grid, times_s, {map, map}, precision);
                    },
                    [&](const FourierSums& sums) {
                        sums.adjoint(samples, images);
                        sums.forward(images, sums_of_images);
                    },
                    grid.shape.text() + " " + std::string(name_of(precision)));
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(, PlanSizesOf, test::every_backend(), test::backend_name);

}  // namespace
}  // namespace recon
