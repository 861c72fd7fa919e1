#include "data/formats/mrd/mrd_orientation.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace recon {

std::optional<Orientation> mrd_orientation(const MrdAcquisitions::Head& head) {
    Orientation orientation;
    // The header is packed: its numbers need not lie where a float may.
    const auto copy = [](const void* from, PerAxis<double>& to) {
        PerAxis<float> values;
        std::memcpy(values.data(), from, sizeof values);
        std::copy(values.begin(), values.end(), to.begin());
    };
    copy(&head.position, orientation.centre_mm);
    copy(&head.read_dir, orientation.x_direction);
    copy(&head.phase_dir, orientation.y_direction);
    copy(&head.slice_dir, orientation.z_direction);
    for (const auto* axis : {&orientation.x_direction, &orientation.y_direction, &orientation.z_direction}) {
        const double length = std::hypot((*axis)[0], (*axis)[1], (*axis)[2]);
        constexpr double rounding = 1e-2;
        if (!(std::abs(length - 1) < rounding)) {
            return std::nullopt;  // never set
        }
    }
    const auto& centre = orientation.centre_mm;
    return std::isfinite(centre[0] + centre[1] + centre[2]) ? std::optional(orientation) : std::nullopt;
}

bool lie_alike(const Orientation& a, const Orientation& b) {
    constexpr double near_mm = 0.01, near_direction = 1e-3;
    const auto near = [](const PerAxis<double>& p, const PerAxis<double>& q, double most) {
        return std::abs(p[0] - q[0]) < most && std::abs(p[1] - q[1]) < most && std::abs(p[2] - q[2]) < most;
    };
    return near(a.centre_mm, b.centre_mm, near_mm) && near(a.x_direction, b.x_direction, near_direction) &&
           near(a.y_direction, b.y_direction, near_direction) && near(a.z_direction, b.z_direction, near_direction);
}

}  // namespace recon
