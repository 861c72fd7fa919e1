#include "data/formats/mrd/mrd_orientation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace recon {

namespace {

constexpr double rounding = 1e-2;

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
    struct Direction {
        const char* name;
        const PerAxis<double>& vector;
    };
    const std::array<Direction, 3> directions{Direction{"read_dir", orientation.x_direction},
                                              {"phase_dir", orientation.y_direction},
                                              {"slice_dir", orientation.z_direction}};
    const auto is_zero = [](const Direction& d) { return product(d.vector, d.vector) == 0; };
    if (std::ranges::all_of(directions, is_zero)) {
        return "";
    }
    for (const auto& [name, vector] : directions) {
        if (const double length = std::sqrt(product(vector, vector)); !(std::abs(length - 1) < rounding)) {
            return fmt::format("{} has the length {:.3g}, expected 1", name, length);
        }
    }
    for (std::size_t i = 0; i < directions.size(); ++i) {
        const auto& [name, vector] = directions[i];
        const auto& [next_name, next] = directions[(i + 1) % directions.size()];
        if (std::abs(product(vector, next)) > rounding) {
            return fmt::format("{} and {} are not at right angles", name, next_name);
        }
    }
    return "";
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
