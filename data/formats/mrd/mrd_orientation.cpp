#include "data/formats/mrd/mrd_orientation.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace recon {

namespace {

Orientation stated_orientation(const MrdAcquisitions::Head& head) {
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
    return orientation;
}

double product(const PerAxis<double>& a, const PerAxis<double>& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

}  // namespace

std::optional<Orientation> mrd_orientation(const MrdAcquisitions::Head& head) {
    const Orientation orientation = stated_orientation(head);
    const PerAxis<double>& centre = orientation.centre_mm;
    const bool is_set = product(orientation.x_direction, orientation.x_direction) != 0;
    return is_set && std::isfinite(centre[0] + centre[1] + centre[2]) && mistake_of_directions(head).empty()
               ? std::optional(orientation)
               : std::nullopt;
}

std::string mistake_of_directions(const MrdAcquisitions::Head& head) {
    const Orientation orientation = stated_orientation(head);
    const auto is_zero = [](const PerAxis<double>& direction) { return product(direction, direction) == 0; };
    const bool was_set =
        !(is_zero(orientation.x_direction) && is_zero(orientation.y_direction) && is_zero(orientation.z_direction));
    return was_set ? mistake_of_directions(orientation, {"read_dir", "phase_dir", "slice_dir"}) : "";
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
