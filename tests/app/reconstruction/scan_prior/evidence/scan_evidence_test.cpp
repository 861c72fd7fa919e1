// What is read off a scan before there is an image: energies of k-space, and the voxels that coils see.
#include "app/reconstruction/scan_prior/evidence/scan_evidence.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "data/simulation/simulate_scan.hpp"
#include "tests/support/prepared_problem.hpp"

namespace recon {
namespace {

constexpr Index size = 24, coils = 3;

Scan simulated() {
    SimulationOptions options;
    options.trajectory = "golden-radial";
    options.request.matrix_size = {size, size, 1};
    options.coil_count = coils;
    options.snr = 20;
    return simulate_scan(options).scan;
}

TEST(ScanEvidence, CountsTheEnergyOfEverySampleAndCoil) {
    Scan scan = simulated();
    std::vector<cfloat> kspace = scan.frames.front().kspace;
    const std::size_t samples = kspace.size() / coils;
    std::fill(kspace.begin() + static_cast<Index>(samples), kspace.begin() + static_cast<Index>(2 * samples),
              cfloat(0));
    double energy = 0;
    for (const cfloat& value : kspace) {
        energy += std::norm(cdouble(value));
    }
    scan.frames.front().kspace = kspace;
    test::PreparedProblem prepared(std::move(scan), {});
    const ScanEvidence evidence(prepared.problem(), prepared.priors());
    EXPECT_NEAR(evidence.statistics.data_energy, energy, 1e-12 * energy);
    EXPECT_EQ(evidence.statistics.coil_count, coils - 1);
    const KspaceShells& shells = evidence.statistics.shells;
    EXPECT_NEAR(std::accumulate(shells.energy.begin(), shells.energy.end(), 0.0), energy, 1e-12 * energy);
}

TEST(ScanEvidence, LeavesOutVoxelsThatNoCoilSees) {
    Scan scan = simulated();
    std::vector<cfloat> maps = scan.coil_maps;
    const auto is_seen = [](std::size_t voxel) { return voxel % size >= 7; };
    for (std::size_t i = 0; i < maps.size(); ++i) {
        maps[i] = is_seen(i % (size * size)) ? cfloat(1e-18F, 3) : cfloat(0);
    }
    scan.coil_maps = maps;
    test::PreparedProblem prepared(std::move(scan), {});
    ScanEvidence evidence(prepared.problem(), prepared.priors());
    evidence.prepare();
    ASSERT_NE(evidence.priors.support, nullptr);
    Array ones(prepared.backend(), prepared.problem().image_shape(), Precision::single);
    prepared.backend().fill(1, ones);
    evidence.priors.support->restrict_to_support(ones);
    const std::vector<cfloat> inside = download<float>(ones);
    for (std::size_t voxel = 0; voxel < inside.size(); ++voxel) {
        EXPECT_EQ(inside[voxel], cfloat(is_seen(voxel) ? 1 : 0)) << voxel;
    }
}

TEST(ScanEvidence, NeedsNoSupportWhereAllVoxelsAreSeen) {
    Scan scan = simulated();
    scan.coil_maps = std::vector<cfloat>(scan.coil_maps.size(), cfloat(0.5F, 0.25F));
    test::PreparedProblem prepared(std::move(scan), {});
    ScanEvidence evidence(prepared.problem(), prepared.priors());
    evidence.prepare();
    EXPECT_EQ(evidence.priors.support, nullptr);
}

}  // namespace
}  // namespace recon
