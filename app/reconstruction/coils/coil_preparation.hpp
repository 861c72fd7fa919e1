#pragma once

#include <map>
#include <memory>
#include <optional>

#include "app/reconstruction/context/reconstruction_context.hpp"
#include "app/reconstruction/frames/clearest_frames.hpp"
#include "core/base/named_array.hpp"
#include "core/mri/coils/coil_compression.hpp"
#include "core/mri/prewhitening.hpp"
#include "core/operators/coil_sensitivity.hpp"

namespace recon {

/// What was done to the coils before the reconstruction, in this order.
struct PreparedCoils {
    Index measured_count = 0;
    std::vector<Index> left_out;  ///< of the measured ones, ascending
    std::optional<Prewhitening> whitening;
    std::optional<CoilCompression> compression;
    std::map<Index, ClearFrames> clearest_frames;  ///< as clearest_frames, where coils are looked for

    /// Maps of the coils as they were measured from those of the coils that were reconstructed; [x y z coil]. Zero for
    /// those left out.
    std::vector<cfloat> as_measured(std::vector<cfloat> maps) const;
    /// The measured coils that were not left out.
    std::vector<Index> numbers() const;
    /// None was left out, whitened or compressed.
    bool are_as_measured() const { return !compression && !whitening && left_out.empty(); }
    const Prewhitening* whitening_or_null() const { return whitening ? &*whitening : nullptr; }
    const CoilCompression* compression_or_null() const { return compression ? &*compression : nullptr; }
};

/// Leaves out coils that are silent, and those that the options say; then prewhitening by the noise covariance of the
/// options or of the scan's noise, then compression: of k-space, noise and coil maps, in place. Maps of the scan are
/// left out where the options ask for others.
/// @throws InputError if the covariance is none, UsageError if there are fewer coils than asked for
PreparedCoils prepare_coils(Scan& scan, const ReconstructOptions& options, RunControl& control);

/// The coil maps of this rank's coils: those of the scan, or estimated from k-space (estimate_maps); none for one coil
/// without a map. @throws InputError if no maps can be estimated
/// @param silent  of them, ascending: those that measured nothing in this frame, and see nothing there. (Of maps that
/// are streamed from the host there is one set for all frames.)
CoilSensitivity coil_sensitivity(const ReconstructionContext& context, const Frame& frame,
                                 const std::vector<Index>& silent);

/// The coils of this rank in the normal product; a rank without any takes one that sees nothing.
std::shared_ptr<const CoilSensitivity> coils_of_normal(const ReconstructionContext& context,
                                                       const std::shared_ptr<const CoilSensitivity>& coils);

/// Maps for the image file, [x y z coil] in this order in memory.
NamedArray coil_maps_for_file(std::vector<cfloat> maps, const PerAxis<Index>& matrix_size);

}  // namespace recon
