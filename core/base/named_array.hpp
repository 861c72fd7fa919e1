#pragma once

#include <string>
#include <variant>
#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// Numbers in host memory that a file gets beside its image: coil maps, the weights of a prior, a curve.
struct NamedArray {
    std::string name;               ///< path in the file without the first slash, such as "coil_maps"
    std::vector<std::string> axes;  ///< names, slowest first, such as {"coil", "z", "y", "x"}
    std::vector<Index> extents;     ///< in the same order
    std::variant<std::vector<float>, std::vector<double>, std::vector<cfloat>> values;
    std::string unit;  ///< such as "Hz"; empty if they have none
};

}  // namespace recon
