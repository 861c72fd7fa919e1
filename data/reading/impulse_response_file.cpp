#include "data/reading/impulse_response_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.hpp"
#include "data/reading/trajectory_file.hpp"

namespace recon {

GradientImpulseResponse read_impulse_response(const std::string& name) {
    StoredArray array = read_array_of_file(name, {"girf", "impulse_response"}, "a gradient impulse response");
    std::vector<Index> extents = array.extents;
    while (extents.size() > 2 && extents.front() == 1) {  // as BART has them
        extents.erase(extents.begin());
    }
    const bool diagonal = extents.size() == 2 && extents[1] == 4;
    if (!diagonal && !(extents.size() == 2 && extents[1] == 10)) {
        throw InputError(
            fmt::format("{}: is {}, expected [tap, 4]: time in s, x, y, z, or [tap, 10]: time in s and nine "
                        "weights xx, xy, xz, yx, ...",
                        array.where, array.extents_text()));
    }
    const std::string where = array.where;
    const std::vector<double> values = array.take_real();
    const auto column_count = static_cast<std::size_t>(extents[1]), tap_count = static_cast<std::size_t>(extents[0]);
    const auto column = [&](std::size_t c) {
        std::vector<double> of_column;
        for (std::size_t tap = 0; tap < tap_count; ++tap) {
            of_column.push_back(values[tap * column_count + c]);
        }
        return of_column;
    };
    GradientImpulseResponse response;
    response.times_s = column(0);
    constexpr double longest_s = 1;
    if (!std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); }) ||
        std::any_of(response.times_s.begin(), response.times_s.end(),
                    [](double time) { return std::abs(time) > longest_s; }) ||
        std::adjacent_find(response.times_s.begin(), response.times_s.end(), std::greater_equal<>()) !=
            response.times_s.end()) {
        throw InputError(
            fmt::format("{}: expected finite numbers, and times in the first column that ascend, within 1 s", where));
    }
    for (std::size_t element = 0; element < 9; ++element) {
        if (!diagonal || element % 4 == 0) {
            response.weights[element] = column(1 + (diagonal ? element / 4 : element));
        }
        constexpr double off_one = 0.1;
        const double sum = std::accumulate(response.weights[element].begin(), response.weights[element].end(), 0.0);
        if (element % 4 == 0 && std::abs(sum - 1) > off_one) {
            throw InputError(
                fmt::format("{}: the weights of {} sum up to {:.4g}, expected 1, as of a gradient that comes to "
                            "what it was asked for",
                            where, std::string("xyz").substr(element / 4, 1), sum));
        }
    }
    return response;
}

}  // namespace recon
