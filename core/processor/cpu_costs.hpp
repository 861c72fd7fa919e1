#pragma once

#include <array>

namespace recon {

/// Seconds that pieces of work take one thread of the processor: what times are predicted by. As they stand here,
/// measured on a server processor of 2024 with AVX-512 (docs/predicted-times.md): a machine that is slower throughout
/// makes the same choices. `recon bench --calibrate` fits them to the machine at hand.
struct CpuCosts {
    double exact_operation_s = 0.2e-9;     ///< exact sums: an operation on a register
    double sample_s = 12e-9;               ///< NUFFT: weights of a sample, and its way to and from memory
    double register_s = 0.35e-9;           ///< of 64 bytes of the grid, for each sample: read and written, or only read
    double grid_point_s = 5e-9;            ///< single precision: FFT, tiles, clearing
    double planned_sample_s = 16e-9;       ///< sorting
    double plan_s = 5e-3;                  ///< what does not grow with the samples
    double toeplitz_operation_s = 12e-12;  ///< single precision: of 5 n log2(n) for an FFT of n points

    bool operator==(const CpuCosts&) const = default;
};

using CpuCost = double CpuCosts::*;

/// Each of them by its name, in files and for the fit.
struct NamedCpuCost {
    const char* name;
    CpuCost value;
};
inline constexpr std::array named_cpu_costs{NamedCpuCost{"exact_operation_s", &CpuCosts::exact_operation_s},
                                            NamedCpuCost{"sample_s", &CpuCosts::sample_s},
                                            NamedCpuCost{"register_s", &CpuCosts::register_s},
                                            NamedCpuCost{"grid_point_s", &CpuCosts::grid_point_s},
                                            NamedCpuCost{"planned_sample_s", &CpuCosts::planned_sample_s},
                                            NamedCpuCost{"plan_s", &CpuCosts::plan_s},
                                            NamedCpuCost{"toeplitz_operation_s", &CpuCosts::toeplitz_operation_s}};

/// Those that this process predicts by.
const CpuCosts& cpu_costs();
/// From now on, of the whole process: call it while no other thread predicts.
void set_cpu_costs(const CpuCosts& costs);

}  // namespace recon
