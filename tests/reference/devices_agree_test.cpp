// Every shared scan on the CPU and on the GPU: the same image.
#include <gtest/gtest.h>

#include <filesystem>

#include "data/files/hdf5_file.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/program.hpp"
#include "tests/support/random.hpp"
#include "tests/support/shared_data.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

struct Case {
    const char* name;
    const char* scan;
    const char* options;
    double tolerance;  ///< of the image: that of the sums, times what ten iterations on this scan make of it
};

class DevicesAgree : public ::testing::TestWithParam<Case> {
protected:
    void SetUp() override {
        if (!std::filesystem::exists(shared_data_folder())) {
            GTEST_SKIP() << "no shared scans at " << shared_data_folder() << "; set RECON_SHARED_DATA";
        }
        try {
            make_cuda_backend(0);
        } catch (const BackendUnavailable& unavailable) {
            GTEST_SKIP() << "no GPU to compare with: " << unavailable.what();
        }
    }

    std::vector<cdouble> image_on(const std::string& device) {
        const std::string out = folder_ / (device + ".h5");
        const std::string command = "--device " + device + " --iterations 10 --stop 0 --no-accuracy-check --scan " +
                                    (shared_data_folder() / GetParam().scan).string() + " --out " + out + " " +
                                    GetParam().options;
        const auto run = test::run_recon(command);
        EXPECT_EQ(run.exit_code, 0) << run.output;
        return H5File::open(out).read<cdouble>("/image");
    }

    test::TemporaryFolder folder_;
};

TEST_P(DevicesAgree, OnTheImage) {
    const double difference = test::relative_difference(image_on("cuda"), image_on("cpu"));
    RecordProperty("difference", std::to_string(difference));
    EXPECT_LT(difference, GetParam().tolerance);
}

INSTANTIATE_TEST_SUITE_P(
    , DevicesAgree,
    ::testing::Values(Case{"cardiac", "mrd/cardiac-radial.h5", "", 1e-4},
                      // Coil maps are single precision always.
                      Case{"cardiac_double", "mrd/cardiac-radial.h5", "--precision double", 1e-5},
                      Case{"xenon", "mrd/xenon-radial-gas.h5", "", 1e-4},
                      Case{"xenon_double", "mrd/xenon-radial-gas.h5", "--precision double", 1e-9},
                      Case{"spiral", "mrd/spiral-fieldmap.h5", "--coil-maps walsh --calibration-radius 32", 1e-4},
                      Case{"spiral_field_map", "mrd/spiral-fieldmap.h5",
                           "--tol 1e-5 --coil-maps walsh --calibration-radius 32 --field-map fieldmap_extrapolated",
                           2e-2},
                      Case{"impatient", "impatient-64x64x1", "", 1e-4},
                      Case{"impatient_double", "impatient-64x64x1", "--precision double", 1e-9}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace recon
