#pragma once

#include <cmath>

#include "data/simulation/random_problem.hpp"

namespace recon::test {

using recon::random_array;
using recon::random_trajectory;
using recon::random_values;

inline double relative_difference(const std::vector<cdouble>& a, const std::vector<cdouble>& reference) {
    double difference = 0;
    double size = 0;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        difference += std::norm(a[i] - reference[i]);
        size += std::norm(reference[i]);
    }
    return std::sqrt(difference / size);
}

}  // namespace recon::test
