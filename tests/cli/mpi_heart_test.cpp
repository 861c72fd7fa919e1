// recon heart on several processes, started by mpirun.
#include <gtest/gtest.h>

#include "data/files/hdf5_file.hpp"
#include "tests/support/mpi/mpi_program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

TEST(MpiHeart, HasTheBytesOfOneProcess) {
    if (const std::string reason = test::why_no_ranks(); !reason.empty()) {
        GTEST_SKIP() << reason;
    }
    const test::TemporaryFolder folder;
    const std::string options = "heart --device cpu --threads 1 --size 50 --steps 300 --out " + (folder / "heart.h5") +
                                " --json " + (folder / "heart.json");
    ASSERT_EQ(test::run_recon(options).exit_code, 0);
    const auto alone = test::read_json(folder / "heart.json");
    const auto state = H5File::open(folder / "heart.h5").read<double>("/last/excitation");
    for (const auto& [rank_count, more] :
         {std::pair(1, ""), {2, ""}, {3, "--halo 4"}, {4, ""}, {4, "--ranks-geometry 1x4 --halo 2"}}) {
        const auto run = test::run_recon(options + " " + more, test::launcher(rank_count));
        EXPECT_EQ(run.exit_code, 0) << run.output;
        EXPECT_EQ(run.output.find("Linf"), run.output.rfind("Linf")) << run.output;
        const auto found = test::read_json(folder / "heart.json");
        EXPECT_EQ(found["linf"], alone["linf"]) << rank_count << more;
        EXPECT_EQ(found["l2"], alone["l2"]) << rank_count << more;
        EXPECT_EQ(H5File::open(folder / "heart.h5").read<double>("/last/excitation"), state) << rank_count << more;
    }
    const std::string sheet = "heart --device cpu --threads 1 --size 50 --steps 100 ";
    const auto apart = test::run_recon(sheet + "--no-communication", test::launcher(2));
    EXPECT_EQ(apart.exit_code, 0) << apart.output;
    EXPECT_NE(apart.output.find("numbers are wrong"), std::string::npos) << apart.output;
    EXPECT_EQ(test::run_recon(sheet + "--ranks-geometry 3x1", test::launcher(2)).exit_code, 2);
    EXPECT_EQ(test::run_recon(sheet + "--ranks-geometry 2x1").exit_code, 2);
    EXPECT_EQ(test::run_recon(options + " --no-communication", test::launcher(2)).exit_code, 2);
}

}  // namespace
}  // namespace recon
