// Any number of ranks gives the image of one, whatever is divided: coils, or samples where coils are too few.
#include <gtest/gtest.h>

#include "app/reconstruction/reconstruction.hpp"
#include "core/base/error.hpp"
#include "core/operators/q_kernel.hpp"
#include "core/parallel/division.hpp"
#include "core/parallel/run_ranks.hpp"
#include "tests/support/cpu_team.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/random.hpp"
#include "tests/support/sample_scan.hpp"

namespace recon {
namespace {

/// Rounding of double precision, amplified by a few iterations on a random, ill-conditioned scan.
constexpr double tolerance = 1e-9;

Scan scan_of(Index coil_count) { return test::sample_scan({.coils = coil_count, .readouts = 9, .samples = 11}); }

ReconstructOptions in_double() {
    ReconstructOptions options;
    options.precision = Precision::double_;
    options.sums = SumsMethod::exact;
    options.cg = {.iterations = 6, .stop = 0};
    options.baseline = true;
    return options;
}

FrameResult reconstruct_by_ranks(int rank_count, Scan scan, const ReconstructOptions& options) {
    RunControl control;
    return reconstruct(scan, test::cpu_team(rank_count), options, control).front();
}

double ranks_difference(const std::vector<cfloat>& a, const std::vector<cfloat>& b) {
    return test::relative_difference({a.begin(), a.end()}, {b.begin(), b.end()});
}

/// @param image_tolerance  images are stored in single precision, whose last digit may round either way
void expect_as_one_rank(int rank_count, const Scan& scan, const ReconstructOptions& options,
                        double image_tolerance = 1e-7) {
    const FrameResult one = reconstruct_by_ranks(1, scan, options);
    const FrameResult many = reconstruct_by_ranks(rank_count, scan, options);
    EXPECT_LT(ranks_difference(many.image, one.image), image_tolerance);
    EXPECT_LT(ranks_difference(many.baseline, one.baseline), image_tolerance);
    EXPECT_EQ(many.cg.stopped_by, one.cg.stopped_by);
    ASSERT_EQ(many.cg.residuals.size(), one.cg.residuals.size());
    if (options.precision == Precision::double_) {
        for (std::size_t i = 0; i < one.cg.residuals.size(); ++i) {
            EXPECT_NEAR(many.cg.residuals[i], one.cg.residuals[i], tolerance);
        }
        EXPECT_NEAR(many.data_residual, one.data_residual, tolerance);
    }
    ASSERT_EQ(many.accuracy.has_value(), one.accuracy.has_value());
    if (many.accuracy) {  // of all ranks together: a rank left out would show as an error of order 1
        for (const double error : {many.accuracy->q, many.accuracy->fhd, many.accuracy->normal}) {
            EXPECT_LT(error, options.precision == Precision::double_ ? 1e-11 : 1e-5);
        }
    }
}

struct Counts {
    int ranks;
    Index coils;
    friend std::ostream& operator<<(std::ostream& out, const Counts& counts) {
        return out << counts.ranks << " ranks, " << counts.coils << " coils";
    }
};

class RanksAndCoils : public ::testing::TestWithParam<Counts> {
protected:
    int ranks() const { return GetParam().ranks; }
    Scan scan_ = scan_of(GetParam().coils);
};

TEST_P(RanksAndCoils, GivenCoilMaps) { expect_as_one_rank(ranks(), scan_, in_double()); }

TEST_P(RanksAndCoils, EstimatedCoilMaps) {
    scan_.coil_maps.clear();
    scan_.noise.clear();
    ReconstructOptions options = in_double();
    options.coils.calibration_radius = 2;
    expect_as_one_rank(ranks(), scan_, options);
}

TEST_P(RanksAndCoils, WeightsBoxVoxelsAndRegularisation) {
    ReconstructOptions options = in_double();
    options.weighting = SampleWeighting::density;
    options.voxel_basis = VoxelBasis::box;
    options.regularisation.terms = {{"identity", 1e-2}};
    expect_as_one_rank(ranks(), scan_, options);
    for (Frame& frame : scan_.frames) {
        frame.density_weights.clear();  // then Pipe-Menon's
    }
    expect_as_one_rank(ranks(), scan_, options);
}

/// One rank may hold coil maps where another has a part of the samples and none.
TEST_P(RanksAndCoils, JacobiPreconditioner) {
    ReconstructOptions options = in_double();
    options.preconditioner = PreconditionerKind::jacobi;
    expect_as_one_rank(ranks(), scan_, options);
    if (scan_.coil_count == 1) {
        scan_.coil_maps.clear();
        expect_as_one_rank(ranks(), scan_, options);
    }
}

TEST_P(RanksAndCoils, OffResonance) {
    ReconstructOptions options = in_double();
    options.off_resonance.correct = true;
    options.tolerance = 1e-12;
    expect_as_one_rank(ranks(), scan_, options);
}

TEST_P(RanksAndCoils, ExactOffResonanceWithDecayAndWeights) {
    ReconstructOptions options = in_double();
    options.off_resonance = {.correct = true, .method = OffResonanceMethod::exact};
    options.weighting = SampleWeighting::density;
    scan_.relaxation_rate_per_s.assign(scan_.off_resonance_hz.size(), 20.0F);
    expect_as_one_rank(ranks(), scan_, options);
}

TEST_P(RanksAndCoils, NufftInSinglePrecision) {
    ReconstructOptions options = in_double();
    options.precision = Precision::single;
    options.sums = SumsMethod::nufft;
    expect_as_one_rank(ranks(), scan_, options, 1e-5);  // rounding of single precision, amplified by the iterations
}

TEST_P(RanksAndCoils, QIsTheSameOnAllRanksToTheLastBit) {
    const Team team = test::cpu_team(ranks());
    const auto& trajectory = scan_.frames.front().trajectory;
    for (const SumsMethod method : {SumsMethod::exact, SumsMethod::nufft}) {
        std::vector<std::vector<cdouble>> q(ranks());
        run_ranks(team.ranks, [&](Communicator& rank) {
            const auto own = part_of(trajectory, share_of(trajectory->sample_count(), rank));
            q[rank.rank()] = download<double>(
                compute_q(team.backend_of(rank), *own, {6, 5, 3}, {}, {method, 1e-9, Precision::double_}, rank));
        });
        const std::vector<cdouble> alone =
            download<double>(compute_q(team.first(), *trajectory, {6, 5, 3}, {}, {method, 1e-9, Precision::double_}));
        for (const std::vector<cdouble>& of_rank : q) {
            EXPECT_EQ(of_rank, q.front());
            EXPECT_LT(test::relative_difference(of_rank, alone),
                      1e-13);  // rounding, by NUFFT too: the design is shared
        }
    }
}

INSTANTIATE_TEST_SUITE_P(, RanksAndCoils,
                         ::testing::Values(Counts{2, 1}, Counts{2, 3}, Counts{3, 3}, Counts{3, 4}, Counts{5, 1},
                                           Counts{5, 3}, Counts{5, 4}));

TEST(RanksTogether, AnErrorOfTheScanIsReportedOnce) {
    Scan scan = scan_of(4);
    scan.coil_maps.clear();
    std::fill(scan.frames.front().kspace.begin(), scan.frames.front().kspace.end(), cfloat(0));
    test::expect_error<InputError>([&] { reconstruct_by_ranks(3, scan, in_double()); },
                                   {"coil maps", "none holds signal"});
}

TEST(RanksTogether, MoreRanksThanSamplesAreRefused) {
    const Scan scan = test::sample_scan({.matrix = {2, 1, 1}, .coils = 1, .readouts = 1, .samples = 3});
    test::expect_error<UsageError>([&] { reconstruct_by_ranks(4, scan, in_double()); }, {"4 devices", "3 samples"});
}

TEST(RanksTogether, FramesThatShareATrajectoryShareQ) {
    Scan scan = test::sample_scan({.coils = 3, .readouts = 9, .samples = 11, .frames = 2});
    RunControl control;
    Scan same = scan;
    const auto many = reconstruct(scan, test::cpu_team(2), in_double(), control);
    const auto one = reconstruct(same, test::cpu_team(1), in_double(), control);
    ASSERT_EQ(many.size(), 2U);
    EXPECT_LT(ranks_difference(many[1].image, one[1].image), 1e-7);
    EXPECT_GT(ranks_difference(many[1].image, many[0].image), 0.1);  // the frames are not the same
}

}  // namespace
}  // namespace recon
