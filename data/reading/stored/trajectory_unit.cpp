#include "data/reading/stored/trajectory_unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/log.hpp"

namespace recon {
namespace {

constexpr std::array all_units{TrajectoryUnit::cycles_per_fov,        TrajectoryUnit::cycles_per_voxel,
                               TrajectoryUnit::radians_per_voxel,     TrajectoryUnit::parts_of_kmax,
                               TrajectoryUnit::cycles_per_metre,      TrajectoryUnit::radians_per_metre,
                               TrajectoryUnit::cycles_per_millimetre, TrajectoryUnit::radians_per_millimetre};
constexpr std::array guessed_units{TrajectoryUnit::cycles_per_fov, TrajectoryUnit::cycles_per_voxel,
                                   TrajectoryUnit::radians_per_voxel, TrajectoryUnit::cycles_per_metre,
                                   TrajectoryUnit::radians_per_metre};

struct Spelling {
    std::string_view text;  ///< lower case, no blanks
    TrajectoryUnit unit;
};
constexpr std::array spellings{
    Spelling{"cycles/fov", TrajectoryUnit::cycles_per_fov},
    Spelling{"cycle/fov", TrajectoryUnit::cycles_per_fov},
    Spelling{"cyclesperfov", TrajectoryUnit::cycles_per_fov},
    Spelling{"cyclesperfieldofview", TrajectoryUnit::cycles_per_fov},
    Spelling{"1/fov", TrajectoryUnit::cycles_per_fov},
    Spelling{"cycles/voxel", TrajectoryUnit::cycles_per_voxel},
    Spelling{"cycles/pixel", TrajectoryUnit::cycles_per_voxel},
    Spelling{"cyclespervoxel", TrajectoryUnit::cycles_per_voxel},
    Spelling{"cyclesperpixel", TrajectoryUnit::cycles_per_voxel},
    Spelling{"1/voxel", TrajectoryUnit::cycles_per_voxel},
    Spelling{"1/pixel", TrajectoryUnit::cycles_per_voxel},
    Spelling{"rad/voxel", TrajectoryUnit::radians_per_voxel},
    Spelling{"rad/pixel", TrajectoryUnit::radians_per_voxel},
    Spelling{"radians/voxel", TrajectoryUnit::radians_per_voxel},
    Spelling{"radians/pixel", TrajectoryUnit::radians_per_voxel},
    Spelling{"radianspervoxel", TrajectoryUnit::radians_per_voxel},
    Spelling{"radians", TrajectoryUnit::radians_per_voxel},
    Spelling{"k/kmax", TrajectoryUnit::parts_of_kmax},
    Spelling{"1/m", TrajectoryUnit::cycles_per_metre},
    Spelling{"m^-1", TrajectoryUnit::cycles_per_metre},
    Spelling{"cycles/m", TrajectoryUnit::cycles_per_metre},
    Spelling{"cycles/metre", TrajectoryUnit::cycles_per_metre},
    Spelling{"cycles/meter", TrajectoryUnit::cycles_per_metre},
    Spelling{"1/metre", TrajectoryUnit::cycles_per_metre},
    Spelling{"1/meter", TrajectoryUnit::cycles_per_metre},
    Spelling{"rad/m", TrajectoryUnit::radians_per_metre},
    Spelling{"radians/m", TrajectoryUnit::radians_per_metre},
    Spelling{"rad/metre", TrajectoryUnit::radians_per_metre},
    Spelling{"rad/meter", TrajectoryUnit::radians_per_metre},
    Spelling{"1/mm", TrajectoryUnit::cycles_per_millimetre},
    Spelling{"mm^-1", TrajectoryUnit::cycles_per_millimetre},
    Spelling{"cycles/mm", TrajectoryUnit::cycles_per_millimetre},
    Spelling{"rad/mm", TrajectoryUnit::radians_per_millimetre},
    Spelling{"radians/mm", TrajectoryUnit::radians_per_millimetre},
};

constexpr double contradiction_factor = 2;  // beyond twice N/2, or below a tenth: probably another unit
constexpr double contradiction_fraction = 0.1;

std::string list_of_names() {
    std::string names;
    for (const TrajectoryUnit unit : all_units) {
        names += fmt::format("{}{}", names.empty() ? "" : ", ", name_of(unit));
    }
    return names;
}

std::string range_text(const PerAxis<double>& extent) {
    return fmt::format("|k| up to {:.6g}, {:.6g}, {:.6g} in x, y, z", extent[0], extent[1], extent[2]);
}

std::string field_of_view_text(const Geometry& geometry) {
    const PerAxis<double>& size = geometry.field_of_view_mm;
    return std::ranges::any_of(size, [](double mm) { return mm > 0; })
               ? fmt::format("{:.4g} x {:.4g} x {:.4g} mm", size[0], size[1], size[2])
               : "unknown size";
}

bool same_numbers(TrajectoryUnit a, TrajectoryUnit b, const Geometry& geometry) {
    const PerAxis<double> factor_a = factor_to_cycles_per_fov(a, geometry);
    const PerAxis<double> factor_b = factor_to_cycles_per_fov(b, geometry);
    constexpr double rounding = 1e-6;  // fields of view are floats in many headers
    for (int axis = 0; axis < 3; ++axis) {
        if (geometry.matrix_size[axis] > 1 && !(std::abs(factor_a[axis] / factor_b[axis] - 1) < rounding)) {
            return false;
        }
    }
    return true;
}

/// Parts of N/2 that the farthest sample may have.
struct PlausibleRange {
    double lowest, highest;
};
constexpr PlausibleRange ordinary{0.6, 1.1};  // to the edge, or most of the way in each direction; a little past it
/// Zero-filled or truncated scans; asked for only if nothing is ordinary. What may be of a scan of a larger matrix,
/// twice oversampled at most, is one of the possibilities there, and not believed alone.
constexpr PlausibleRange unusual{0.2, 2.1};
constexpr PlausibleRange to_the_edge{0.88, 1.1};
/// What positions that seem to stay far inside may be in, if they go to the edge by that.
constexpr std::array rivals{TrajectoryUnit::parts_of_kmax, TrajectoryUnit::cycles_per_millimetre,
                            TrajectoryUnit::radians_per_millimetre};

std::vector<TrajectoryUnit> plausible_units(const PerAxis<double>& extent, const Geometry& geometry,
                                            const PlausibleRange& range) {
    std::vector<TrajectoryUnit> found;
    for (const TrajectoryUnit unit : guessed_units) {
        const double fraction = band_fraction(extent, unit, geometry);
        const bool known = std::any_of(found.begin(), found.end(),
                                       [&](TrajectoryUnit other) { return same_numbers(unit, other, geometry); });
        const bool is_of_voxels =  // whose size a smaller matrix does not change
            unit == TrajectoryUnit::cycles_per_voxel || unit == TrajectoryUnit::radians_per_voxel;
        const double highest = is_of_voxels ? ordinary.highest : range.highest;
        if (fraction >= range.lowest && fraction <= highest && !known) {
            found.push_back(unit);
        }
    }
    return found;
}

}  // namespace

std::string_view name_of(TrajectoryUnit unit) {
    switch (unit) {
        case TrajectoryUnit::cycles_per_fov: return "cycles/FOV";
        case TrajectoryUnit::cycles_per_voxel: return "cycles/voxel";
        case TrajectoryUnit::radians_per_voxel: return "rad/voxel";
        case TrajectoryUnit::parts_of_kmax: return "k/kmax";
        case TrajectoryUnit::cycles_per_metre: return "1/m";
        case TrajectoryUnit::radians_per_metre: return "rad/m";
        case TrajectoryUnit::cycles_per_millimetre: return "1/mm";
        case TrajectoryUnit::radians_per_millimetre: break;
    }
    return "rad/mm";
}

std::optional<TrajectoryUnit> recognise_trajectory_unit(std::string_view text) {
    std::string plain;
    for (const char c : text) {
        if (std::isspace(static_cast<unsigned char>(c)) == 0 && c != '_') {
            plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        }
    }
    const auto* const found =
        std::find_if(spellings.begin(), spellings.end(), [&](const Spelling& s) { return s.text == plain; });
    return found == spellings.end() ? std::nullopt : std::optional(found->unit);
}

TrajectoryUnit parse_trajectory_unit(std::string_view text) {
    const std::optional<TrajectoryUnit> unit = recognise_trajectory_unit(text);
    if (!unit) {
        throw UsageError(fmt::format("`trajectory_unit` {}: unknown; the units are {}", text, list_of_names()));
    }
    return *unit;
}

PerAxis<double> factor_to_cycles_per_fov(TrajectoryUnit unit, const Geometry& geometry) {
    PerAxis<double> factor{};
    for (int axis = 0; axis < 3; ++axis) {
        const auto voxels = static_cast<double>(geometry.matrix_size[axis]);
        const double millimetres = geometry.field_of_view_mm[axis];
        const double metres = millimetres > 0 ? millimetres / 1000 : std::numeric_limits<double>::quiet_NaN();
        switch (unit) {
            case TrajectoryUnit::cycles_per_fov: factor[axis] = 1; break;
            case TrajectoryUnit::cycles_per_voxel: factor[axis] = voxels; break;
            case TrajectoryUnit::radians_per_voxel: factor[axis] = voxels / (2 * pi); break;
            case TrajectoryUnit::parts_of_kmax: factor[axis] = voxels / 2; break;
            case TrajectoryUnit::cycles_per_metre: factor[axis] = metres; break;
            case TrajectoryUnit::radians_per_metre: factor[axis] = metres / (2 * pi); break;
            case TrajectoryUnit::cycles_per_millimetre: factor[axis] = 1000 * metres; break;
            case TrajectoryUnit::radians_per_millimetre: factor[axis] = 1000 * metres / (2 * pi); break;
        }
    }
    return factor;
}

PerAxis<double> trajectory_extent(const std::vector<Frame>& frames) {
    PerAxis<double> extent{};
    const Trajectory* last = nullptr;
    for (const Frame& frame : frames) {
        if (frame.trajectory == nullptr) {
            throw ShapeError("a frame has no trajectory");
        }
        for (int axis = 0; axis < 3 && frame.trajectory.get() != last; ++axis) {
            const std::vector<double>& component = frame.trajectory->k[axis];
            const auto count = static_cast<Index>(component.size());
            double largest = extent[axis];
#pragma omp parallel for simd reduction(max : largest) if (count > 100'000)
            for (Index s = 0; s < count; ++s) {
                largest = std::max(largest, std::abs(component[s]));
            }
            extent[axis] = largest;
        }
        last = frame.trajectory.get();
    }
    return extent;
}

double band_fraction(const PerAxis<double>& extent, TrajectoryUnit unit, const Geometry& geometry) {
    const PerAxis<double> factor = factor_to_cycles_per_fov(unit, geometry);
    double fraction = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const auto voxels = static_cast<double>(geometry.matrix_size[axis]);
        if (voxels > 1) {
            const double here = extent[axis] * factor[axis] / (voxels / 2);
            fraction = std::isnan(here) ? here : std::max(fraction, here);
        }
        if (std::isnan(fraction)) {
            break;
        }
    }
    return fraction;
}

TrajectoryUnit guess_trajectory_unit(const PerAxis<double>& extent, const Geometry& geometry,
                                     const std::string& where) {
    for (const PlausibleRange& range : {ordinary, unusual}) {
        std::vector<TrajectoryUnit> found = plausible_units(extent, geometry, range);
        if (found.size() == 1 && band_fraction(extent, found[0], geometry) < ordinary.lowest) {
            std::ranges::copy_if(rivals, std::back_inserter(found), [&](TrajectoryUnit unit) {
                const double fraction = band_fraction(extent, unit, geometry);
                return fraction >= to_the_edge.lowest && fraction <= to_the_edge.highest;
            });
        }
        if (found.size() == 1 && band_fraction(extent, found[0], geometry) <= ordinary.highest) {
            return found[0];
        }
        if (found.size() > 1) {
            throw InputError(
                fmt::format("{}: the unit of the trajectory is ambiguous: {} fits both {} and {} for a matrix of "
                            "{} x {} x {}; say which with `trajectory_unit`",
                            where, range_text(extent), name_of(found[0]), name_of(found[1]), geometry.matrix_size[0],
                            geometry.matrix_size[1], geometry.matrix_size[2]));
        }
    }
    throw InputError(
        fmt::format("{}: the unit of the trajectory cannot be told: {} fits none of {} for a matrix of {} x {} x {} "
                    "and a field of view of {}; say which with `trajectory_unit`, or check `matrix` and `fov`",
                    where, range_text(extent), list_of_names(), geometry.matrix_size[0], geometry.matrix_size[1],
                    geometry.matrix_size[2], field_of_view_text(geometry)));
}

std::string unknown_field_of_view(const Geometry& geometry) {
    std::string axes;
    int unknown = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (!(geometry.field_of_view_mm[axis] > 0)) {
            axes += (unknown++ > 0 ? " and " : " along ") + std::string(1, "xyz"[axis]);
        }
    }
    return fmt::format("the field of view{} is unknown; give it with `fov`", unknown < 3 ? axes : "");
}

TrajectoryUnit decide_trajectory_unit(std::optional<TrajectoryUnit> asked, std::optional<TrajectoryUnit> stated,
                                      const std::string& stated_where, const PerAxis<double>& extent,
                                      const Geometry& geometry, const std::string& where) {
    if (!asked && !stated) {
        const TrajectoryUnit unit = guess_trajectory_unit(extent, geometry, where);
        const double fraction = band_fraction(extent, unit, geometry);
        const std::string found = fmt::format("trajectory unit: {}, from the range: {}, {:.0f} % of the band's edge",
                                              name_of(unit), range_text(extent), 100 * fraction);
        constexpr double usual = 0.6;  // of images with voxels as fine as the samples allow, and not finer
        if (fraction < usual) {
            log_warning("{}; if that is wrong, give `trajectory_unit`", found);
        } else {
            log_info("{}", found);
        }
        return unit;
    }
    const TrajectoryUnit unit = asked ? *asked : *stated;
    const std::string reason = asked ? "`trajectory_unit`" : stated_where;
    const double fraction = band_fraction(extent, unit, geometry);
    if (std::isnan(fraction)) {
        throw InputError(fmt::format("{}: the trajectory is in {} ({}), but {}", where, name_of(unit), reason,
                                     unknown_field_of_view(geometry)));
    }
    log_info("trajectory unit: {}, from {}; {}, {:.0f} % of the band's edge", name_of(unit), reason, range_text(extent),
             100 * fraction);
    if (fraction > contradiction_factor || (fraction > 0 && fraction < contradiction_fraction)) {
        log_warning(
            "trajectory unit: {} (from {}) puts the farthest sample at {:.3g} times the edge of the band that "
            "the matrix can show; if that is wrong, give `trajectory_unit` or `matrix`",
            name_of(unit), reason, fraction);
    }
    return unit;
}

}  // namespace recon
