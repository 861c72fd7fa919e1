#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>

#include "core/processor/cpu_costs.hpp"

namespace recon {

/// What some work took, and what is predicted for it: a sum over named_cpu_costs of how often the work is charged with
/// each.
struct TimedWork {
    std::string work;
    std::string size;
    double seconds = 0;
    std::array<double, named_cpu_costs.size()> charges{};

    double predicted_s(const CpuCosts& costs) const;
};

/// @param predicted_s  by cpu_costs() in force, which are other ones meanwhile
TimedWork timed_work(std::string work, std::string size, double seconds, const std::function<double()>& predicted_s);

/// The costs by which all that was timed is predicted best: least squares of the relative errors. None is below a
/// hundredth of what it is without calibration; what nothing was charged with stays as that is.
CpuCosts fit_cpu_costs(std::span<const TimedWork> works);

}  // namespace recon
