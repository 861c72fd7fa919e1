#pragma once

#include <string>
#include <vector>

#include "core/backend/backend.hpp"
#include "data/formats/parboil/parboil_file.hpp"

namespace recon {

enum class ParboilSum { q, fhd };

/// How the sums are computed: with an exponential for every pair, or by the separable factors of a grid.
enum class PositionMethod { automatic, direct, separable };

struct ParboilSumsOptions {
    PositionMethod method = PositionMethod::automatic;
    Precision precision = Precision::single;
    int repeat = 1;  ///< the sums are computed so many times, and the median of their times is reported
};

struct ParboilResult {
    std::vector<cfloat> values;  ///< [voxel]
    std::string description;     ///< of the method
    double plan_seconds;         ///< positions to the device
    double seconds;              ///< of the sums alone, device to device
};

/// Q = sum |phi|^2 exp(i 2 pi k.r) or F^H d = sum conj(phi) d exp(i 2 pi k.r) at every voxel of the file.
///
/// `automatic` takes the separable sums where the voxels are a grid to the rounding of the precision.
/// @throws InputError if F^H d is asked of an input without data; UsageError if `separable` is, of voxels on no grid
ParboilResult compute_parboil_sum(const ParboilInput& input, ParboilSum sum, Backend& backend,
                                  const ParboilSumsOptions& options);

}  // namespace recon
