#include "app/report/run_summary.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace recon {
namespace {

TEST(RunSummary, TellsTheLargestOfTheFramesAndWhetherTheScanIsDoubtful) {
    RunRecord record = {{"data_residual", 0.25}, {"check", {{"verdict", "fine"}}}};
    EXPECT_EQ(data_residual_text(record), "0.25000");
    EXPECT_EQ(summary_text(record), "");
    record["predicted_error"] = 0.035;
    record["check"]["verdict"] = "doubtful";
    EXPECT_EQ(summary_text(record), "; predicted error 3.5 %; the scan is doubtful, see the warnings above");
    record["model_error"] = 0.3;
    EXPECT_NE(summary_text(record).find("3.5 %, or more: the model leaves signal over"), std::string::npos);
    record["model_error"] = 0.05;
    record["field_map_check"] = {{"warning", "the field map seems to have the opposite sign"}};
    EXPECT_NE(summary_text(record).find("3.5 %, or more: the field map is doubtful"), std::string::npos);
    record["field_map_check"]["warning"] = "";
    record["unfinished"] = true;
    EXPECT_NE(summary_text(record).find("3.5 %, or more: the data hardly tell parts"), std::string::npos);
    for (const auto& [kind, reason] : {std::pair("residual_coil", "some of the data do not fit"),
                                       {"centre_gap", "the centre of k-space"},
                                       {"folding", "the image is folded"}}) {
        record["check"]["findings"].push_back({{"kind", kind}});
        EXPECT_NE(summary_text(record).find(std::string("3.5 %, or more: ") + reason), std::string::npos) << kind;
    }
    record["check"].erase("findings");
    record.erase("unfinished");
    for (const double factor : {1.0, 2.0, 0.5}) {
        record["frames"].push_back({{"data_residual", 0.1 * factor}, {"predicted_error", 0.04 / factor}});
    }
    EXPECT_EQ(data_residual_text(record), "0.20000 (frame 1, the largest of 3)");
    EXPECT_EQ(summary_text(record),
              "; predicted error 8 % (frame 2, the largest of 3); the scan is doubtful, see the warnings above");
    record["frames"][1]["unfinished"] = true;
    EXPECT_NE(summary_text(record).find("or more: the data hardly tell parts"), std::string::npos);
}

}  // namespace
}  // namespace recon
