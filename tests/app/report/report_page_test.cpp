#include "app/report/page/report_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recon {
namespace {

using ::testing::HasSubstr;

/// All numbers of its head are of the frame that they are worst for, and say which that is.
TEST(ReportPage, OfASeriesTellsItsWorstFrames) {
    PageContents contents;
    contents.path = "series.h5";
    contents.image.geometry.matrix_size = {2, 2, 1};
    contents.image.voxels.assign(8, cfloat(1));
    contents.image.frames.resize(2);
    contents.record = {{"predicted_error", 0.057}, {"data_residual", 0.8}};
    contents.record["frames"] = {{{"predicted_error", 0.057}, {"data_residual", 0.1}},
                                 {{"predicted_error", 0.46}, {"data_residual", 0.8}}};
    const std::string page = report_page(contents);
    EXPECT_THAT(page, HasSubstr("<b>46 %</b><span>predicted error (frame 1, the largest of 2)</span>"));
    EXPECT_THAT(page, HasSubstr("<b>80 %</b><span>residual of the data (frame 1, the largest of 2)</span>"));
    EXPECT_THAT(page, HasSubstr("0.46 (frame 1, the largest of 2)"));
}

}  // namespace
}  // namespace recon
