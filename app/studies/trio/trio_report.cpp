#include <fmt/format.h>

#include "app/studies/trio/trio_study.hpp"
#include "data/pictures/montage.hpp"

namespace recon::trio {

std::string table_head() {
    return fmt::format("{:<46}{:>10}{:>10}{:>18}{:>10}{:>10}", "", "readouts", "scan s", "reconstruction s", "error %",
                       "PSNR dB");
}

std::string table_line(const Row& row) {
    return fmt::format("{:<46}{:>10}{:>10.3g}{:>18.3g}{:>10.2f}{:>10.2f}", row.title, row.readout_count, row.scan_s,
                       row.reconstruction_s, 100 * row.figures.relative_l2, row.figures.psnr_db);
}

nlohmann::json report_json(const Report& report) {
    nlohmann::json json = {{"version", RECON_VERSION},
                           {"study", "trio"},
                           {"device", report.device},
                           {"size", report.settings.size},
                           {"coils", report.settings.coils},
                           {"snr", report.settings.snr},
                           {"undersampling", report.settings.undersampling},
                           {"repetition_time_s", report.settings.repetition_time_s}};
    for (const Row& row : report.rows) {
        json["rows"].push_back({{"way", row.title},
                                {"readouts", row.readout_count},
                                {"scan s", row.scan_s},
                                {"reconstruction s", row.reconstruction_s},
                                {"error", row.figures.relative_l2},
                                {"PSNR dB", row.figures.psnr_db}});
    }
    return json;
}

void write_picture(const std::string& path, const Report& report) {
    std::vector<Image> images;
    for (const Row& row : report.rows) {
        images.push_back(report.truth);
        images.back().voxels = row.image;
    }
    std::vector<MontagePanel> panels{{"truth", &report.truth, PanelScale::as_it_is}};
    for (std::size_t i = 0; i < images.size(); ++i) {
        panels.push_back({report.rows[i].id, &images[i], PanelScale::as_it_is});
    }
    write_png(path, montage(panels, 0));
}

}  // namespace recon::trio
