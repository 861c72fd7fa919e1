#pragma once

#include <optional>
#include <string>

#include "app/pipeline/run.hpp"
#include "app/reconstruction/options/reconstruct_options.hpp"
#include "core/backend/backend.hpp"
#include "core/mri/scan.hpp"
#include "data/files/run_record.hpp"

namespace recon {

/// Where the user says that off-resonance is to be had from.
struct OffResonanceSources {
    static constexpr const char *automatic = "auto", *none = "none";

    std::string field_map = automatic;  ///< a file, or the name in the scan under which the reader has found it;
                                        ///< automatic: the scan's own, if it has one that is of use
    std::string r2star_map{};           ///< a file; empty: none
    std::optional<double> dwell_us{};
    std::optional<double> echo_time_ms{};
    bool times_for_gradients = false;  ///< the gradients' impulse response needs the sample times, without a map too

    /// The file, or the name; empty if there is none.
    std::string named_map() const { return field_map == automatic || field_map == none ? "" : field_map; }
};

/// Puts the maps that the user named into the scan, on its image's grid, and the sample times; continues the field map
/// beyond the object if asked to, or if it jumps there, and smooths it; checks that all is there that the correction
/// needs, and warns of what looks wrong.
/// @param options  are told whether there is something to correct, and whether that is the scan's own doing
/// @throws InputError if there is no such map, it cannot be placed on the image's grid, is zero or not finite, or there
/// are no sample times; UsageError if options for off-resonance are given without a map
void prepare_off_resonance(Scan& scan, const OffResonanceSources& sources, ReconstructOptions& options);

/// Compares the field map with its opposite before the reconstruction
/// (app/reconstruction/off_resonance/field_map_check.hpp), logs what it finds and warns if the map does not look like
/// this scan's.
/// @return what was found; empty if there was nothing to check, or no memory for it
RunRecord check_off_resonance(const Scan& scan, const OffResonanceOptions& options, Run& run);

/// Whether that says that a map which nobody has named is not the scan's.
bool is_refuted(const RunRecord& field_map_check, const OffResonanceOptions& options);

}  // namespace recon
