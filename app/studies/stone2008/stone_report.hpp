#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "app/studies/stone2008/stone_image.hpp"
#include "app/studies/stone2008/stone_study.hpp"

namespace recon::stone {

/// Times: head of the table, one line a row, and what the marks mean, what was run on what, the four headlines.
std::string table_head();
std::string table_line(const Row& row);
std::string table_notes(const Report& report);

/// Image: the same.
std::string image_head();
std::string image_line(const ImageRow& row);
std::string step_image_head();
std::string step_image_line(const StepImageRow& row);
/// With the caveats that belong beside the headline.
std::string image_notes(const ImageReport& report);

/// What was run; a half that was not is absent.
struct StudyReport {
    std::optional<Report> times;
    std::optional<ImageReport> image;
};

nlohmann::json report_json(const StudyReport& report);
/// Tables, plots and pictures as one page, complete in itself.
std::string report_page(const StudyReport& report);
/// Truth, proton image and all rows side by side. @throws InputError if the file cannot be written
void write_picture(const std::string& path, const ImageReport& report);

}  // namespace recon::stone
