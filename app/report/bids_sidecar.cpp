#include "app/report/bids_sidecar.hpp"

#include <filesystem>
#include <fstream>

#include "core/base/log.hpp"
#include "data/files/json_writer.hpp"

namespace recon {
namespace {

constexpr const char* software = "recon";

void add_number(RunRecord& record, const char* name, const std::optional<double>& value) {
    if (value) {
        record[name] = *value;
    }
}

void add_text(RunRecord& record, const char* name, const std::string& value) {
    if (!value.empty()) {
        record[name] = value;
    }
}

struct Term {
    const char* bids;
    const char* ours;  ///< in `measurement`
};
constexpr Term same_unit[] = {{"MagneticFieldStrength", "field_strength_t"},
                              {"RepetitionTimeExcitation", "repetition_time_s"},
                              {"InversionTime", "inversion_time_s"},
                              {"FlipAngle", "flip_angle_deg"},
                              {"DwellTime", "dwell_time_s"},
                              {"Manufacturer", "manufacturer"},
                              {"ManufacturersModelName", "model"},
                              {"InstitutionName", "institution"},
                              {"StationName", "station"},
                              {"ProtocolName", "protocol"},
                              {"PulseSequenceType", "sequence"}};

bool is_ours(const std::string& path) {
    std::ifstream file(path);
    const RunRecord there = RunRecord::parse(file, nullptr, false);
    return there.is_object() && there.value("ConversionSoftware", RunRecord()) == software;
}

}  // namespace

RunRecord measurement_record(const Scan& scan) {
    const Measurement& known = scan.measurement;
    RunRecord record = RunRecord::object();
    add_number(record, "field_strength_t", known.field_strength_t);
    add_number(record, "proton_frequency_hz", known.proton_frequency_hz);
    add_number(record, "repetition_time_s", known.repetition_time_s);
    add_number(record, "inversion_time_s", known.inversion_time_s);
    add_number(record, "flip_angle_deg", known.flip_angle_deg);
    if (!known.echo_times_s.empty()) {
        record["echo_times_s"] = known.echo_times_s;
    }
    const SharedList<float>& times = scan.frames.front().sample_times_s;
    const auto last = static_cast<std::size_t>(scan.samples_per_readout) - 1;  // of the first readout
    if (scan.samples_per_readout > 1 && times.size() > last && times[last] > times[0]) {
        const double duration_s = static_cast<double>(times[last]) - static_cast<double>(times[0]);
        record["dwell_time_s"] = duration_s / static_cast<double>(last);
    }
    add_text(record, "manufacturer", known.manufacturer);
    add_text(record, "model", known.model);
    add_text(record, "institution", known.institution);
    add_text(record, "station", known.station);
    add_text(record, "protocol", known.protocol);
    add_text(record, "sequence", known.sequence);
    return record;
}

RunRecord bids_sidecar(const RunRecord& record, const Image& image) {
    const RunRecord measurement = record.value("measurement", RunRecord::object());
    RunRecord sidecar{{"Modality", "MR"},
                      {"MRAcquisitionType", image.geometry.matrix_size[2] > 1 ? "3D" : "2D"},
                      {"Units", "arbitrary"},
                      {"SkullStripped", false},
                      {"NonlinearGradientCorrection", false},
                      {"ConversionSoftware", software}};
    for (const Term& term : same_unit) {
        if (measurement.contains(term.ours)) {
            sidecar[term.bids] = measurement[term.ours];
        }
    }
    if (measurement.contains("proton_frequency_hz")) {
        sidecar["ImagingFrequency"] = measurement["proton_frequency_hz"].get<double>() / 1e6;  // MHz
    }
    if (measurement.contains("echo_times_s")) {
        const RunRecord& times = measurement["echo_times_s"];
        sidecar["EchoTime"] = times.size() == 1 ? times[0] : times;
    }
    if (image.frame_count() == 1 && measurement.contains("repetition_time_s")) {
        sidecar["RepetitionTime"] = measurement["repetition_time_s"];  // of a series it is that of volumes
    }
    const PerAxis<double> voxel_mm = image.geometry.voxel_size_mm();
    if (voxel_mm[0] > 0 && voxel_mm[1] > 0 && voxel_mm[2] > 0) {
        sidecar["AcquisitionVoxelSize"] = voxel_mm;
        sidecar["SliceThickness"] = voxel_mm[2];
    }
    const std::string version = record.value("version", "unknown");
    sidecar["ConversionSoftwareVersion"] = version;
    sidecar["GeneratedBy"] = RunRecord::array(
        {{{"Name", software}, {"Version", version}, {"Description", record.value("command", std::string(software))}}});
    const RunRecord scan = record.value("options", RunRecord::object()).value("scan", RunRecord());
    if (scan.is_string() && scan != "-") {
        sidecar["Sources"] = RunRecord::array({scan});
    }
    return sidecar;
}

void write_bids_sidecar(const std::string& path, const RunRecord& sidecar) {
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored) && !is_ours(path)) {
        log_warning("{}: is there, and no sidecar of recon's: left as it is, and the image has none", path);
        return;
    }
    write_json(path, sidecar);
    log_info("{}: what is known of the measurement and of the run, by BIDS", path);
}

}  // namespace recon
