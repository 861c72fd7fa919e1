// recon heart: its report, its files, its pictures, and what it refuses.
#include <gtest/gtest.h>
#include <png.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "data/files/hdf5_file.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

class HeartCommand : public ::testing::Test {
protected:
    static void expect_refused(const std::string& arguments, int exit_code, const std::string& word) {
        const auto run = test::run_recon("heart --device cpu " + arguments);
        EXPECT_EQ(run.exit_code, exit_code) << arguments << "\n" << run.output;
        EXPECT_NE(run.output.find("recon: error: "), std::string::npos) << run.output;
        EXPECT_NE(run.output.find(word), std::string::npos) << run.output;
        EXPECT_EQ(std::count(run.output.begin(), run.output.end(), '\n'), 1) << run.output;
    }

    test::TemporaryFolder folder_;
};

TEST_F(HeartCommand, ReportsWhatTheIndependentProgramFound) {
    const std::string json = folder_ / "heart.json";
    const auto run = test::run_recon("heart --device cpu --size 200 --time 100 --json " + json);
    ASSERT_EQ(run.exit_code, 0) << run.output;
    const nlohmann::json report = test::read_json(json);
    EXPECT_EQ(report["steps"], 1939);
    EXPECT_NEAR(report["linf"].get<double>(), 0.979787930285, 1e-9);
    EXPECT_NEAR(report["l2"].get<double>(), 0.501904106449, 1e-9);
    EXPECT_GT(report["seconds"], 0);
    const double gflops = 28e-9 * 200 * 200 * 1939 / report["seconds"].get<double>();
    EXPECT_NEAR(report["gflops"].get<double>() / gflops, 1, 1e-9);
    EXPECT_NEAR(report["gb_per_s"].get<double>() / (gflops * 32 / 28), 1, 1e-9);
    EXPECT_GT(report["dt"], 0);
    EXPECT_NE(run.output.find("0.979787930285"), std::string::npos) << run.output;
}

TEST_F(HeartCommand, StepsPrecisionAndThreadsAreAsAskedFor) {
    const std::string json = folder_ / "heart.json";
    ASSERT_EQ(test::run_recon("heart --device cpu --size 200 --steps 100 --threads 3 --json " + json).exit_code, 0);
    EXPECT_NEAR(test::read_json(json)["l2"].get<double>(), 0.644345664540, 1e-9);
    ASSERT_EQ(test::run_recon("heart --device cpu --size 200 --steps 100 --precision single --json " + json).exit_code,
              0);
    const double single = test::read_json(json)["l2"];
    EXPECT_NE(single, test::read_json(json)["linf"].get<double>());
    EXPECT_NEAR(single, 0.644345664540, 1e-5);
    EXPECT_GT(std::abs(single - 0.644345664540), 1e-11) << "is it single precision at all?";
}

TEST_F(HeartCommand, WritesFramesAndGoesOnFromThem) {
    const std::string whole = folder_ / "whole.h5", half = folder_ / "half.h5", rest = folder_ / "rest.h5";
    ASSERT_EQ(test::run_recon("heart --device cpu --size 40 --time 60 --every 10 --out " + whole).exit_code, 0);
    const H5File file = H5File::open(whole);
    EXPECT_EQ(file.dataset_info("/excitation").extents, (std::vector<Index>{7, 40, 40}));
    const std::vector<double> times = file.read<double>("/time");
    const double dt = file.read_attribute_scalar<double>("/model", "dt");
    for (int i = 0; i < 7; ++i) {
        EXPECT_NEAR(times[i], 10.0 * i, dt / 2 + 1e-12);
    }
    const std::vector<float> frames = file.read<float>("/excitation");
    EXPECT_EQ(frames[0], 0);
    EXPECT_EQ(frames[39], 1);

    ASSERT_EQ(test::run_recon("heart --device cpu --size 40 --time 30 --out " + half).exit_code, 0);
    ASSERT_EQ(test::run_recon("heart --device cpu --size 40 --time 60 --resume " + half + " --out " + rest).exit_code,
              0);
    EXPECT_EQ(H5File::open(rest).read<double>("/last/excitation"), file.read<double>("/last/excitation"));
    EXPECT_EQ(H5File::open(rest).read<double>("/last/recovery"), file.read<double>("/last/recovery"));
    expect_refused("--size 41 --time 60 --resume " + half, 3, "40 x 40");
    expect_refused("--size 40 --time 10 --resume " + half, 2, "beyond");
    expect_refused("--size 40 --time 60 --dt 0.01 --resume " + half, 3, "dt");
}

TEST_F(HeartCommand, KeepsTheFramesOfAFileThatItGoesOnIn) {
    const std::string whole = folder_ / "all.h5", parts = folder_ / "parts.h5";
    const std::string command = "heart --device cpu --size 40 --every 10 --time ";
    ASSERT_EQ(test::run_recon(command + "60 --out " + whole).exit_code, 0);
    ASSERT_EQ(test::run_recon(command + "30 --out " + parts).exit_code, 0);
    ASSERT_EQ(test::run_recon(command + "60 --resume " + parts + " --out " + parts).exit_code, 0);
    const H5File expected = H5File::open(whole), found = H5File::open(parts);
    for (const char* name : {"/excitation", "/recovery"}) {
        EXPECT_EQ(found.dataset_info(name).extents, expected.dataset_info(name).extents);
        EXPECT_EQ(found.read<float>(name), expected.read<float>(name));
    }
    EXPECT_EQ(found.read<Index>("/step"), expected.read<Index>("/step"));
    EXPECT_EQ(found.read<double>("/time"), expected.read<double>("/time"));
}

TEST_F(HeartCommand, RefusesAStateThatIsNone) {
    const std::string good = folder_ / "good.h5", bad = folder_ / "bad.h5";
    ASSERT_EQ(test::run_recon("heart --device cpu --size 40 --time 5 --out " + good).exit_code, 0);
    const H5File from = H5File::open(good);
    H5File to = H5File::create(bad);
    to.create_group("/model");
    to.write_attribute("/model", "size", Index{40});
    for (const char* name : {"a", "b", "k", "M1", "M2", "epsilon", "diffusion", "dt"}) {
        to.write_attribute("/model", name, from.read_attribute_scalar<double>("/model", name));
    }
    std::vector<double> excitation = from.read<double>("/last/excitation");
    excitation[777] = std::nan("");
    to.write("/last/excitation", {40, 40}, excitation);
    to.write("/last/recovery", {40, 40}, from.read<double>("/last/recovery"));
    to.write_scalar("/last/step", from.read<Index>("/last/step").at(0));
    to.close();
    expect_refused("--size 40 --time 10 --resume " + bad, 3, "the last state holds nan");
}

TEST_F(HeartCommand, DrawsAMovie) {
    const std::string movie = folder_ / "movie";
    ASSERT_EQ(test::run_recon("heart --device cpu --size 32 --time 20 --every 2 --movie " + movie).exit_code, 0);
    ASSERT_TRUE(std::filesystem::exists(movie + "/frame-00006.png"));  // not of the next
    ASSERT_EQ(test::run_recon("heart --device cpu --size 32 --time 20 --every 4 --movie " + movie).exit_code, 0);
    for (int i = 0; i < 6; ++i) {
        png_image image{};
        image.version = PNG_IMAGE_VERSION;
        const std::string path = movie + "/frame-0000" + std::to_string(i) + ".png";
        ASSERT_NE(png_image_begin_read_from_file(&image, path.c_str()), 0) << path << image.message;
        EXPECT_EQ(image.width, 256U);
        EXPECT_EQ(image.height, 280U);
        image.format = PNG_FORMAT_RGB;
        std::vector<png_byte> pixels(PNG_IMAGE_SIZE(image));
        ASSERT_NE(png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr), 0) << image.message;
        if (i == 0) {  // blue at rest on the left, red excited on the right
            const png_byte* const left = &pixels[(100 * 256 + 10) * 3];
            const png_byte* const right = &pixels[(100 * 256 + 245) * 3];
            EXPECT_GT(left[2], left[0] + 50);
            EXPECT_GT(right[0], right[2] + 50);
        }
    }
    EXPECT_FALSE(std::filesystem::exists(movie + "/frame-00006.png"));
    std::ifstream file(movie + "/movie.png", std::ios::binary);
    const std::string bytes = (std::ostringstream() << file.rdbuf()).str();
    const auto count_of = [&](const std::string& type) {
        int count = 0;
        for (std::size_t at = bytes.find(type); at != std::string::npos; at = bytes.find(type, at + 4)) {
            ++count;
        }
        return count;
    };
    EXPECT_EQ(count_of("acTL"), 1);
    EXPECT_EQ(count_of("fcTL"), 6);
    EXPECT_EQ(count_of("fdAT"), 5);
    png_image first{};  // who knows nothing of movies sees the first picture
    first.version = PNG_IMAGE_VERSION;
    ASSERT_NE(png_image_begin_read_from_file(&first, (movie + "/movie.png").c_str()), 0) << first.message;
    png_image_free(&first);
}

TEST_F(HeartCommand, RefusesWhatCannotBe) {
    expect_refused("--dt 0.2", 2, "alpha");
    expect_refused("--time -5", 2, "--time");
    expect_refused("--time nan", 2, "--time");
    expect_refused("--time 1e9", 2, "steps");
    expect_refused("--size 1", 2, "--size");
    expect_refused("--size 1000000", 2, "--size");
    expect_refused("--every 5", 2, "--movie");
    expect_refused("--every 0.001 --movie " + (folder_ / "movie"), 2, "--every");
    expect_refused("--precision half", 2, "--precision");
    expect_refused("--device toaster", 2, "--device");
    expect_refused("--time 1 --out " + (folder_ / "no/such/heart.h5"), 3, "heart.h5");
    expect_refused("--time 1 --resume " + (folder_ / "none.h5"), 3, "none.h5");
    const auto twice = test::run_recon("heart --device cuda:0,0");
    EXPECT_EQ(twice.exit_code, 2) << twice.output;
    EXPECT_NE(twice.output.find("names cuda:0 twice"), std::string::npos) << twice.output;
}

TEST_F(HeartCommand, DrivesTheMuscleOfAPhantomThatIsScannedAndReconstructed) {
    const std::string waves = folder_ / "waves.h5", scan = folder_ / "scan.h5", truth = folder_ / "truth.h5";
    ASSERT_EQ(test::run_recon("heart --device cpu --size 48 --time 80 --every 2 --out " + waves).exit_code, 0);
    const std::string simulate = "simulate --phantom heart --matrix 24 --coils 2 --undersampling 2 --out " + scan;
    const auto run =
        test::run_recon(simulate + " --trajectory golden-radial --frames 6 --heart " + waves + " --truth " + truth);
    ASSERT_EQ(run.exit_code, 0) << run.output;
    EXPECT_NE(run.output.find("6 phases of a beat"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("ejection fraction"), std::string::npos) << run.output;
    const H5File file = H5File::open(truth);
    EXPECT_EQ(file.read<Index>("/frames/phase"), (std::vector<Index>{0, 1, 2, 3, 4, 5}));
    const auto image =
        test::run_recon("--scan " + scan + " --device cpu --prior llr --lambda 1e-2 --iterations 5 --no-cache --out " +
                        (folder_ / "image.h5") + " --reference " + truth);
    EXPECT_EQ(image.exit_code, 0) << image.output;
    EXPECT_EQ(H5File::open(folder_ / "image.h5").dataset_info("/image").extents[0], 6);

    const std::vector<std::pair<std::string, std::string>> refused{
        {simulate + " --scar 300", "--scar"},
        {simulate + " --heart-rate nan", "--heart-rate"},
        {"simulate --phantom heart --matrix 24 24 24 --out " + scan, "a slice"},
        {"simulate --phantom brain --matrix 8 8 --scar 20 --out " + scan, "--phantom heart"}};
    for (const auto& [arguments, word] : refused) {
        const auto wrong = test::run_recon(arguments);
        EXPECT_EQ(wrong.exit_code, 2) << arguments << wrong.output;
        EXPECT_NE(wrong.output.find(word), std::string::npos) << wrong.output;
    }
}

}  // namespace
}  // namespace recon
