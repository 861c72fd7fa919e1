// Slices with field maps of their own: each is reconstructed as it would be alone with its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/reconstruction/off_resonance/off_resonance_preparation.hpp"
#include "app/reconstruction/reconstruction.hpp"
#include "data/formats/recon_h5/recon_hdf5_writer.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

constexpr Index slice_count = 3;

SimulationOptions options_of_slices() {
    SimulationOptions options;
    options.phantom = "tissue";
    options.trajectory = "spiral";
    options.request.matrix_size = {48, 48, 1};
    options.request.field_of_view_mm = {220, 220, 220};
    options.coil_count = 4;
    options.snr = 30;
    options.off_resonance = {150, 0};
    options.slice_count = slice_count;
    options.slice_distance_mm = 25;
    return options;
}

Scan alone(const Scan& scan, Index slice) {
    Scan one = scan;
    one.frames = {scan.frames[static_cast<std::size_t>(slice)]};
    const std::span<const float> map = scan.off_resonance(slice).off_resonance_hz;
    one.off_resonance_hz.assign(map.begin(), map.end());
    one.off_resonance_slices.clear();
    return one;
}

class SlicesWithFieldMaps : public test::EveryBackend {
protected:
    std::vector<FrameResult> images(Scan scan, const OffResonanceSources& sources = {}) {
        ReconstructOptions options;
        options.regularisation.scan = ScanPrior::scan;
        options.measure_accuracy = false;
        prepare_off_resonance(scan, sources, options);
        RunControl control;
        return reconstruct(scan, *backend_, options, control);
    }
    double error_of(const FrameResult& result, Index slice) const {
        const std::size_t voxels = result.image.size();
        double misfit = 0, energy = 0;
        for (std::size_t n = 0; n < voxels; ++n) {
            const cdouble truth(simulation_.truth[static_cast<std::size_t>(slice) * voxels + n]);
            misfit += std::norm(cdouble(result.image[n]) - truth);
            energy += std::norm(truth);
        }
        return std::sqrt(misfit / energy);
    }

    Simulation simulation_ = simulate_scan(options_of_slices());
};

TEST_P(SlicesWithFieldMaps, AreAsEachWouldBeAlone) {
    const Scan& scan = simulation_.scan;
    const std::vector<FrameResult> results = images(scan), blurred = images(scan, {.field_map = "none"});
    ASSERT_EQ(std::ssize(results), slice_count);
    for (Index slice = 0; slice < slice_count; ++slice) {
        const FrameResult& result = results[static_cast<std::size_t>(slice)];
        const FrameResult of_one = images(alone(scan, slice)).front();
        double parted = 0, size = 0;
        for (std::size_t n = 0; n < result.image.size(); ++n) {
            parted += std::norm(result.image[n] - of_one.image[n]);
            size += std::norm(of_one.image[n]);
        }
        // Noise and tolerance are found of the scan, of which the first slice is a part.
        EXPECT_LT(std::sqrt(parted / size), 0.01) << "slice " << slice;
        EXPECT_LT(error_of(result, slice), 0.75 * error_of(blurred[static_cast<std::size_t>(slice)], slice));
        const auto map = std::ranges::find(result.extras, "off_resonance_hz", &NamedArray::name);
        ASSERT_NE(map, result.extras.end());
        EXPECT_TRUE(
            std::ranges::equal(std::get<std::vector<float>>(map->values), scan.off_resonance(slice).off_resonance_hz));
    }
}

/// A slice without a field says nothing of the maps' sign.
TEST_P(SlicesWithFieldMaps, AreCheckedWhereTheFieldVariesMost) {
    Scan scan = simulation_.scan;
    const auto voxels = static_cast<Index>(scan.off_resonance_hz.size()) / slice_count;
    std::fill_n(scan.off_resonance_hz.begin(), voxels, 0.0F);
    for (const float sign : {1.0F, -1.0F}) {
        ReconstructOptions options;
        Scan given = scan;
        std::ranges::transform(scan.off_resonance_hz, given.off_resonance_hz.begin(),
                               [&](float hz) { return sign * hz; });
        prepare_off_resonance(given, {}, options);
        RunControl control;
        recon::Run run(*backend_, only_rank(), control);
        const RunRecord verdict = check_off_resonance(given, options.off_resonance, run);
        EXPECT_EQ(is_refuted(verdict, options.off_resonance), sign < 0) << verdict.dump();
    }
}

/// A scan's file tells one place for its maps, which is that of the first slice.
TEST(SlicesWithFieldMapsOfAFile, TakeTheirOwnThoughItSaysNotWhereTheyLie) {
    SimulationOptions options = options_of_slices();
    options.off_resonance = {150, 30};
    const Scan scan = simulate_scan(options).scan;
    ASSERT_NE(scan.frames[0].orientation, scan.frames[2].orientation);
    const test::TemporaryFolder folder;
    write_scan(scan, folder / "scan.h5");
    Scan other = scan;
    other.off_resonance_hz.clear();
    other.relaxation_rate_per_s.clear();
    other.off_resonance_slices.clear();
    ReconstructOptions none;
    prepare_off_resonance(
        other,
        {.field_map = folder / "scan.h5:/off_resonance_hz", .r2star_map = folder / "scan.h5:/relaxation_rate_per_s"},
        none);
    EXPECT_EQ(other.off_resonance_hz, scan.off_resonance_hz);
    EXPECT_EQ(other.relaxation_rate_per_s, scan.relaxation_rate_per_s);
    EXPECT_EQ(other.off_resonance_slices, scan.off_resonance_slices);
}

INSTANTIATE_TEST_SUITE_P(, SlicesWithFieldMaps, test::every_backend(), test::backend_name);

}  // namespace
}  // namespace recon
