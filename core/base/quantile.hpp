#pragma once

#include <algorithm>
#include <span>
#include <vector>

namespace recon {

/// The value of rank `part` (n - 1), rounded down: below it lies that part of the others.
/// @param values  not empty; reordered
template <class T>
T quantile(std::span<T> values, double part) {
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), place, values.end());
    return *place;
}
template <class T>
T quantile(std::vector<T> values, double part) {
    return quantile(std::span<T>(values), part);
}

}  // namespace recon
