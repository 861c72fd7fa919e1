#include "app/pipeline/shared_decision.hpp"

#include <gtest/gtest.h>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/operators/operator_algebra.hpp"
#include "core/parallel/cpu_communicator.hpp"
#include "core/parallel/run_ranks.hpp"
#include "solver/conjugate_gradient.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

/// Wants to stop after so many iterations.
class StopAfter final : public IterationObserver {
public:
    explicit StopAfter(int limit) : limit_(limit) {}
    bool iteration_done(int iteration, double, ConstArrayView) override {
        ++asked;
        return iteration < limit_;
    }
    int asked = 0;

private:
    int limit_;
};

/// A diagonal system of which every rank has a part.
class Diagonal final : public LinearOperator {
public:
    Diagonal(Backend& backend, unsigned seed)
        : LinearOperator("diagonal", backend, {{"n", 40}}, {{"n", 40}}, Precision::double_),
          values_(test::random_array(backend, {{"n", 40}}, Precision::double_, seed)) {}

private:
    void do_forward(ConstArrayView x, ArrayView y) const override {
        backend().multiply(Conjugate::no, values_, x, Accumulate::no, y);
    }
    void do_adjoint(ConstArrayView y, ArrayView x) const override {
        backend().multiply(Conjugate::yes, values_, y, Accumulate::no, x);
    }

    Array values_;
};

TEST(SharedDecision, AllRanksStopWhenTheFirstOneWantsTo) {
    constexpr int rank_count = 3;
    std::vector<CgReport> reports(rank_count);
    std::vector<int> asked(rank_count);
    run_ranks(make_cpu_communicators(rank_count), [&](Communicator& rank) {
        const auto backend = make_cpu_backend(1);
        const Diagonal own(*backend, 1 + rank.rank());
        const AllReduce all(own, rank);
        const Array b = test::random_array(*backend, all.domain(), Precision::double_, 9);
        Array x(*backend, all.domain(), Precision::double_);
        backend->fill(0, x);
        StopAfter observer(rank.rank() == 0 ? 5 : 2);  // what the others want does not count
        RunControl control;
        recon::Run run(*backend, rank, control);
        SharedDecision decision(run, observer);
        reports[rank.rank()] = solve_cg(Normal(all), b, x, {.iterations = 20}, &decision);
        asked[rank.rank()] = observer.asked;
    });
    for (const CgReport& report : reports) {
        EXPECT_EQ(report.iterations, 5);
        EXPECT_EQ(report.stopped_by, StopReason::cancelled);
        EXPECT_EQ(report.residuals, reports.front().residuals);
    }
    EXPECT_EQ(asked, (std::vector<int>{5, 0, 0}));
}

}  // namespace
}  // namespace recon
