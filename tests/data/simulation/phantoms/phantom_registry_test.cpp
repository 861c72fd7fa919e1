#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.hpp"
#include "data/simulation/phantom_object.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/error_matchers.hpp"

namespace recon {
namespace {

/// A point at the centre: nothing but this file knows of it.
class Point final : public Phantom {
public:
    std::vector<cfloat> values(const VoxelGrid& grid) const override {
        std::vector<cfloat> values(grid.shape.element_count(), 0);
        const PerAxis<Index> n = grid.shape.matrix_size();
        values[grid.origin[0] + n[0] * (grid.origin[1] + n[1] * grid.origin[2])] = 1;
        return values;
    }
    std::vector<cdouble> transform(const TrigonometricMaps& maps, const Trajectory& trajectory) const override {
        std::vector<cdouble> result;
        for (Index map = 0; map < maps.map_count; ++map) {
            result.insert(result.end(), trajectory.sample_count(), maps.value(map, {0, 0, 0}));
        }
        return result;
    }
};

const Registration registered_point(phantom_kinds(),
                                    PhantomKind{
                                        .name = "point", .explanation = "a toy", .make = [](const PhantomSite&) {
                                            return std::unique_ptr<Phantom>(std::make_unique<Point>());
                                        }});

TEST(PhantomRegistry, APhantomFromAFileOfItsOwnIsScanned) {
    SimulationOptions options;
    options.phantom = "point";
    options.request.matrix_size = {8, 8, 1};
    options.coil_count = 1;
    options.snr = HUGE_VAL;
    const Simulation simulation = simulate_scan(options);
    EXPECT_EQ(simulation.truth[4 + 8 * 4], cfloat(1));
    for (const cfloat value : simulation.scan.frames[0].kspace) {
        EXPECT_EQ(value, cfloat(64));
    }
}

TEST(PhantomRegistry, TellsWhichPhantomsThereAre) {
    SimulationOptions options;
    options.phantom = "tisue";
    test::expect_error<UsageError>([&] { simulate_scan(options); }, {"did you mean 'tissue'", "brain", "sodium"});
}

}  // namespace
}  // namespace recon
