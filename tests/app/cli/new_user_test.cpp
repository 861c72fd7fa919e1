// What somebody types who has never read a page: a word that is a file, an option file, a record to read.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "tests/support/file_contents.hpp"
#include "tests/support/program.hpp"

namespace recon {
namespace {

using test::run_recon;
using ::testing::HasSubstr;

class NewUser : public ::testing::Test {
protected:
    void SetUp() override {
        const test::ProgramRun run = run_recon("simulate --quiet --matrix 16 16 --coils 2 --out " + file("brain.h5") +
                                               " --truth " + file("truth.h5"));
        ASSERT_EQ(run.exit_code, 0) << run.output;
        EXPECT_EQ(run.output, "");
    }
    std::string file(const std::string& name) const { return folder_ / name; }
    static std::string ours(const std::string& arguments, int exit_code = 0) {
        const test::ProgramRun run = run_recon(arguments);
        EXPECT_EQ(run.exit_code, exit_code) << run.output;
        return run.output;
    }
    test::TemporaryFolder folder_;
};

TEST_F(NewUser, AFileAloneGivesAnImageBesideIt) {
    const auto before = std::filesystem::last_write_time(file("brain.h5"));
    ours(file("brain.h5") + " --device cpu --quiet");
    EXPECT_TRUE(std::filesystem::exists(file("brain-image.h5")));
    EXPECT_EQ(std::filesystem::last_write_time(file("brain.h5")), before);
    ours(file("brain.h5") + " --out " + file("brain.h5"), 2);
    EXPECT_THAT(ours(file("brian.h5"), 3), HasSubstr("did you mean '" + file("brain.h5") + "'?"));
    EXPECT_THAT(ours("infp " + file("brain.h5"), 2), HasSubstr("did you mean info?"));
    ours(file("brain.h5") + " --scan " + file("brain.h5"), 2);
    EXPECT_THAT(ours("", 2), HasSubstr("recon FILE"));
}

TEST_F(NewUser, WhatIsNoImageIsNotReplacedByANameThatNobodyGave) {
    std::filesystem::copy_file(file("brain.h5"), file("brain-image.h5"));
    EXPECT_THAT(ours(file("brain.h5") + " --device cpu --quiet", 2), HasSubstr("brain-image.h5: is there already"));
    EXPECT_EQ(test::contents_of(file("brain-image.h5")), test::contents_of(file("brain.h5")));
    std::filesystem::remove(file("brain-image.h5"));
    ours(file("brain.h5") + " --device cpu --quiet");
    ours(file("brain.h5") + " --device cpu --quiet");  // an image is
}

TEST_F(NewUser, AnOptionFileDoesWhatTheCommandLineDid) {
    const std::string options = "--scan " + file("brain.h5") + " --iterations 7 --matrix 14 12 --prior none --baseline";
    std::ofstream(file("recon.toml")) << ours(options + " --print-config");
    ours("--config " + file("recon.toml") + " --quiet --device cpu --out " + file("a.h5") + " --json " +
         file("a.json"));
    ours(options + " --quiet --device cpu --out " + file("b.h5") + " --json " + file("b.json"));
    nlohmann::json a = test::read_json(file("a.json")), b = test::read_json(file("b.json"));
    EXPECT_EQ(a["iterations"], 7);
    EXPECT_EQ(a["residuals"], b["residuals"]);
    std::ofstream(file("recon.toml")) << "iteratons = 3\n";
    EXPECT_THAT(ours("--config " + file("recon.toml") + " --scan " + file("brain.h5"), 2),
                HasSubstr("no option is called iteratons; did you mean iterations?"));
}

TEST_F(NewUser, TheRecordHasTypesAndWhatWasInForce) {
    ours(file("brain.h5") + " --device cpu --quiet --matrix 14 12 --threads 2 --prior none --baseline --json " +
         file("run.json"));
    const nlohmann::json run = test::read_json(file("run.json"));
    EXPECT_EQ(run["options"]["iterations"], "auto");
    EXPECT_EQ(run["options"]["stop"], "auto");
    EXPECT_EQ(run["options"]["matrix"], nlohmann::json({14, 12}));
    EXPECT_EQ(run["options"]["baseline"], true);
    EXPECT_EQ(run["options"]["strict"], false);
    EXPECT_TRUE(run["options"]["reference"].is_null());
    EXPECT_TRUE(run["options"]["g-factor"].is_null()) << "its 100 draws stand for the bare option";
    EXPECT_EQ(run["options"]["scan"], file("brain.h5"));
    EXPECT_GE(run["tolerance"], 1e-6);
    EXPECT_FALSE(run["tolerance_source"].get<std::string>().empty());
    EXPECT_EQ(run["threads"], 2);
    EXPECT_FALSE(run["host"].get<std::string>().empty());
    EXPECT_FALSE(run["commit"].get<std::string>().empty());
    EXPECT_THAT(run["command"], HasSubstr("--matrix 14 12 --prior none --baseline"));

    const std::string digest = file("digest");
    ASSERT_EQ(std::system(("sha256sum " + file("brain.h5") + " > " + digest).c_str()), 0);
    std::string expected;
    std::ifstream(digest) >> expected;
    EXPECT_EQ(run["scan_sha256"], expected);
}

TEST_F(NewUser, NiftiHasASidecarByBids) {
    const std::string common = file("brain.h5") + " --device cpu --prior none --no-cache --quiet ";
    EXPECT_EQ(ours(common + "--out " + file("image.h5") + " --nifti " + file("image.nii.gz")), "");
    const nlohmann::json sidecar = test::read_json(file("image.json"));
    EXPECT_EQ(sidecar["Modality"], "MR");
    EXPECT_EQ(sidecar["Sources"], nlohmann::json::array({file("brain.h5")}));
    EXPECT_EQ(ours(common + "--out " + file("image.nii.gz")), "") << "its own sidecar is replaced";
    EXPECT_THAT(ours(common + "--out " + file("b.nii") + " --json " + file("b.json")), HasSubstr("no BIDS sidecar"));
    EXPECT_TRUE(test::read_json(file("b.json")).contains("residuals"));
    std::ofstream(file("c.json")) << "{\"mine\": 1}";
    EXPECT_THAT(ours(common + "--out " + file("c.nii")), HasSubstr("left as it is"));
    EXPECT_EQ(test::read_json(file("c.json")), nlohmann::json({{"mine", 1}}));
}

TEST_F(NewUser, AScanIsWrittenInTheFormatOfItsName) {
    ours("simulate --quiet --matrix 12 12 --coils 1 --out " + file("scan.cfl"));
    EXPECT_THAT(ours("info " + file("scan.cfl") + " --trajectory " + file("scan-trajectory.cfl")), HasSubstr("BART"));
    ours("simulate --quiet --matrix 12 12 --coils 1 --format recon --out " + file("own.cfl"));
    EXPECT_THAT(ours("info " + file("own.cfl")), HasSubstr("recon HDF5"));
}

TEST_F(NewUser, OpenMpsVariableSaysHowManyThreads) {
    const test::ProgramRun run =
        run_recon(file("brain.h5") + " --device cpu --json " + file("run.json"), "OMP_NUM_THREADS=1");
    ASSERT_EQ(run.exit_code, 0) << run.output;
    EXPECT_EQ(test::read_json(file("run.json"))["threads"], 1);
    EXPECT_THAT(run.output, HasSubstr("CPU, 1 thread,"));
}

TEST_F(NewUser, InfoOfAnImageSaysItsSizeAndPlace) {
    ours(file("brain.h5") + " --device cpu --quiet --prior none");
    const std::string text = ours("info " + file("brain-image.h5"));
    EXPECT_THAT(text, HasSubstr("image of 16 x 16 x 1 voxels"));
    EXPECT_THAT(text, HasSubstr("220 x 220 x 220 mm"));
    EXPECT_THAT(text, HasSubstr("x along (1, 0, 0)"));
    for (const char* part : {"made by           recon ", "prior             none", "data residual     ", "time   "}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
    EXPECT_THAT(text, HasSubstr("run/ (the record of the run, as --json writes it)"));
}

TEST_F(NewUser, ThePageOfARunIsCompleteInItself) {
    const std::string options = file("brain.h5") + " --device cpu --quiet --baseline --g-factor 3 --reference " +
                                file("truth.h5") + " --coil-maps walsh";
    ours(options + " --report " + file("run.html"));
    ours("report " + file("brain-image.h5") + " --out " + file("again.html"));
    const std::string page = test::contents_of(file("run.html"));
    EXPECT_EQ(page, test::contents_of(file("again.html")));
    for (const char* part :
         {"gridding + FFT", "reference", "error of recon", "standard deviation", "g-factor", "coil 2",
          "kx to the right", "Relative residual", "Spectrum of the image", "What was decided", "Time and memory",
          "scan, SHA-256", "recon ", "prefers-color-scheme", "@media print", "check of the scan"}) {
        EXPECT_THAT(page, HasSubstr(part));
    }
    for (const char* foreign : {"http:", "https:", "<script", "<link", "url("}) {
        const std::string without_names =
            page.find("xmlns='http://www.w3.org/2000/svg'") == std::string::npos ? page : [&] {
                std::string rest = page;
                const std::string name = "xmlns='http://www.w3.org/2000/svg'";
                for (std::size_t at = rest.find(name); at != std::string::npos; at = rest.find(name)) {
                    rest.erase(at, name.size());
                }
                return rest;
            }();
        EXPECT_EQ(without_names.find(foreign), std::string::npos) << foreign;
    }
    EXPECT_THAT(ours(options + " --out " + file("x.nii") + " --report " + file("y.html"), 2),
                HasSubstr("--out image.h5 --nifti " + file("x.nii") + " writes both"));
    EXPECT_THAT(ours("report " + file("brain.h5"), 3), HasSubstr("no /image; expected"));
}

TEST_F(NewUser, ThePageShowsMapsThatWereGiven) {
    ours("simulate --quiet --matrix 16 16 --coils 2 --off-resonance 40 --out " + file("off.h5"));
    ours(file("off.h5") + " --device cpu --quiet --field-map off_resonance_hz --report " + file("off.html"));
    const std::string page = test::contents_of(file("off.html"));
    for (const char* part : {"Field map", ": off-resonance, black -", "coil 2", "Predicted error of the image"}) {
        EXPECT_THAT(page, HasSubstr(part));
    }
}

TEST_F(NewUser, ARunThatFailsLeavesAPageToo) {
    ours(file("brain.h5") + " --device cpu --memory-limit 10k --report " + file("failed.html"), 4);
    const std::string page = test::contents_of(file("failed.html"));
    EXPECT_THAT(page, HasSubstr("What went wrong"));
    EXPECT_THAT(page, HasSubstr("raise --memory-limit"));
    EXPECT_THAT(page, HasSubstr("Make it again"));
    const auto size = std::filesystem::file_size(file("brain.h5"));
    ours(file("brain.h5") + " --report " + file("brain.h5"), 2);
    EXPECT_EQ(std::filesystem::file_size(file("brain.h5")), size) << "an input is no page";
}

}  // namespace
}  // namespace recon
