#pragma once

#include <map>

#include "app/pipeline/run.hpp"
#include "app/reconstruction/context/coil_map_store.hpp"
#include "app/reconstruction/context/memory_plan.hpp"
#include "app/reconstruction/frames/clearest_frames.hpp"
#include "app/reconstruction/options/reconstruct_options.hpp"
#include "core/backend/backend.hpp"
#include "core/mri/coils/coil_compression.hpp"
#include "core/mri/noise/noise_level.hpp"
#include "core/mri/prewhitening.hpp"
#include "core/mri/scan.hpp"
#include "core/parallel/division.hpp"

namespace recon {

class CalibrationPlaces;
class SeriesShells;

/// What one rank's reconstruction works with from its first frame to its last. All of it outlives the context.
struct ReconstructionContext {
    Run& run;
    const Scan& scan;
    Backend& backend;  ///< the run's
    const Division& division;
    const ReconstructOptions& options;
    const MemoryPlan& memory;
    CoilMapStore& coil_maps;                       ///< of all ranks
    CalibrationPlaces& calibration_places;         ///< the forecast's, which the run goes on with
    std::vector<Index> coil_numbers = {};          ///< what the scan's file calls its coils
    const Prewhitening* whitening = nullptr;       ///< of the measured coils, or null
    const CoilCompression* compression = nullptr;  ///< which made fewer of them, or null
    bool coils_are_as_measured = false;            ///< none left out, whitened or compressed
    const SeriesShells* series = nullptr;  ///< what its frames have in common, for the prior of the scan; or null
    std::map<Index, ClearFrames> clearest_frames = {};  ///< of slices: for their coil maps; empty in a forecast
    NoiseLevel noise = {};                              ///< that the data show by themselves; unknown where they do not

    PerAxis<Index> matrix_size() const { return scan.geometry.matrix_size; }
    Shape image_shape() const { return Shape::image(matrix_size()); }
    OffResonanceMaps off_resonance(Index slice) const { return options.maps_to_correct(scan, slice); }
    Communicator& ranks() const { return division.ranks(); }
};

}  // namespace recon
