#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/studies/stone2008/stone_published.hpp"
#include "app/studies/stone2008/stone_report.hpp"
#include "data/pictures/montage.hpp"

namespace recon::stone {
namespace {

std::string figures_text(const ImageFigures& figures) {
    return fmt::format("{:>9.2f}{:>8.2f}{:>8.2f}{:>11.2f}{:>8.2f}", 100 * figures.all.relative_l2, figures.all.psnr_db,
                       figures.all.snr_db, 100 * figures.object.relative_l2, figures.object.snr_db);
}

constexpr const char* figures_head_1 = "{:>9}{:>8}{:>8}{:>11}{:>8}";

const ImageRow* row_of(const ImageReport& report, const char* id) {
    const auto found = std::ranges::find_if(report.rows, [&](const ImageRow& row) { return row.id == id; });
    return found == report.rows.end() ? nullptr : &*found;
}

}  // namespace

std::string image_head() {
    return fmt::format("{:<34}", "") +
           fmt::format(fmt::runtime(figures_head_1), "error", "PSNR", "SNR", "object", "object") +
           fmt::format("{:>10}{:>6}{:>9}   {}\n{:<34}", "lambda", "", "", "Stone 2008", "") +
           fmt::format(fmt::runtime(figures_head_1), "%", "dB", "dB", "error %", "SNR dB") +
           fmt::format("{:>10}{:>6}{:>9}   {}\n", "", "turns", "s", "error %, PSNR dB");
}

std::string image_line(const ImageRow& row) {
    std::string line = fmt::format("{:<34}{}{:>10}{:>6}{:>9.3g}", row.title, figures_text(row.figures),
                                   row.lambda ? fmt::format("{:.3g}", *row.lambda) : "-",
                                   row.iterations > 0 ? std::to_string(row.iterations) : "-", row.seconds);
    if (const PublishedImage* paper = published_image_for(row.id)) {
        line += fmt::format("   {:g}, {:g}", paper->error_percent, paper->psnr_db);
    }
    return line;
}

std::string step_image_head() {
    return fmt::format("{:<50}{:>10}{:>10}", "The steps' Q and F^H d, W in place", "Q s", "F^H d s") +
           fmt::format(fmt::runtime(figures_head_1), "error %", "PSNR", "SNR", "object %", "SNR") +
           fmt::format("{:>11}\n", "change dB");
}

std::string step_image_line(const StepImageRow& row) {
    if (!row.skipped.empty()) {
        return fmt::format("{:<50}  not run: {}", row.title, row.skipped);
    }
    return fmt::format("{:<50}{:>10.3g}{:>10.3g}{}{:>+11.3f}", row.title, row.q_seconds, row.fhd_seconds,
                       figures_text(row.figures), row.psnr_change_db);
}

std::string image_notes(const ImageReport& report) {
    std::string notes = fmt::format(
        "{0} x {0} x {0} voxels of a head as sodium shows it, {1} samples on {2} cones (23Na, one coil), SNR {3:g}; W "
        "from a\n{4}.\nCPU: {5}\nGPU: {6}\nPublished: {7}.\n",
        report.settings.size, report.sample_count, report.readout_count, report.settings.snr, report.proton_image,
        report.cpu, report.gpu, image_paper);
    const ImageRow* gridding = row_of(report, "gridding");
    const ImageRow* anatomical = row_of(report, "anatomical");
    if (gridding != nullptr && anatomical != nullptr) {
        notes += fmt::format(
            "What to say beside {:.0f} % against {:.0f} %:\n"
            "- Within the object it is {:.1f} against {:.1f} %; the rest is background, where the truth is zero.\n",
            100 * gridding->figures.all.relative_l2, 100 * anatomical->figures.all.relative_l2,
            100 * gridding->figures.object.relative_l2, 100 * anatomical->figures.object.relative_l2);
        notes +=
            "- Noise and W make it, not least squares alone.\n"
            "- Gridding has no filter against noise here, as it had none there.\n"
            "- The reference writes itself into the image; what sodium alone shows is averaged with its neighbours.\n";
    }
    if (const ImageRow* by_itself = row_of(report, "scan")) {
        notes += fmt::format(
            "- A reference is not the only way: the program's default has none and comes to {:.1f} %, {:.1f} % in the "
            "object.\n",
            100 * by_itself->figures.all.relative_l2, 100 * by_itself->figures.object.relative_l2);
    }
    if (report.leakage) {
        notes += fmt::format(
            "- Of the image's edge energy {:.0f} % lies on the reference's edges ({:.0f} % without the reference, "
            "{:.0f} % by\n  chance); {:.0f} % does and is not in the image without it: leakage.\n",
            100 * report.leakage->edge_share, 100 * report.leakage->edge_share_without,
            100 * report.leakage->edge_share_chance, 100 * report.leakage->leakage);
    }
    if (const auto largest = largest_change(report)) {
        notes += fmt::format(
            "The steps: PSNR differs from that of sums in double ({:.2f} dB) by at most {:.3f} dB ({}): {} 0.1 dB.\n",
            report.double_sums.all.psnr_db, std::abs(largest->second), largest->first,
            std::abs(largest->second) <= 0.1 ? "within" : "NOT within");
    }
    return notes;
}

void write_picture(const std::string& path, const ImageReport& report) {
    std::vector<Image> images;
    for (const ImageRow& row : report.rows) {
        images.push_back(report.truth);
        images.back().voxels = row.image;
    }
    std::vector<MontagePanel> panels{{"truth", &report.truth, PanelScale::as_it_is},
                                     {"proton image", &report.prior_image, PanelScale::fitted}};
    for (std::size_t i = 0; i < images.size(); ++i) {
        panels.push_back({report.rows[i].id, &images[i], PanelScale::as_it_is});
    }
    write_png(path, montage(panels, 0));
}

}  // namespace recon::stone
