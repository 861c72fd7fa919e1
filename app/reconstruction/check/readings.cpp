#include "app/reconstruction/check/readings.hpp"

#include <cmath>
#include <vector>

#include "core/base/types.hpp"
#include "core/mri/check/centre_gap.hpp"

namespace recon {
namespace {

using Kind = ScanFix::Kind;

/// "x", "y", "xy", ... of the axes that the image has, at least `fewest` of them together.
std::vector<std::string> axis_sets(const PerAxis<Index>& matrix_size, std::size_t fewest, std::size_t most) {
    std::vector<std::string> sets;
    for (unsigned bits = 1; bits < 8; ++bits) {
        std::string set;
        bool exists = true;
        for (int axis = 0; axis < 3; ++axis) {
            if (bits & (1U << axis)) {
                set += static_cast<char>('x' + axis);
                exists = exists && matrix_size[axis] > 1;
            }
        }
        if (exists && set.size() >= fewest && set.size() <= most) {
            sets.push_back(set);
        }
    }
    return sets;
}

ScanFix along(Kind kind, std::string axes = "") {
    ScanFix fix;
    fix.kind = kind;
    fix.axes = std::move(axes);
    return fix;
}

ScanFix shift_by(Index samples) {
    ScanFix fix = along(Kind::shift);
    fix.samples = samples;
    return fix;
}

ScanFix scale_by(double factor) {
    ScanFix fix = along(Kind::scale);
    fix.factor = factor;
    return fix;
}

/// Whether all samples follow each other by one and the same step, as on Cartesian lines: all of them a place off are
/// off by that step, which the phase of the image takes up.
bool all_steps_are_one(const Trajectory& trajectory, Index length) {
    constexpr double same = 1e-3;  // cycles per FOV
    for (const std::vector<double>& k : trajectory.k) {
        for (std::size_t m = 1; m < k.size(); ++m) {
            if (static_cast<Index>(m) % length != 0 && std::abs(k[m] - k[m - 1] - (k[1] - k[0])) > same) {
                return false;
            }
        }
    }
    return true;
}

}  // namespace

std::vector<ScanFix> readings_to_try(const Scan& probe) {
    std::vector<ScanFix> fixes;
    if (probe.samples_per_readout > 1) {
        const Trajectory& trajectory = *probe.frames.front().trajectory;
        if (!has_gap_at_centre(trajectory, probe.geometry.matrix_size) &&
            !all_steps_are_one(trajectory, probe.samples_per_readout)) {
            fixes.push_back(shift_by(1));
            fixes.push_back(shift_by(-1));
        }
        fixes.push_back(along(Kind::reverse));
        fixes.push_back(along(Kind::alternate));
    }
    for (const double factor : {0.5, 0.5 / pi}) {
        fixes.push_back(scale_by(factor));
    }
    if (probe.coil_maps.empty() || probe.coil_count < 2) {
        return fixes;
    }
    for (const double factor : {2.0, 2 * pi}) {  // few samples are left, which maps of their own would explain
        fixes.push_back(scale_by(factor));
    }
    const PerAxis<Index>& matrix_size = probe.geometry.matrix_size;
    fixes.push_back(along(Kind::conjugate));
    for (const std::string& axes : axis_sets(matrix_size, 1, 3)) {
        fixes.push_back(along(Kind::mirror, axes));
    }
    for (const std::string& axes : axis_sets(matrix_size, 2, 2)) {
        fixes.push_back(along(Kind::swap, axes));
    }
    fixes.push_back(along(Kind::maps_conjugate));
    for (const std::string& axes : axis_sets(matrix_size, 1, 3)) {
        fixes.push_back(along(Kind::maps_mirror, axes));
    }
    return fixes;
}

std::string kind_of(const ScanFix& fix) {
    switch (fix.kind) {
        case Kind::conjugate: return "k_space";
        case Kind::mirror:
        case Kind::swap:
        case Kind::scale: return "trajectory";
        case Kind::shift:
        case Kind::reverse:
        case Kind::alternate: return "readouts";
        default: return "coil_maps";
    }
}

}  // namespace recon
