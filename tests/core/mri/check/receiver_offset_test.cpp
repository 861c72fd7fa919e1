#include "core/mri/check/receiver_offset.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "data/simulation/simulate_scan.hpp"

namespace recon {
namespace {

Scan offset_scan(const std::string& trajectory, const std::string& phantom, double snr) {
    SimulationOptions options;
    options.trajectory = trajectory;
    options.phantom = phantom;
    options.request.matrix_size = trajectory == "cones" ? PerAxis<Index>{20, 20, 20} : PerAxis<Index>{48, 48, 1};
    options.coil_count = 3;
    options.snr = snr;
    options.noise_sample_count = 500;
    return simulate_scan(options).scan;
}

/// A twentieth of the root mean square of the samples, to every one of some coils. @return what was added, [coil]
std::vector<cdouble> add_offsets(Scan& scan, const std::vector<Index>& coils) {
    std::vector<cfloat>& kspace = scan.frames[0].kspace;
    double energy = 0;
    for (const cfloat value : kspace) {
        energy += std::norm(cdouble(value));
    }
    const double size = 0.05 * std::sqrt(energy / static_cast<double>(kspace.size()));
    std::vector<cdouble> added(3);
    for (const Index coil : coils) {
        added[static_cast<std::size_t>(coil)] = std::polar(size, 1.0 + static_cast<double>(coil));
    }
    for (std::vector<cfloat>* const values : {&kspace, &scan.noise}) {
        for (std::size_t i = 0; i < values->size(); ++i) {
            (*values)[i] += cfloat(added[i / (values->size() / 3)]);
        }
    }
    return added;
}

std::vector<cdouble> offsets_in(const Scan& scan) {
    return receiver_offsets({scan.frames[0].kspace, 3}, *scan.frames[0].trajectory, scan.geometry.matrix_size);
}

class ReceiverOffset : public testing::TestWithParam<std::tuple<const char*, const char*, double>> {
protected:
    Scan scan() const { return offset_scan(std::get<0>(GetParam()), std::get<1>(GetParam()), std::get<2>(GetParam())); }
};

TEST_P(ReceiverOffset, IsNotFoundWhereThereIsNone) { EXPECT_TRUE(coils_of(offsets_in(scan())).empty()); }

TEST_P(ReceiverOffset, OfSomeCoilsIsFoundAndSubtracted) {
    Scan scan = this->scan();
    const std::vector<cdouble> added = add_offsets(scan, {0, 2});
    const std::vector<cdouble> found = offsets_in(scan);
    EXPECT_EQ(coils_of(found), (std::vector<Index>{0, 2}));
    for (std::size_t coil = 0; coil < 3; ++coil) {
        EXPECT_LT(std::abs(found[coil] - added[coil]), 0.25 * std::abs(added[0]));  // the object has a little there
    }
    scan.frames[0].read_kspace = [kspace = scan.frames[0].kspace] { return kspace; };
    scan.frames[0].release();
    remove_receiver_offsets(scan);
    scan.frames[0].load();
    EXPECT_TRUE(coils_of(offsets_in(scan)).empty());
    cdouble sum = 0;
    for (std::size_t i = 0; i < scan.noise.size() / 3; ++i) {
        sum += cdouble(scan.noise[i]);
    }
    EXPECT_LT(std::abs(sum), 1e-3 * std::abs(added[0]) * static_cast<double>(scan.noise.size()));
}

INSTANTIATE_TEST_SUITE_P(, ReceiverOffset,
                         testing::Combine(testing::Values("radial", "spiral", "cartesian", "cones"),
                                          testing::Values("brain", "tissue"), testing::Values(100.0)));

/// Where all samples lie on a line through the centre, or the object is a dot in the middle, nothing tells one.
TEST(ReceiverOffsets, AreNotTakenFromAnObject) {
    Scan scan = offset_scan("radial", "brain", 100);
    Trajectory line = *scan.frames[0].trajectory;
    for (Index m = 0; m < line.sample_count(); ++m) {
        const auto at = static_cast<std::size_t>(m), first = at % static_cast<std::size_t>(scan.samples_per_readout);
        line.k[0][at] = line.k[0][first];
        line.k[1][at] = line.k[1][first];
    }
    std::vector<cfloat>& kspace = scan.frames[0].kspace;
    for (std::size_t i = 0; i < kspace.size(); ++i) {  // of a bar across it
        const std::size_t m = i % static_cast<std::size_t>(line.sample_count());
        kspace[i] = cfloat(1.0F / (1.0F + static_cast<float>(std::hypot(line.k[0][m], line.k[1][m]))), 0.01F);
    }
    scan.frames[0].trajectory = std::make_shared<const Trajectory>(std::move(line));
    EXPECT_TRUE(coils_of(offsets_in(scan)).empty());
    Scan dot = offset_scan("radial", "brain", 100);
    std::fill(dot.frames[0].kspace.begin(), dot.frames[0].kspace.end(), cfloat(1, 2));
    EXPECT_TRUE(coils_of(offsets_in(dot)).empty());
}

}  // namespace
}  // namespace recon
