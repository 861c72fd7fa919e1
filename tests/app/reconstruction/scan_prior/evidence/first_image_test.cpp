#include "app/reconstruction/scan_prior/evidence/first_image.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "data/simulation/simulate_scan.hpp"
#include "tests/support/prepared_problem.hpp"

namespace recon {
namespace {

struct FirstImageCase {
    const char* name;
    const char* trajectory;
    PerAxis<Index> matrix_size;
    bool has_q;    ///< else the density is Pipe and Menon's everywhere
    double error;  ///< that gridding leaves there, and a little more
};

void PrintTo(const FirstImageCase& one, std::ostream* out) { *out << one.name; }

class FirstImage : public ::testing::TestWithParam<FirstImageCase> {};

/// Of the best multiple.
double error_of_best_multiple(const std::vector<cfloat>& image, const std::vector<cfloat>& truth) {
    cdouble product = 0;
    double energy = 0, of_truth = 0;
    for (std::size_t i = 0; i < image.size(); ++i) {
        product += std::conj(cdouble(image[i])) * cdouble(truth[i]);
        energy += std::norm(cdouble(image[i]));
        of_truth += std::norm(cdouble(truth[i]));
    }
    return std::sqrt(std::max(0.0, 1 - std::norm(product) / (energy * of_truth)));
}

TEST_P(FirstImage, IsMuchNearerToTheObjectThanTheAdjoint) {
    SimulationOptions simulated;
    simulated.trajectory = GetParam().trajectory;
    simulated.request.matrix_size = GetParam().matrix_size;
    simulated.coil_count = 3;
    simulated.snr = 50;
    const Simulation simulation = simulate_scan(simulated);
    ReconstructOptions options;
    options.regularisation.scan = GetParam().has_q ? ScanPrior::scan : ScanPrior::none;
    test::PreparedProblem prepared(simulation.scan, options);
    ScanEvidence evidence(prepared.problem(), prepared.priors());
    evidence.prepare();
    const double error = error_of_best_multiple(download<float>(first_image(evidence)), simulation.truth);
    EXPECT_LT(error, GetParam().error);
    EXPECT_LT(error, 0.5 * error_of_best_multiple(download<float>(prepared.problem().fhd()), simulation.truth));
}

INSTANTIATE_TEST_SUITE_P(, FirstImage,
                         ::testing::Values(FirstImageCase{"radial", "golden-radial", {48, 48, 1}, true, 0.15},
                                           FirstImageCase{"spiral", "spiral", {48, 48, 1}, true, 0.15},
                                           FirstImageCase{"volume", "radial", {24, 24, 24}, true, 0.2},
                                           FirstImageCase{"small", "radial", {12, 12, 12}, true, 0.3},
                                           FirstImageCase{"without_q", "golden-radial", {48, 48, 1}, false, 0.15}),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace recon
