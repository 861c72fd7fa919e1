#include "core/base/threads/worthwhile_threads.hpp"

#include <omp.h>

#include <algorithm>

namespace recon {

int worthwhile_threads(double nanoseconds) {
    constexpr double work_of_a_thread = 1e5;
    const double most = omp_get_max_threads();
    return static_cast<int>(std::clamp(nanoseconds / work_of_a_thread, 1.0, most));
}

}  // namespace recon
