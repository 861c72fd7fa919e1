#pragma once

#include <string>
#include <vector>

#include "app/studies/stone2008/stone_scan.hpp"
#include "core/backend/backend.hpp"

namespace recon::stone {

/// Q and F^H d as `recon` computes them.
struct ProductSums {
    std::vector<cdouble> q;    ///< on VoxelGrid::differences
    std::vector<cdouble> fhd;  ///< [x y z]
    double q_seconds = 0;      ///< plan and copies included
    double fhd_seconds = 0;
    std::string remark;
};

/// By exact sums or NUFFT, whichever is predicted to be faster: to 1e-6 in single and 1e-12 in double precision; Q
/// always in double.
ProductSums product_sums(const Scan& scan, Backend& backend, Precision precision);

}  // namespace recon::stone
