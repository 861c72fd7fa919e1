// Several processes, started by mpirun: the image of one, a record of all.
#include "tests/support/mpi/mpi_ranks.hpp"

namespace recon {
namespace {

using test::MpiRanks, test::image_difference, test::times_in;

TEST_F(MpiRanks, CoilsDividedGiveTheImageOfOneAndTheSameBytesAgain) {
    simulate("--matrix 40 36 --coils 5 --no-coil-maps");
    const std::vector<cfloat> alone = image(0, "");
    for (const int rank_count : {1, 2, 3, 4}) {
        const std::vector<cfloat> first = image(rank_count, "--divide coils");
        // the default prior solves as far as its predicted error, 18 % here, asks for: rounding moves that end
        EXPECT_LT(image_difference(first, alone), 0.01) << rank_count;
        EXPECT_EQ(times_in("backend: ", output_), 1) << output_;
        if (rank_count > 1) {
            EXPECT_EQ(image(rank_count, "--divide coils"), first) << rank_count;
            const auto record = test::read_json(folder_ / "run.json");
            ASSERT_EQ(record["ranks"].size(), static_cast<std::size_t>(rank_count));
            for (const auto& rank : record["ranks"]) {
                EXPECT_GE(rank["waited"], 0);
                EXPECT_LT(rank["waited"], rank["seconds"]);
                EXPECT_GT(rank["memory_peak_bytes"], 0);
            }
        }
    }
    EXPECT_TRUE(litter().empty());
}

/// Of an MRD file with a noise scan: coils are whitened, which takes all of them.
TEST_F(MpiRanks, PartsOfWhitenedCoilsGiveTheImageOfOne) {
    simulate("--matrix 32 28 --coils 5 --no-coil-maps --format mrd --noise-samples 300");
    const std::string options = "--prior none --iterations 5";
    const std::vector<cfloat> alone = image(0, options);
    for (const int rank_count : {2, 4}) {
        EXPECT_LT(image_difference(image(rank_count, options), alone), 1e-4) << rank_count;
        EXPECT_NE(output_.find("of 5 coils"), std::string::npos) << output_;
    }
    EXPECT_TRUE(H5File::open(folder_ / "image.h5").has_dataset("/coil_maps"));
}

/// Of the reconstruction itself: the program's heap differs from run to run.
TEST_F(MpiRanks, MemoryOfARankFallsWithTheirNumber) {
    const auto booked = [&](int rank_count, const std::string& divide) {
        image(rank_count, "--prior none --iterations 2 --no-accuracy-check --divide " + divide);
        const auto record = test::read_json(folder_ / "run.json");
        return record["memory_booked_peak_bytes"].get<double>() - record["memory_host_bytes"].get<double>();
    };
    simulate("--matrix 128 128 --coils 128");
    const double of_four = booked(4, "coils");
    EXPECT_GT(of_four, 10e6);
    EXPECT_LT(of_four, 0.35 * booked(1, "coils"));
    simulate("--matrix 128 128 --coils 128 --frames 2");
    EXPECT_LT(booked(4, "frames,coils"), 0.7 * booked(2, "frames"));
}

/// Options that look at all coils before they are divided.
TEST_F(MpiRanks, AllCoilsAreHeldWhereThatIsNeeded) {
    simulate("--matrix 32 28 --coils 6 --no-coil-maps");
    const std::string options = "--prior none --iterations 4 --coils 3";
    EXPECT_LT(image_difference(image(2, options), image(0, options)), 1e-4);
    EXPECT_EQ(output_.find("each holds"), std::string::npos) << output_;
}

TEST_F(MpiRanks, SamplesAreDividedWhereCoilsAreFew) {
    simulate("--matrix 32 32 --coils 1");
    const std::string options = "--prior none --iterations 5";
    EXPECT_LT(image_difference(image(3, options), image(0, options)), 1e-4);
}

TEST_F(MpiRanks, FramesDividedGiveTheBytesOfOne) {
    simulate("--matrix 32 32 --coils 3 --no-coil-maps --frames 5");
    const std::vector<cfloat> alone = image(0, "");
    EXPECT_EQ(image(3, "--divide frames"), alone);
    EXPECT_NE(output_.find("processes divide 5 frames"), std::string::npos) << output_;
    const auto record = test::read_json(folder_ / "run.json");
    ASSERT_EQ(record["frames"].size(), 5U);
    for (const auto& frame : record["frames"]) {
        EXPECT_GT(frame["data_residual"], 0);
        EXPECT_GT(frame["iterations"], 0);
    }
    EXPECT_EQ(image(5, ""), alone) << "five frames on five ranks are divided of themselves";
}

/// Two ranks on each of two frames: a frame has the bytes that two ranks by themselves give it.
TEST_F(MpiRanks, GroupsOfRanksDivideFramesAndCoils) {
    simulate("--matrix 32 28 --coils 6 --no-coil-maps --frames 2");
    const std::string options = "--prior none --iterations 5 ";
    const std::vector<cfloat> alone = image(0, options);
    const std::vector<cfloat> found = image(4, options + "--divide frames,coils");
    EXPECT_LT(image_difference(found, alone), 1e-4);
    EXPECT_EQ(times_in("4 ranks in 2 groups of 2 divide 2 frames", output_), 1) << output_;
    EXPECT_NE(output_.find("each holds 3 of 6 coils"), std::string::npos) << output_;
    const auto record = test::read_json(folder_ / "run.json");
    ASSERT_EQ(record["ranks"].size(), 4U);
    for (std::size_t rank = 0; rank < 4; ++rank) {
        EXPECT_EQ(record["ranks"][rank]["group"], rank / 2);
        EXPECT_EQ(record["ranks"][rank]["part"], rank % 2);
    }
    EXPECT_TRUE(H5File::open(folder_ / "image.h5").has_dataset("/frame_0/coil_maps"));
    EXPECT_EQ(image(4, options), found) << "and of themselves";
    EXPECT_EQ(image(2, options + "--divide coils"), found);
}

TEST_F(MpiRanks, GroupsThatCannotBeFormedAreRefused) {
    simulate("--matrix 16 16 --coils 2");
    const auto run = test::run_recon(arguments("image.h5", "--divide frames,coils"), test::launcher(4));
    EXPECT_EQ(run.exit_code, 2) << run.output;
    EXPECT_EQ(times_in("four ranks and two frames at least", run.output), 1) << run.output;
}

TEST_F(MpiRanks, AFileThatIsMissingIsSaidOnce) {
    const auto run =
        test::run_recon("--scan " + (folder_ / "none.h5") + " --out " + (folder_ / "image.h5"), test::launcher(3));
    EXPECT_EQ(run.exit_code, 3) << run.output;
    EXPECT_EQ(times_in("recon: error: ", run.output), 1) << run.output;
}

TEST_F(MpiRanks, OptionsThatDifferAreRefused) {
    simulate("--matrix 16 16 --coils 2");
    const std::string more = " : -n 1 " + std::string(test::program_path()) + " ";
    const auto run = test::run_recon(arguments("image.h5", "--lambda 1") + more + arguments("image.h5", "--lambda 2"),
                                     test::launcher(1));
    EXPECT_EQ(run.exit_code, 2) << run.output;
    EXPECT_NE(run.output.find("--lambda is "), std::string::npos) << run.output;
}

TEST_F(MpiRanks, EachIsAloneWhereTheyDivideNothing) {
    simulate("--matrix 16 16 --coils 2");
    const auto run =
        test::run_recon(arguments("image.h5", "--divide none --prior none --iterations 2"), test::launcher(1));
    EXPECT_EQ(run.exit_code, 0) << run.output;
}

TEST_F(MpiRanks, MessagesAreMeasuredAndSumsChecked) {
    const auto run = test::run_recon("bench --ranks --device cpu --threads 1", test::launcher(3));
    EXPECT_EQ(run.exit_code, 0) << run.output;
    EXPECT_EQ(times_in("all-reduce", run.output), 3) << run.output;
    EXPECT_EQ(test::run_recon("bench --ranks").exit_code, 2);
}

}  // namespace
}  // namespace recon
