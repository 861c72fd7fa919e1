#pragma once

#include <memory>

#include "core/backend/backend.hpp"
#include "core/processor/cpu_level.hpp"

namespace recon {

/// The backend that is always there: threads by OpenMP, vector primitives by Eigen.
/// @param thread_count 0 means all cores
std::unique_ptr<Backend> make_cpu_backend(int thread_count = 0);

/// That of one level of the processor.
using MakeCpuBackend = std::unique_ptr<Backend>(int thread_count);
namespace RECON_CPU_LEVEL {
MakeCpuBackend make_cpu_backend;
}

// The plans of the CPU backend, each in the file of its name.
std::unique_ptr<FourierSums> make_cpu_exact_sums(const Trajectory&, const VoxelGrid&, Precision);
std::unique_ptr<GriddingPlan> make_cpu_gridding(const Trajectory&, const GriddingGeometry&, Precision);
std::unique_ptr<PaddedFftPlan> make_cpu_padded_fft(const PaddedFftGeometry&, Precision);
std::unique_ptr<ToeplitzPlan> make_cpu_circulant(const Shape& image_shape, ConstArrayView factors, Precision);
std::unique_ptr<ToeplitzPlan> make_cpu_toeplitz(const Shape& image_shape, ConstArrayView q, Precision,
                                                std::optional<Array> modulation = std::nullopt);
std::unique_ptr<PositionSums> make_cpu_position_sums(const Trajectory&, const Positions&, Precision);
std::unique_ptr<FourierSums> make_cpu_off_resonance_sums(const Trajectory&, const VoxelGrid&,
                                                         std::span<const float> sample_times_s, const OffResonanceMaps&,
                                                         Precision);

}  // namespace recon
