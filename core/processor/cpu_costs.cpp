#include "core/processor/cpu_costs.hpp"

namespace recon {
namespace {

CpuCosts costs_in_force;

}  // namespace

const CpuCosts& cpu_costs() { return costs_in_force; }

void set_cpu_costs(const CpuCosts& costs) { costs_in_force = costs; }

}  // namespace recon
