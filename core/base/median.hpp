#pragma once

#include <algorithm>
#include <vector>

namespace recon {

/// The middle one, of an even number the upper of two. @param values  not empty
template <class T>
T median(std::vector<T> values) {
    const auto middle = values.begin() + std::ssize(values) / 2;
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace recon
