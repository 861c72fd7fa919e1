// `--matrix 64` and `--fov 220` mean the same wherever they are given: one number for all axes that there are.
#include <gmock/gmock.h>

#include "app/cli/reconstruct_command_line.hpp"
#include "app/cli/simulate/simulate_command.hpp"
#include "core/base/error.hpp"
#include "data/describe_file.hpp"
#include "data/formats/recon_h5/recon_hdf5_writer.hpp"
#include "data/reading/stored/trajectory_unit.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

class MatrixOption : public ::testing::Test {
protected:
    std::string simulated(const std::string& options) const {
        CLI::App app;
        add_simulate_command(app);
        app.parse("simulate --coils 1 --trajectory cartesian " + options + " --out " + folder_ / "scan.h5");
        return folder_ / "scan.h5";
    }
    static Scan read(const std::string& scan, const std::string& options) {
        CLI::App app;
        ReconstructCommandLine line;
        add_reconstruct_options(app, line);
        app.parse(options);
        return read_scan(scan, read_options(line, KspaceReading::on_demand));
    }

    test::TemporaryFolder folder_;
};

TEST_F(MatrixOption, OneNumberIsForAllAxesThatTheScanHas) {
    const std::string volume = simulated("--matrix 8 --fov 200");
    EXPECT_EQ(read(volume, "").geometry.matrix_size, (PerAxis<Index>{8, 8, 8}));
    EXPECT_EQ(read(volume, "--matrix 10").geometry.matrix_size, (PerAxis<Index>{10, 10, 10}));
    EXPECT_EQ(read(volume, "--fov 220").geometry.field_of_view_mm, (PerAxis<double>{220, 220, 220}));

    const std::string slice = simulated("--matrix 8 7 --fov 200 180 5");
    EXPECT_EQ(read(slice, "--matrix 10").geometry.matrix_size, (PerAxis<Index>{10, 10, 1}));
    const Scan as_it_is = read(slice, ""), larger = read(slice, "--fov 220 --outside keep");
    EXPECT_EQ(larger.geometry.field_of_view_mm, (PerAxis<double>{220, 220, 5}));
    const auto &before = as_it_is.frames[0].trajectory->k[1], &after = larger.frames[0].trajectory->k[1];
    for (std::size_t i = 0; i < before.size(); ++i) {
        EXPECT_NEAR(after[i], before[i] * 220 / 180, 1e-12);  // the same positions, in cycles of a larger field of view
    }
}

TEST_F(MatrixOption, TwoNumbersAreForASlice) {
    const std::string volume = simulated("--matrix 8 --fov 200 180 160");
    EXPECT_EQ(read(volume, "--matrix 10 9").geometry.matrix_size, (PerAxis<Index>{10, 9, 1}));
    EXPECT_EQ(read(volume, "--fov 220 210").geometry.field_of_view_mm, (PerAxis<double>{220, 210, 160}));
    EXPECT_EQ(read(volume, "--matrix 10 9 1").geometry.matrix_size, (PerAxis<Index>{10, 9, 1}));
    EXPECT_EQ(read(volume, "--matrix 10x9x1").geometry.matrix_size, (PerAxis<Index>{10, 9, 1}));
    EXPECT_EQ(read(volume, "--fov 210x190x170").geometry.field_of_view_mm, (PerAxis<double>{210, 190, 170}));
}

TEST_F(MatrixOption, WithoutAMatrixInTheFileTheTrajectoryTellsItsAxes) {
    Scan scan = read(simulated("--matrix 8 7 --fov 200 180 5"), "");
    scan.geometry.matrix_size = {0, 0, 0};
    scan.coil_maps.clear();
    write_scan(scan, folder_ / "no-matrix.h5");
    EXPECT_EQ(read(folder_ / "no-matrix.h5", "--matrix 9").geometry.matrix_size, (PerAxis<Index>{9, 9, 1}));

    auto tilted = std::make_shared<Trajectory>(*scan.frames[0].trajectory);
    tilted->k[2].assign(tilted->k[0].size(), 1e-5);  // a slice gradient that is rewound but for rounding
    scan.frames[0].trajectory = tilted;
    std::filesystem::remove(folder_ / "no-matrix.h5");
    write_scan(scan, folder_ / "no-matrix.h5");
    EXPECT_EQ(read(folder_ / "no-matrix.h5", "--matrix 9").geometry.matrix_size, (PerAxis<Index>{9, 9, 1}));
}

TEST_F(MatrixOption, FieldOfViewCompletesAFileThatHasNone) {
    Scan scan = read(simulated("--matrix 8 7 --fov 200 180 5"), "");
    scan.geometry.field_of_view_mm = {0, 0, 0};
    scan.coil_maps.clear();
    write_scan(scan, folder_ / "no-fov.h5");
    ScanReadOptions options;
    options.field_of_view_mm = {220, 210, 5};
    EXPECT_THAT(describe_file(folder_ / "no-fov.h5", options), testing::HasSubstr("220 x 210 x 5 mm"));
    const std::string in_metres = "--trajectory-unit 1/m --matrix 8 7 ";
    test::expect_error<InputError>([&] { read(folder_ / "no-fov.h5", in_metres); }, {"the field of view is unknown"});
    EXPECT_EQ(read(folder_ / "no-fov.h5", in_metres + "--fov 220").geometry.field_of_view_mm[1], 220);
}

TEST_F(MatrixOption, AxesWhoseFieldOfViewIsUnknownAreNamed) {
    Geometry geometry;
    EXPECT_EQ(unknown_field_of_view(geometry), "the field of view is unknown; give it with `fov`");
    geometry.field_of_view_mm = {220, 0, 0};
    EXPECT_EQ(unknown_field_of_view(geometry), "the field of view along y and z is unknown; give it with `fov`");
}

}  // namespace
}  // namespace recon
