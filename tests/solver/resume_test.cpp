// A solver that is stopped in the middle, saved, and taken up by another one ends with the bytes of one that went
// through.
#include <gmock/gmock.h>

#include "core/backend/backend.hpp"
#include "core/operators/operator_algebra.hpp"
#include "core/operators/penalties/finite_differences.hpp"
#include "core/operators/penalties/joint_sparsity.hpp"
#include "core/operators/preconditioners/circulant_preconditioner.hpp"
#include "solver/admm.hpp"
#include "solver/conjugate_gradient.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/memory_archive.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

struct Case {
    const char* name;
    Precision precision;
    bool preconditioned;
    int stop_after;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

/// (1 + 3 D^H D) x = b, D differences, on an image with awkward sides.
struct Problem {
    Problem(Backend& backend, Precision precision)
        : b(test::random_array(backend, shape, precision, 7)),
          differences(backend, shape, {1, 2, 1}, precision),
          roughness(differences),
          identity(backend, shape, precision),
          system(identity, 3, roughness),
          preconditioner(diagonal(backend, precision)) {}

    Array diagonal(Backend& backend, Precision precision) const {
        std::vector<cdouble> values(shape.element_count());
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = 4.0 + static_cast<double>(i % 3);
        }
        Array array(backend, shape, precision);
        upload(values, array);
        return array;
    }
    Array zero() const {
        Array array(b.backend(), shape, b.precision());
        b.backend().fill(0, array);
        return array;
    }

    Shape shape = Shape::image({7, 5, 3});
    Array b;
    FiniteDifferences differences;
    Normal roughness;
    Identity identity;
    Sum system;
    DiagonalPreconditioner preconditioner;
};

struct Outcome {
    std::vector<cdouble> x;
    std::vector<double> residuals;
    friend bool operator==(const Outcome&, const Outcome&) = default;
};

/// Steps of a solver from zero, or from what a run before left in the archive.
Outcome run_steps(Solver& solver, const Problem& problem, int steps, test::MemoryArchive& archive, bool resumes) {
    Array x = problem.zero();
    solver.start(problem.b, x);
    StopRule rule({.iterations = steps});
    if (resumes) {
        archive.load();
        solver.visit(archive);
        rule.visit(archive);
    }
    EXPECT_EQ(run(solver, rule, x), StopReason::iterations);
    if (!resumes) {
        solver.visit(archive);
        rule.visit(archive);
    }
    return {download<double>(x), rule.residuals()};
}

class Resume : public ::testing::TestWithParam<std::tuple<test::BackendFactory, Case>> {
protected:
    const Case& wanted() const { return std::get<1>(GetParam()); }

    /// @param make  a fresh solver of the problem
    template <class Make>
    void expect_same_bytes(const Make& make) {
        constexpr int steps = 9;
        test::MemoryArchive unused, archive;
        const Outcome uninterrupted = run_steps(*make(), problem_, steps, unused, false);
        const Outcome first = run_steps(*make(), problem_, wanted().stop_after, archive, false);
        EXPECT_NE(first.x, uninterrupted.x);
        const Outcome resumed = run_steps(*make(), problem_, steps, archive, true);
        EXPECT_EQ(resumed, uninterrupted);
        EXPECT_EQ(resumed.residuals.size(), std::size_t{steps});
        EXPECT_EQ(run_steps(*make(), problem_, steps, archive, true), uninterrupted) << "taken up twice";
    }

    std::unique_ptr<Backend> backend_ = std::get<0>(GetParam()).make();
    Problem problem_{*backend_, wanted().precision};
};

TEST_P(Resume, ConjugateGradientsEndWithTheSameBytes) {
    expect_same_bytes([&] {
        return std::make_unique<ConjugateGradients>(problem_.system,
                                                    wanted().preconditioned ? &problem_.preconditioner : nullptr, 3);
    });
}

TEST_P(Resume, AdmmEndsWithTheSameBytes) {
    const JointSparsity total_variation(std::ssize(problem_.differences.axes()));
    const JointSparsity sparsity(1);
    expect_same_bytes([&] {
        return std::make_unique<Admm>(problem_.system,
                                      std::vector<PenaltyTerm>{{problem_.differences, total_variation, 0.3, 1},
                                                               {problem_.identity, sparsity, 0.1, 20}});
    });
}

INSTANTIATE_TEST_SUITE_P(, Resume,
                         ::testing::Combine(test::every_backend(),
                                            ::testing::Values(Case{"Single", Precision::single, false, 4},
                                                              Case{"Double", Precision::double_, false, 5},
                                                              Case{"Preconditioned", Precision::single, true, 2},
                                                              Case{"FromTheStart", Precision::double_, true, 0})),
                         [](const auto& info) {
                             return std::get<0>(info.param).name + "_" + std::get<1>(info.param).name;
                         });

}  // namespace
}  // namespace recon
