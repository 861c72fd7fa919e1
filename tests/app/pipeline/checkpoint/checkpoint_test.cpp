#include "app/pipeline/checkpoint/checkpoint.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/random.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

const RunRecord one_run = {{"recon", {{"the version of recon", "1.0"}}},
                           {"options", {{"--lambda", "0.1"}, {"--prior", "tv"}}},
                           {"files", {{"what is in --scan", "4f5a"}}}};

SolutionKeeper::Visit number(double& value) {
    return [&value](Archive& archive) { archive.number("value", value); };
}

class CheckpointTest : public ::testing::Test {
protected:
    Checkpoint opened(const RunRecord& identity, Checkpoint::Mode mode = Checkpoint::Mode::resume) const {
        return Checkpoint(path_, identity, 1e6, mode);
    }
    void make() const {
        Checkpoint first = opened(one_run);
        double value = 3;
        first.keep_end("1", number(value));
        first.write_ends();
    }

    test::TemporaryFolder folder_;
    std::string path_ = folder_ / "run.ckpt";
};

TEST_F(CheckpointTest, OfOtherRanksIsFoundToo) {
    RunRecord of_three = one_run;
    of_three["ranks"] = 3;
    RunRecord of_two = one_run;
    of_two["ranks"] = 2;
    const std::string of_rank = path_ + ".rank2";
    double value = 3;
    {
        Checkpoint third(of_rank, of_three, 1e6, Checkpoint::Mode::fresh);
        third.keep_end("5.1", number(value));
        third.write_ends();
    }
    Checkpoint first(path_, of_two, 1e6, Checkpoint::Mode::resume, {of_rank});
    EXPECT_TRUE(first.resumes());
    value = 0;
    EXPECT_TRUE(first.recall_end("5.1", number(value)));
    EXPECT_EQ(value, 3);
    first.remove(Checkpoint::Files::own);
    EXPECT_TRUE(std::filesystem::exists(of_rank));
    first.remove(Checkpoint::Files::all);
    EXPECT_FALSE(std::filesystem::exists(of_rank));
}

TEST_F(CheckpointTest, GivesBackWhatWasKeptAndWhereItStopped) {
    const auto backend = make_cpu_backend(0);
    const Shape shape{{"n", 300000}};  // more than a piece
    Array single = test::random_array(*backend, shape, Precision::single, 1);
    Array both = test::random_array(*backend, shape, Precision::double_, 2);
    std::string text = "of the scan";
    std::vector<double> list{1e-300, -0.0, 7};
    const auto all = [&](Archive& archive) {
        archive.array("single", single);
        archive.text("text", text);
        archive.array("double", both);
        archive.numbers("list", list);
    };
    {
        Checkpoint first = opened(one_run);
        EXPECT_FALSE(first.resumes());
        double value = 3;
        first.keep_end("1", number(value));
        first.keep_end("2.1", number(value));
        first.write("2.2", all);
    }
    const auto expected_single = download<float>(single);
    const auto expected_double = download<double>(both);
    backend->fill(0, single);
    backend->fill(0, both);
    text.clear();
    list.clear();
    const Checkpoint again = opened(one_run);
    EXPECT_TRUE(again.resumes());
    double value = 0;
    EXPECT_TRUE(again.recall_end("1", number(value)));
    EXPECT_EQ(value, 3);
    EXPECT_FALSE(again.recall_end("2", number(value)));
    EXPECT_TRUE(again.recall_end("2.1", number(value)));
    EXPECT_FALSE(again.recall_end("2.2", all));
    EXPECT_TRUE(again.recall_steps("2.2", all));
    EXPECT_EQ(download<float>(single), expected_single);
    EXPECT_EQ(download<double>(both), expected_double);
    EXPECT_EQ(text, "of the scan");
    EXPECT_EQ(list, (std::vector<double>{1e-300, -0.0, 7}));
}

TEST_F(CheckpointTest, TheEndOfAThingTakesThePlaceOfWhatWasWithin) {
    {
        Checkpoint first = opened(one_run);
        double value = 1;
        first.keep_end("1.1", number(value));
        first.write("1.2", number(value));
        first.keep_end("1", number(value));
        first.keep_end("11", number(value));
        first.write_ends();
    }
    const CheckpointFile file(path_);
    EXPECT_EQ(file.names(), (std::vector<std::string>{"1 end", "11 end"}));
}

TEST_F(CheckpointTest, OfAnotherRunIsRefusedWithWhatDiffers) {
    make();
    const auto refused = [&](const RunRecord& changed, const std::vector<std::string>& words) {
        RunRecord identity = one_run;
        identity.update(changed, true);
        test::expect_error<InputError>([&] { opened(identity); }, words);
    };
    refused({{"options", {{"--lambda", "0.2"}}}}, {"run.ckpt", "--lambda was 0.1 and is 0.2", "remove the file"});
    refused({{"options", {{"--lambda", RunRecord::array({0.1, "auto"})}}}}, {"--lambda was 0.1 and is 0.1 auto"});
    refused({{"options", {{"--lambda", "0.1"}, {"--baseline", true}}}}, {"--baseline was not given and is given"});
    refused({{"options", {{"--mask", "m.h5"}}}}, {"--mask was not given and is m.h5"});
    refused({{"recon", {{"the version of recon", "1.1"}}}}, {"the version of recon was 1.0 and is 1.1"});
    refused({{"files", {{"what is in --scan", "77aa"}}}}, {"what is in --scan has changed"});
    EXPECT_TRUE(opened(one_run).resumes()) << "and stays";
}

TEST_F(CheckpointTest, NeedNotBeThereYet) { EXPECT_FALSE(opened(one_run).resumes()); }

TEST_F(CheckpointTest, IsNotTakenUpUnlessAskedFor) {
    make();
    EXPECT_FALSE(opened(one_run, Checkpoint::Mode::fresh).resumes());
}

TEST_F(CheckpointTest, DoesNotReplaceWhatIsNone) {
    std::ofstream(path_) << "three years of work";
    for (const Checkpoint::Mode mode : {Checkpoint::Mode::fresh, Checkpoint::Mode::resume}) {
        test::expect_error<InputError>([&] { opened(one_run, mode); }, {"run.ckpt", "is no checkpoint"});
    }
}

TEST_F(CheckpointTest, ThatCannotBeWrittenCostsTheRunNothing) {
    Checkpoint checkpoint = opened(one_run);
    double value = 1;
    checkpoint.keep_end("1", number(value));
    std::filesystem::create_directory(path_);
    checkpoint.write_ends();
    std::filesystem::remove(path_);
    checkpoint.write_ends();
    EXPECT_TRUE(opened(one_run).recall_end("1", number(value)));
}

TEST_F(CheckpointTest, OfAnotherCourseIsRefused) {
    make();
    const Checkpoint again = opened(one_run);
    std::vector<double> values;
    test::expect_error<InputError>(
        [&] { again.recall_end("1", [&](Archive& archive) { archive.numbers("other", values); }); },
        {"1 end holds value where other was expected"});
}

}  // namespace
}  // namespace recon
