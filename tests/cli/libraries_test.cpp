// What the program loads, whatever it was built with.
#include <gmock/gmock.h>

#include "tests/support/program.hpp"

namespace recon {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const auto nothing_of_a_gpu_or_mpi =
    AllOf(Not(HasSubstr("libcuda")), Not(HasSubstr("libcublas")), Not(HasSubstr("libcufft")), Not(HasSubstr("libnccl")),
          Not(HasSubstr("libmpi")));

TEST(Libraries, ThoseOfAGpuAndOfMpiAreLeftAloneByWhatNeedsNone) {
    const test::TemporaryFolder folder;
    const std::string scan = folder.path() + "/scan.h5";
    ASSERT_EQ(test::run_recon("simulate --out " + scan + " --matrix 16 16 --coils 2").exit_code, 0);
    for (const std::string& arguments :
         {"info " + scan, "--scan " + scan + " --out " + folder.path() + "/image.h5 --device cpu --iterations 2",
          std::string("--version")}) {
        const test::ProgramRun run = test::run_recon(arguments, "LD_DEBUG=libs");  // the loader says what it looks for
        EXPECT_EQ(run.exit_code, 0) << arguments;
        EXPECT_THAT(run.output, HasSubstr("libhdf5")) << "the loader says nothing";
        EXPECT_THAT(run.output, nothing_of_a_gpu_or_mpi) << arguments;
    }
}

}  // namespace
}  // namespace recon
