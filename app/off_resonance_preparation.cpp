#include "app/off_resonance_preparation.hpp"

#include <filesystem>

#include "core/error.hpp"
#include "core/log.hpp"
#include "data/array_reader.hpp"

namespace recon {

void prepare_off_resonance(Scan& scan, const std::string& field_map_name, const OffResonanceOptions& options) {
    if (!options.correct) {
        if (!scan.off_resonance_hz.empty()) {
            log_info("the scan has a field map, which is not used; correct off-resonance with --field-map NAME");
        }
        return;
    }
    if (std::filesystem::exists(field_map_name)) {
        scan.off_resonance_hz = read_field_map(field_map_name, scan.geometry.matrix_size);
    }
    if (scan.off_resonance_hz.empty()) {
        throw InputError(scan.path + ": has no field map '" + field_map_name + "'; recon info lists what is there");
    }
    for (const Frame& frame : scan.frames) {
        if (frame.sample_times_s.empty()) {
            throw InputError(scan.path +
                             ": a field map needs sample times, which the scan does not give; leave out --field-map");
        }
    }
}

}  // namespace recon
