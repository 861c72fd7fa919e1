#include "app/reconstruction/scan_prior/response_moments.hpp"

#include <algorithm>

#include "core/base/ordered_sum.hpp"

namespace recon {

ResponseMoments response_moments(const std::vector<float>& of_data, const ScanTerm& of_prior) {
    const auto response = [&](std::size_t i, std::size_t at) {
        const double c = of_data[i];
        return c / (c + (*of_prior.spectrum)[at]);
    };
    const auto [sum, energy, deciding, deciding_energy] =
        ordered_sums<4>(std::ssize(of_data), [&](Index first, Index end, std::array<double, 4>& sums) {
            of_prior.grid.visit(first, end, [&](Index i, Index point) {
                const auto at = static_cast<std::size_t>(point);
                const double h = response(static_cast<std::size_t>(i), at), variance = of_prior.variance(at);
                sums[0] += h;
                sums[1] += h * variance;
                sums[2] += h * (1 - h);
                sums[3] += h * (1 - h) * variance;
            });
        });
    const double mean = sum / static_cast<double>(of_data.size());
    double peak = response(0, 0);
    if (peak < mean) {
        of_prior.grid.visit(0, std::ssize(of_data), [&](Index i, Index point) {
            peak = std::max(peak, response(static_cast<std::size_t>(i), static_cast<std::size_t>(point)));
        });
    }
    return {peak, mean, sum > 0 ? energy / sum : 0, deciding > 0 ? deciding_energy / deciding : 0};
}

}  // namespace recon
