#include "app/memory_forecast.hpp"

#include <omp.h>

#include <algorithm>
#include <set>
#include <vector>

#include "core/cpu/cpu_memory_model.hpp"
#include "core/operators/encoding.hpp"
#include "core/operators/nufft.hpp"
#include "core/operators/q_kernel.hpp"

namespace recon {
namespace {

/// Program, libraries and the runtime's own.
constexpr std::size_t process_bytes = std::size_t{35} << 20;

std::size_t scan_bytes(const Scan& scan) {
    std::size_t bytes = scan.coil_maps.size() * sizeof(cfloat) + scan.noise.size() * sizeof(cfloat) +
                        scan.off_resonance_hz.size() * sizeof(float);
    std::set<const Trajectory*> trajectories;
    for (const Frame& frame : scan.frames) {
        bytes += frame.kspace.size() * sizeof(cfloat) +
                 (frame.density_weights.size() + frame.sample_times_s.size()) * sizeof(float);
        trajectories.insert(frame.trajectory.get());
    }
    for (const Trajectory* trajectory : trajectories) {
        bytes += trajectory->sample_count() * sizeof(PerAxis<double>);
    }
    return bytes;
}

struct SumsBytes {
    std::size_t plan = 0;     ///< as long as the sums live
    std::size_t scratch = 0;  ///< from their first use on
};

SumsBytes sums_bytes(const SumsChoice& choice, const SumsOptions& options, const VoxelGrid& grid, Index sample_count,
                     Index transform_count) {
    if (choice.method == SumsMethod::exact) {
        return {sample_count * sizeof(PerAxis<double>), grid.shape.element_count() * sizeof(cdouble)};
    }
    const NufftDesign design = NufftDesign::best(grid, sample_count, options.tolerance, options.precision);
    return {Nufft::plan_bytes(sample_count, options.precision),
            Nufft::scratch_bytes(design, transform_count, options.precision)};
}

/// Adds up what lives at a time, and remembers when that was most.
class Ledger {
public:
    void hold(std::size_t bytes) { held_ += bytes; }
    void release(std::size_t bytes) { held_ -= bytes; }
    /// `bytes` more for the duration of a stage.
    void pass(const char* stage, std::size_t bytes) {
        if (held_ + bytes > forecast_.peak_bytes) {
            forecast_ = {held_ + bytes, stage};
        }
    }
    const MemoryForecast& forecast() const { return forecast_; }

private:
    std::size_t held_ = process_bytes;
    MemoryForecast forecast_;
};

}  // namespace

MemoryForecast forecast_memory(const Scan& scan, const Backend& backend, const ReconstructOptions& options) {
    const PerAxis<Index> matrix_size = scan.geometry.matrix_size;
    const VoxelGrid image_grid = VoxelGrid::image(matrix_size);
    const std::size_t complex = complex_bytes(options.precision);
    const std::size_t voxels = image_grid.shape.element_count();
    const std::size_t coils = scan.coil_count;
    const std::size_t differences = VoxelGrid::differences(matrix_size).shape.element_count();
    Index sample_count = 0;
    for (const Frame& frame : scan.frames) {
        sample_count = std::max(sample_count, frame.sample_count());
    }
    const std::size_t samples = sample_count;

    Ledger ledger;
    ledger.hold(scan_bytes(scan));

    const SumsOptions sums = options.sums_options();
    const SumsBytes fhd = sums_bytes(choose_sums(backend, sums, sample_count, image_grid, scan.coil_count), sums,
                                     image_grid, sample_count, scan.coil_count);
    ledger.hold(fhd.plan);

    const SumsOptions q_sums = options.q_options();
    const VoxelGrid half = half_of_differences(matrix_size);
    const SumsBytes q =
        sums_bytes(choose_q_sums(backend, sample_count, matrix_size, q_sums), q_sums, half, sample_count, 1);
    ledger.pass("Q", (differences + half.shape.element_count() + 3 * samples) * sizeof(cdouble) + q.plan + q.scratch);
    ledger.pass("Q", 2 * differences * sizeof(cdouble));
    const PlanBytes toeplitz = cpu_toeplitz_bytes(image_grid.shape, scan.coil_count, options.precision,
                                                  q_sums.precision, omp_get_max_threads());
    ledger.hold(toeplitz.held);
    ledger.pass("Q", differences * sizeof(cdouble) + toeplitz.while_made);

    ledger.hold(fhd.scratch);
    if (coils > 1 || !scan.coil_maps.empty()) {
        ledger.hold(voxels * coils * complex);
    }
    if (coils > 1 && scan.coil_maps.empty()) {
        ledger.pass("coil maps", samples * coils * (sizeof(cfloat) + complex) + voxels * coils * sizeof(cdouble));
    }
    ledger.hold(samples * coils * complex);  // k-space on the backend
    ledger.hold(2 * voxels * complex);       // F^H d and the image
    const std::size_t coil_batch = std::min(coils * voxels * complex, Encoding::coil_batch_bytes);
    ledger.pass("F^H d", std::max(coil_batch, voxels * complex));
    ledger.pass("cg", (3 + options.cg.guard_vectors) * voxels * complex);
    ledger.pass("data residual", samples * coils * complex + coil_batch);
    if (options.baseline) {
        ledger.pass("baseline", samples * coils * (sizeof(cfloat) + complex) + coil_batch);
    }
    return ledger.forecast();
}

}  // namespace recon
