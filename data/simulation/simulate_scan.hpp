#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/backend/backend.hpp"
#include "core/mri/image.hpp"
#include "core/mri/scan.hpp"
#include "data/simulation/heart/heart_beat.hpp"
#include "data/simulation/off_resonance_simulation.hpp"
#include "data/simulation/trajectories/trajectory_design.hpp"

namespace recon {

struct SimulationOptions {
    std::string phantom = "brain";      ///< name of a PhantomKind (phantoms/phantom.hpp)
    std::uint64_t phantom_seed = 1;     ///< of what is random in the object
    std::string trajectory;             ///< empty: what suits the dimension
    TrajectoryRequest request;          ///< matrix size and field of view among others
    std::optional<double> section;      ///< where absent axes cut the object, fields of view; absent: a telling place
    std::optional<double> edge_voxels;  ///< sigma of the Gaussian that rounds edges, voxels; absent: by phantom
    Index coil_count = 8;
    Index frame_count = 1;         ///< above 1: a series of changing contrast (simulate_series.hpp); of a heart: phases
    Index slice_count = 1;         ///< above 1: parallel slices with maps of their own (simulate_slices.hpp)
    double slice_distance_mm = 5;  ///< of neighbouring slices
    HeartBeatOptions heart;        ///< of `phantom` heart (simulate_heart.hpp)
    double snr = 20;               ///< infinite for no noise
    std::uint64_t seed = 1;        ///< of the noise
    bool store_coil_maps = true;
    Index noise_sample_count = 0;  ///< length of a noise-only acquisition, samples a coil
    SimulatedOffResonance off_resonance;
    /// Field map of the scan: everywhere, or where the object is alone and 0 elsewhere, as a measured one.
    enum class FieldMapPart { everywhere, object } field_map_part = FieldMapPart::everywhere;
};

struct Simulation {
    Scan scan;
    std::vector<cfloat> truth;            ///< [x y z], of a series [x y z frame]
    double noise_standard_deviation = 0;  ///< sqrt(E|n|^2) of one sample of one coil
    DesignedTrajectory design;            ///< without its samples, which moved into the scan
    std::vector<double> cavity_areas;     ///< [frame], of a heart's truth, squares of the field of view
};

/// Simulates a scan of a phantom from its exact Fourier transform, or, with off-resonance, from exact sums
/// over its values on a grid that is three times finer (two times in 3-D), each sample at its own time:
///
///     d[m,c] = N  integral rho(r) S_c(r) exp(-i 2 pi k_m.r) dr + noise,   N voxels, r in fields of view,
///
/// which is the forward model of docs/conventions.md with the sum over voxels replaced by the integral it approximates.
///
/// Truth: the phantom at the voxel centres, or, for sharp edges, its mean over each voxel (4 points an axis).
/// Noise: `snr` is the mean magnitude of the object (where it exceeds a tenth of its maximum) over the noise's standard
/// deviation in a voxel of a fully sampled Cartesian image with the same noise a sample: sigma = mean sqrt(N) / snr.
/// @throws UsageError
Simulation simulate_scan(const SimulationOptions& options);

/// Simulates a scan of an image on a finer grid than the reconstruction's, by exact sums in double precision over its M
/// voxels:
///
///     d[m,c] = (N / M) sum_j rho_j S_c(r_j) exp(-i 2 pi k_m.r_j) + noise
///
/// Truth: the image's spectrum within the band of the reconstruction's grid, at its voxels: what a fully sampled
/// Cartesian scan returns. `phantom`, `section` and `edge_voxels` have no say.
/// @param volume  one frame; values keep their scale
/// @throws InputError if the volume has several frames, values that are not finite or nothing but zeros; UsageError if
///         it is coarser than the reconstruction's matrix or lacks its axes
Simulation simulate_scan_of(const Image& volume, Backend& backend, const SimulationOptions& options);

/// The spectrum of an image within the band of a coarser grid, evaluated at that grid's voxels. Mean values stay.
std::vector<cdouble> band_limited(std::span<const cfloat> fine, PerAxis<Index> fine_size, PerAxis<Index> coarse_size);

/// sqrt(E|n|^2) a sample, as defined above. @return 0 for infinite snr
double noise_standard_deviation(const std::vector<cfloat>& truth, double snr);

}  // namespace recon
