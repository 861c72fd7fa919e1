#include <fmt/format.h>

#include <cmath>

#include "app/studies/sodium/sodium_study.hpp"
#include "data/formats/recon_h5/image_hdf5_writer.hpp"
#include "data/pictures/montage.hpp"

namespace recon::sodium {
namespace {

Image image_of(const std::vector<float>& values, const Geometry& geometry) {
    Image image;
    image.geometry = geometry;
    image.voxels.assign(values.begin(), values.end());
    return image;
}

}  // namespace

std::string report_text(const Report& report) {
    const Sequence& sequence = report.settings.sequence;
    std::string text = fmt::format(
        "{0} x {0} x {0} voxels, {1} samples along cones, SNR {2:g}; TR {3:g} ms, TE {4:g} ms, flip {5:g} degrees, "
        "readout {6:.3g} ms,\nscan {7:.3g} s; reconstructed in {8:.3g} s by {9}\n",
        report.settings.size, report.sample_count, report.settings.snr, 1e3 * sequence.repetition_time_s,
        1e3 * sequence.echo_time_s, sequence.flip_degrees, 1e3 * report.readout_s, report.scan_s,
        report.reconstruction_seconds, report.device);
    text += fmt::format("calibration: {:.4g} +- {:.2g} a mmol/l, from", report.calibration.signal_per_mmol,
                        report.calibration.standard_deviation);
    for (std::size_t i = 0; i < report.vials.size(); ++i) {
        text += fmt::format(" {} ({:.4g})", report.vials[i].mmol_per_l, report.calibration.vials[i].mean);
    }
    text += fmt::format("\n\n{:<16}{:>12}{:>12}{:>14}{:>14}{:>10}{:>16}\n{:<16}{:>12}{:>12}{:>14}{:>14}{:>10}{:>16}\n",
                        "mmol/l", "true", "found", "sd, predicted", "sd, scatter", "off", "not corrected", "", "",
                        "mean", "of a voxel", "of voxels", "%", "for relaxation");
    for (const RegionRow& row : report.rows) {
        text += fmt::format("{:<16}{:>12.4g}{:>12.4g}{:>14.3g}{:>14.3g}{:>10.1f}{:>16.4g}\n", row.region.name,
                            row.region.mmol_per_l, row.found.mean, row.predicted_deviation, row.found.scatter,
                            100 * (row.found.mean / row.region.mmol_per_l - 1), row.uncorrected);
    }
    return text;
}

nlohmann::json report_json(const Report& report) {
    const Sequence& sequence = report.settings.sequence;
    nlohmann::json json = {{"version", RECON_VERSION},
                           {"study", "sodium"},
                           {"device", report.device},
                           {"size", report.settings.size},
                           {"snr", report.settings.snr},
                           {"seed", report.settings.seed},
                           {"repetition_time_s", sequence.repetition_time_s},
                           {"echo_time_s", sequence.echo_time_s},
                           {"flip_degrees", sequence.flip_degrees},
                           {"sample_count", report.sample_count},
                           {"readout_s", report.readout_s},
                           {"scan_s", report.scan_s},
                           {"reconstruction_seconds", report.reconstruction_seconds},
                           {"signal_per_mmol", report.calibration.signal_per_mmol},
                           {"signal_per_mmol_sd", report.calibration.standard_deviation}};
    for (const RegionRow& row : report.rows) {
        json["rows"].push_back({{"region", row.region.name},
                                {"true mmol/l", row.region.mmol_per_l},
                                {"found mmol/l", row.found.mean},
                                {"sd predicted", row.predicted_deviation},
                                {"sd scatter", row.found.scatter},
                                {"not corrected", row.uncorrected},
                                {"voxels", row.found.voxel_count}});
    }
    return json;
}

void write_map(const std::string& path, const Report& report) {
    const PerAxis<Index>& n = report.geometry.matrix_size;
    const Image image = image_of(report.map.mmol_per_l, report.geometry);
    const NamedArray deviation{.name = "concentration/sd",
                               .axes = {"z", "y", "x"},
                               .extents = {n[2], n[1], n[0]},
                               .values = report.map.standard_deviation,
                               .unit = "mmol/l"};
    write_image_hdf5(path, {.image = image, .run = report_json(report), .extras = {&deviation, 1}});
}

void write_picture(const std::string& path, const Report& report) {
    const Image map = image_of(report.map.mmol_per_l, report.geometry);
    const Image deviation = image_of(report.map.standard_deviation, report.geometry);
    const std::vector<MontagePanel> panels{{"mmol/l", &map, PanelScale::as_it_is},
                                           {"sd, own scale", &deviation, PanelScale::fitted}};
    write_png(path, montage(panels, {}));
}

}  // namespace recon::sodium
