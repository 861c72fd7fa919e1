// cat scan.mrdstream | recon --scan - --out - > image.mrdstream
#include <gmock/gmock.h>

#include <filesystem>

#include "data/reading/image_reader.hpp"
#include "data/reading/placed_image_reader.hpp"
#include "tests/support/file_contents.hpp"
#include "tests/support/program.hpp"

namespace recon {
namespace {

using test::run_recon;
using ::testing::HasSubstr;
using ::testing::Not;

class Stream : public ::testing::Test {
protected:
    std::string file(const std::string& name) const { return folder_ / name; }
    test::TemporaryFolder folder_;
};

TEST_F(Stream, GoesInAndOut) {
    for (const std::string format : {"mrd", "mrdstream"}) {
        const auto made = run_recon("simulate --quiet --matrix 16 16 --coils 2 --no-coil-maps --format " + format +
                                    " --out " + file("scan." + format));
        ASSERT_EQ(made.exit_code, 0) << made.output;
    }
    const std::string plain = " --prior none --iterations 5 --no-check --device cpu --quiet";
    const auto by_file = run_recon("--scan " + file("scan.mrd") + plain + " --out " + file("by_file.npy"));
    ASSERT_EQ(by_file.exit_code, 0) << by_file.output;
    const auto by_stream = run_recon("--scan -" + plain + " --out - < " + file("scan.mrdstream") + " 2> " +
                                     file("log") + " > " + file("image.mrdstream"));
    ASSERT_EQ(by_stream.exit_code, 0);
    EXPECT_EQ(std::filesystem::file_size(file("log")), 0);
    const Image a = read_placed_image(file("by_file.npy")).image;
    const Image b = read_placed_image(file("image.mrdstream")).image;
    EXPECT_EQ(a.voxels, b.voxels);
    EXPECT_EQ(b.geometry.field_of_view_mm[0], 220) << "what an array does not know";
    const auto compared = run_recon("compare " + file("image.mrdstream") + " " + file("by_file.npy"));
    EXPECT_EQ(compared.exit_code, 0) << compared.output;
}

TEST_F(Stream, Hdf5IsReadFromStdin) {
    for (const std::string format : {"mrd", "recon"}) {
        const auto made = run_recon("simulate --quiet --matrix 16 16 --coils 2 --format " + format + " --out " +
                                    file(format + ".h5"));
        ASSERT_EQ(made.exit_code, 0) << made.output;
        const std::string from_stdin = " < " + file(format + ".h5");
        const auto image =
            run_recon("--scan - --iterations 2 --device cpu --quiet --out " + file("image.h5") + from_stdin,
                      "TMPDIR=" + folder_.path());
        EXPECT_EQ(image.exit_code, 0) << image.output;
        const auto info = run_recon("info -" + from_stdin);
        EXPECT_EQ(info.exit_code, 0) << info.output;
        EXPECT_THAT(info.output, HasSubstr("stdin"));
        EXPECT_THAT(info.output, Not(HasSubstr("/proc/self")));
        const auto check = run_recon("check -" + from_stdin);
        EXPECT_THAT(check.output, HasSubstr("stdin: ")) << "whatever its verdict";
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
        EXPECT_THAT(entry.path().filename().string(), Not(HasSubstr("recon-stdin")));
    }
}

TEST_F(Stream, JsonOnStdoutKeepsItsPlaceInAFile) {
    ASSERT_EQ(run_recon("simulate --quiet --matrix 16 16 --coils 2 --out " + file("scan.h5")).exit_code, 0);
    ASSERT_EQ(run_recon("check " + file("scan.h5") + " --json - > " + file("both")).exit_code, 0);
    const std::string both = test::contents_of(file("both"));
    const std::size_t brace = both.find('{');
    ASSERT_NE(brace, std::string::npos);
    EXPECT_NE(both.substr(brace).find("\"verdict\": \"fine\""), std::string::npos);
    EXPECT_NO_THROW(std::ignore = nlohmann::json::parse(both.substr(brace, both.rfind('}') + 1 - brace))) << both;
    EXPECT_THAT(both, HasSubstr("scan.h5: fine")) << "the lines for people are there as well";
}

TEST_F(Stream, EmptyInputIsToldSo) {
    const auto empty = run_recon("--scan - --out - < /dev/null");
    EXPECT_EQ(empty.exit_code, 3);
    EXPECT_THAT(empty.output, HasSubstr("stdin: is empty"));
    const auto nonsense = run_recon("--scan - --out - < " + std::string(test::program_path()));
    EXPECT_EQ(nonsense.exit_code, 3);
    EXPECT_THAT(nonsense.output, HasSubstr("stdin: is no scan that can be read"));
}

/// A file that is opened must not take the number of a closed stream: it would get what is printed.
TEST_F(Stream, ClosedOnesAreNoFilesThatAreOpened) {
    ASSERT_EQ(run_recon("simulate --quiet --matrix 16 16 --coils 2 --out " + file("scan.h5")).exit_code, 0);
    const std::string run = "--scan " + file("scan.h5") + " --device cpu --no-cache --out ";
    ASSERT_EQ(run_recon(run + file("open.h5")).exit_code, 0);
    const Image right = read_placed_image(file("open.h5")).image;
    const std::string program = std::string("sh -c '") + test::program_path() + " ";
    for (const std::string closed : {"<&- >&-", "<&- >&- 2>&-", "2>&-", "<&- 2>&-"}) {
        std::filesystem::remove(file("image.h5"));
        EXPECT_EQ(std::system((program + run + file("image.h5") + " " + closed + "'").c_str()), 0) << closed;
        EXPECT_EQ(read_placed_image(file("image.h5")).image.voxels, right.voxels) << closed;
    }
    for (const std::string& prints : std::vector<std::string>{"info " + file("scan.h5"), run + "-",
                                                              run + file("image.h5") + " --json /dev/stdout"}) {
        const int status = std::system((program + prints + " >&- 2> " + file("log") + "'").c_str());
        EXPECT_EQ(WEXITSTATUS(status), 3) << prints;
    }
}

}  // namespace
}  // namespace recon
