#include "core/backend.hpp"

#include <cmath>

namespace recon {

double norm(ConstArrayView x) { return std::sqrt(x.backend().dot(x, x).real()); }

}  // namespace recon
