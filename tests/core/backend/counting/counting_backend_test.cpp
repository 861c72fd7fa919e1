// Work on the counting backend books what it would on the backend that is counted for, and computes nothing.
#include "core/backend/counting/counting_backend.hpp"

#include <gmock/gmock.h>

#include "core/base/error.hpp"
#include "core/operators/encoding.hpp"
#include "core/operators/operator_algebra.hpp"
#include "core/operators/q_kernel.hpp"
#include "solver/conjugate_gradient.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/memory_limit.hpp"
#include "tests/support/random.hpp"
#include "tests/support/thread_count.hpp"

namespace recon {
namespace {

class Counting : public test::EveryBackend {
protected:
    Backend& counting() { return *counting_; }

    /// Peak of what `work` books on the backend itself, and on the one that counts.
    struct Peaks {
        std::size_t booked;
        std::size_t counted;
    };
    template <class Work>
    Peaks peaks_of(Work&& work, std::size_t piece_bytes = MemoryBudget::unlimited) {
        const test::MemoryLimit restore(*backend_, MemoryBudget::unlimited);
        const auto peak_on = [&](Backend& backend) {
            backend.memory().set_piece_bytes(piece_bytes);
            const std::size_t before = backend.memory().in_use();
            backend.memory().restart_peak();
            work(backend);
            EXPECT_EQ(backend.memory().in_use(), before);
            return backend.memory().peak() - before;
        };
        return {peak_on(*backend_), peak_on(counting())};
    }
    static void expect_close(const Peaks& peaks, const std::string& what, bool tight) {
        constexpr double small = 200e3;  // tables and scalars, not all of which are booked
        EXPECT_LE(peaks.booked, peaks.counted + small) << what;
        if (tight) {  // as close as the sizes of plans are: plan_sizes_test.cpp
            EXPECT_LE(static_cast<double>(peaks.counted), 2 * static_cast<double>(peaks.booked) + small) << what;
        }
    }

private:
    test::ThreadCount on_any_machine_{2};  // after the backend has set its own
    std::unique_ptr<Backend> counting_ = make_counting_backend(*backend_);
};

TEST_P(Counting, HoldsWhatNoMachineHas) {
    const Shape shape{{"n", Index{1} << 45}};
    const Array x(counting(), shape, Precision::single);
    Array y = x.clone();
    counting().axpby(1, x, 1, y);
    EXPECT_EQ(counting().memory().in_use(), std::size_t{2} << 48);
    EXPECT_EQ(counting().dot(x, y), 1.0);
    EXPECT_EQ(backend_->memory().in_use(), 0U);
}

TEST_P(Counting, ChecksOperandsAsEveryBackendDoes) {
    Array x(counting(), {{"n", 7}}, Precision::single);
    const Array longer(counting(), {{"n", 8}}, Precision::single);
    const Array elsewhere(*backend_, {{"n", 7}}, Precision::single);
    EXPECT_THROW(counting().axpby(1, longer, 1, x), ShapeError);
    EXPECT_THROW(counting().axpby(1, elsewhere, 1, x), ShapeError);
    const Array q(counting(), VoxelGrid::differences({8, 8, 1}).shape, Precision::double_);
    EXPECT_THROW(counting().make_toeplitz(Shape::image({8, 7, 1}), q, Precision::single), ShapeError);
    const auto plan = counting().make_toeplitz(Shape::image({8, 8, 1}), q, Precision::single);
    EXPECT_THROW(plan->apply(x, std::nullopt, x), ShapeError);
}

TEST_P(Counting, RefusesWhatIsBeyondItsLimit) {
    counting().memory().set_limit(1000);
    test::expect_error<DeviceError>(
        [&] {
            Array(counting(), {{"n", 1000}}, Precision::single);
        },
        {backend_->name(), "asked for"});
}

/// A reconstruction in small: sums, Q, and conjugate gradients on the normal equations.
class SmallReconstruction {
public:
    SmallReconstruction(PerAxis<Index> n, SumsMethod method) : n_(n), method_(method) {}

    CgReport run(Backend& backend) const {
        const VoxelGrid grid = VoxelGrid::image(n_);
        const SumsOptions options{method_, 1e-5, Precision::single};
        const SumsOptions q_options{method_, 1e-5, Precision::double_};
        const Index sample_count = trajectory_.sample_count();
        Array maps(backend, grid.shape.with_axis("coil", coil_count), Precision::single);
        backend.fill(0.5, maps);
        const Array q = compute_q(backend, trajectory_, n_, {}, q_options);
        const Encoding encoding(
            backend,
            {make_fourier_sums(backend, trajectory_, choose_sums(backend, options, sample_count, grid, coil_count)),
             std::make_shared<const CoilSensitivity>(std::move(maps)), nullptr,
             backend.make_toeplitz(grid.shape, q, Precision::single)});
        Array kspace(backend, Shape::samples(sample_count).with_axis("coil", coil_count), Precision::single);
        Array fhd(backend, grid.shape, Precision::single);
        Array image(backend, grid.shape, Precision::single);
        backend.fill(1, kspace);
        backend.fill(0, image);
        encoding.adjoint(kspace, fhd);
        CgOptions cg;
        cg.iterations = 2;
        return solve_cg(Normal(encoding), fhd, image, cg);
    }

    std::string text() const {
        return Shape::image(n_).text() + (method_ == SumsMethod::exact ? ", exact sums" : ", NUFFT");
    }

private:
    static constexpr Index coil_count = 4;
    PerAxis<Index> n_;
    SumsMethod method_;
    Trajectory trajectory_ = test::random_trajectory(9'000, n_, 3);
};

TEST_P(Counting, WorkBooksWhatItWouldTakeInEarnest) {
    for (const PerAxis<Index> n : {PerAxis<Index>{20, 18, 14}, PerAxis<Index>{90, 84, 1}}) {
        for (const SumsMethod method : {SumsMethod::exact, SumsMethod::nufft}) {
            for (const std::size_t piece : {MemoryBudget::unlimited, std::size_t{256} << 10}) {
                const SmallReconstruction work(n, method);
                const Peaks peaks = peaks_of([&](Backend& backend) { work.run(backend); }, piece);
                // How many tiles a GPU divides depends on the trajectory: counted is the most.
                expect_close(peaks, work.text() + ", pieces of " + memory_text(piece),
                             backend_->memory_is_host() || method == SumsMethod::exact);
            }
        }
    }
}

TEST_P(Counting, SolversMakeTheIterationsTheyAreAllowed) {
    const CgReport report = SmallReconstruction({12, 10, 8}, SumsMethod::exact).run(counting());
    EXPECT_EQ(report.iterations, 2);
    EXPECT_EQ(report.stopped_by, StopReason::iterations);
}

TEST_P(Counting, ListsOnTheHostHaveOneNumberWhateverTheyStandFor) {
    const Array x(counting(), {{"n", Index{1} << 40}}, Precision::single);
    EXPECT_FALSE(counting().computes());
    EXPECT_EQ(counting().listed(x.size()), 1);
    EXPECT_EQ(counting().listed(0), 0);
    EXPECT_EQ(download<float>(x), std::vector<cfloat>{1});
    Array y(counting(), {{"n", 100}}, Precision::single);
    EXPECT_NO_THROW(upload(std::vector<cdouble>{3}, y));
    EXPECT_EQ(backend_->listed(x.size()), x.size());
    Array there(*backend_, {{"n", 100}}, Precision::single);
    EXPECT_THROW(upload(std::vector<cdouble>{3}, there), ShapeError);
}

INSTANTIATE_TEST_SUITE_P(, Counting, test::every_backend(), test::backend_name);

}  // namespace
}  // namespace recon
