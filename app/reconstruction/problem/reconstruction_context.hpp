#pragma once

#include "app/pipeline/coil_map_store.hpp"
#include "app/pipeline/iteration_monitor.hpp"
#include "app/pipeline/stage_timer.hpp"
#include "app/reconstruction/memory/memory_plan.hpp"
#include "app/reconstruction/options/reconstruct_options.hpp"
#include "core/backend/backend.hpp"
#include "core/mri/scan.hpp"
#include "core/parallel/division.hpp"

namespace recon {

/// What one rank's reconstruction works with from its first frame to its last. All of it outlives the context.
struct ReconstructionContext {
    const Scan& scan;
    Backend& backend;
    const Division& division;
    const ReconstructOptions& options;
    const MemoryPlan& memory;
    IterationMonitor::Style monitor;
    StageTimer& timer;
    CoilMapStore& coil_maps;  ///< of all ranks

    PerAxis<Index> matrix_size() const { return scan.geometry.matrix_size; }
    Shape image_shape() const { return Shape::image(matrix_size()); }
    OffResonanceMaps off_resonance() const { return options.maps_to_correct(scan); }
    Communicator& ranks() const { return division.ranks(); }
};

}  // namespace recon
