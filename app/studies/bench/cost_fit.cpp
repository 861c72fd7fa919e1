#include "app/studies/bench/cost_fit.hpp"

#include <algorithm>
#include <utility>

namespace recon {

double TimedWork::predicted_s(const CpuCosts& costs) const {
    double sum = 0;
    for (std::size_t i = 0; i < charges.size(); ++i) {
        sum += charges[i] * costs.*named_cpu_costs[i].value;
    }
    return sum;
}

TimedWork timed_work(std::string work, std::string size, double seconds, const std::function<double()>& predicted_s) {
    TimedWork timed{std::move(work), std::move(size), seconds};
    const CpuCosts before = cpu_costs();
    CpuCosts free_of_charge;
    for (const NamedCpuCost& cost : named_cpu_costs) {
        free_of_charge.*cost.value = 0;
    }
    for (std::size_t i = 0; i < timed.charges.size(); ++i) {
        CpuCosts one_alone = free_of_charge;
        one_alone.*named_cpu_costs[i].value = 1;
        set_cpu_costs(one_alone);
        timed.charges[i] = predicted_s();
    }
    set_cpu_costs(before);
    return timed;
}

/// One cost after the other is made the best beside the others, over and over: this ends at the least squares, bounds
/// included, because the sum of squares is convex.
CpuCosts fit_cpu_costs(std::span<const TimedWork> works) {
    constexpr int sweeps = 2000;
    constexpr double least_part = 0.01;
    const CpuCosts built_in;
    CpuCosts costs;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        for (std::size_t i = 0; i < named_cpu_costs.size(); ++i) {
            double& cost = costs.*named_cpu_costs[i].value;
            double product = 0;
            double square = 0;
            for (const TimedWork& work : works) {
                const double charge = work.charges[i] / work.seconds;
                const double missing = 1 - work.predicted_s(costs) / work.seconds + charge * cost;
                product += charge * missing;
                square += charge * charge;
            }
            if (square > 0) {
                cost = std::max(product / square, least_part * built_in.*named_cpu_costs[i].value);
            }
        }
    }
    return costs;
}

}  // namespace recon
