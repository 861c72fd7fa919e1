#include "app/reconstruction/off_resonance/placed_maps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/base/number_text.hpp"
#include "core/base/shape.hpp"
#include "core/mri/off_resonance/field_maps_of_slices.hpp"

namespace recon {
namespace {

/// The image's grid, where a slice lies. @throws InputError if its frames do not lie in one place, but the map does
Geometry grid_of_slice(const Scan& scan, Index slice, const StoredMap& map) {
    Geometry grid = scan.geometry;
    const Frame* first = nullptr;
    for (const Frame& frame : scan.frames) {
        if (frame.label.slice != slice) {
            continue;
        }
        first = first == nullptr ? &frame : first;
        if (!map.orientations.empty() && frame.orientation != first->orientation) {
            throw InputError(
                fmt::format("{}: frames of {} lie in different places, though all are of slice {}, and one map serves "
                            "them; reconstruct them one by one with `select`",
                            map.source, scan.path, slice));
        }
    }
    if (first->orientation) {
        grid.orientation = first->orientation;
    }
    return grid;
}

bool lie_in_different_places(const Scan& scan) {
    const auto& first = scan.frames.front().orientation;
    return std::ranges::any_of(scan.frames, [&](const Frame& frame) { return frame.orientation != first; });
}

bool is_known_where(const Scan& scan) { return scan.geometry.orientation || scan.frames.front().orientation; }

/// With its planes as volumes, where they are slices: of an image of one plane, and nobody says where they lie. Nobody
/// does where volumes share one place, which is that of their file.
StoredMap of_slices(StoredMap map, const Scan& scan, const std::vector<Index>& slices) {
    if (map.volume_count > 1 &&
        std::ranges::adjacent_find(map.orientations, std::not_equal_to()) == map.orientations.end()) {
        map.orientations.clear();
    }
    const PerAxis<Index>& image = scan.geometry.matrix_size;
    PerAxis<Index>& matrix = map.geometry.matrix_size;
    const bool places_are_known = !map.orientations.empty() && is_known_where(scan);
    const bool are_slices = slices.back() > 0 && image[2] == 1 && matrix[2] > slices.back();
    if (!places_are_known && are_slices && map.volume_count == 1 && matrix[0] == image[0] && matrix[1] == image[1]) {
        map.volume_count = matrix[2];
        map.geometry.field_of_view_mm[2] /= static_cast<double>(matrix[2]);
        map.orientations.clear();
        matrix[2] = 1;
    }
    return map;
}

/// The volume that has a slice's map: the nearest, where both say where they lie; else that of the slice's number.
std::size_t volume_of(const StoredMap& map, Index slice, const Geometry& grid) {
    if (map.orientations.empty() || !grid.orientation) {
        return static_cast<std::size_t>(map.volume_count > 1 ? slice : 0);
    }
    const auto squared_distance = [&](const Orientation& volume) {
        double sum = 0;
        for (int axis = 0; axis < 3; ++axis) {
            sum += std::pow(volume.centre_mm[axis] - grid.orientation->centre_mm[axis], 2);
        }
        return sum;
    };
    return static_cast<std::size_t>(std::ranges::min_element(map.orientations, {}, squared_distance) -
                                    map.orientations.begin());
}

void require_volumes(const StoredMap& map, const std::vector<Index>& slices, const Scan& scan) {
    if (slices.back() == 0) {
        throw InputError(fmt::format("{}: holds {} volumes, expected one, as {} has no slices", map.source,
                                     map.volume_count, scan.path));
    }
    if (slices.back() >= map.volume_count) {
        throw InputError(fmt::format("{}: holds {} volumes, expected one of each slice, and {} has a slice {}",
                                     map.source, map.volume_count, scan.path, slices.back()));
    }
}

/// One map for all frames.
PlacedMaps of_all(Resampled<float> map, const StoredMap& stored, std::size_t slice_count) {
    if (slice_count > 1) {
        log_warning("{}: one map for {} slices, as it is not known where they lie", stored.source, slice_count);
    }
    return {std::move(map.voxels), {}, map.outside_fraction, std::move(map.text)};
}

}  // namespace

PlacedMaps place_maps(const Scan& scan, const StoredMap& stored, const Resampling& resampling) {
    const std::vector<Index> slices = slices_of(scan);
    const StoredMap map = of_slices(stored, scan, slices);
    const bool has_volumes = map.volume_count > 1;
    const auto of_volume = map.values.size() / static_cast<std::size_t>(map.volume_count);
    const auto of_slice = [&](Index slice) {
        const Geometry grid = grid_of_slice(scan, slice, map);
        const std::size_t volume = volume_of(map, slice, grid);
        Geometry source = map.geometry;
        if (!map.orientations.empty()) {
            source.orientation = map.orientations[volume];
        }
        return resampling(std::span(map.values).subspan(volume * of_volume, of_volume), source, grid, map.source);
    };
    const bool is_told_where = !map.orientations.empty() && is_known_where(scan);
    if (has_volumes && !is_told_where) {
        require_volumes(map, slices, scan);
    } else if (!has_volumes && (map.orientations.empty() || !lie_in_different_places(scan))) {
        return of_all(of_slice(slices.front()), map, slices.size());
    }
    PlacedMaps placed;
    std::vector<Index> outside;
    for (const Index slice : slices) {
        const Resampled<float> resampled = of_slice(slice);
        placed.values.insert(placed.values.end(), resampled.voxels.begin(), resampled.voxels.end());
        placed.outside_fraction += resampled.outside_fraction / static_cast<double>(slices.size());
        placed.text = resampled.text;
        if (resampled.outside_fraction == 1) {
            outside.push_back(slice);
        }
    }
    if (outside == slices) {
        placed.outside_fraction = 1;  // whatever rounding makes of the sum
    } else if (!outside.empty()) {
        log_warning("{}: nothing of it lies in {}, which has no correction", map.source, numbered("slice", outside));
    }
    placed.slices = slices;
    placed.text += slices.size() > 1 ? fmt::format(", for each of {} slices", slices.size()) : "";
    return placed;
}

void require_overlap(const PlacedMaps& placed, const StoredMap& map, const PerAxis<Index>& matrix, const char* what) {
    if (placed.outside_fraction == 1) {
        throw InputError(
            fmt::format("{}: the {} and the image do not overlap; check the position of both", map.source, what));
    }
    constexpr double little = 0.1;  // heads fill a quarter of the field of view
    if (const double covered = 1 - placed.outside_fraction; covered < little) {
        log_warning(
            "{}: the {} has values in {:.2g} % of the image's voxels alone ({}, the image has {}): is it of this scan, "
            "and is its place right?",
            map.source, what, 100 * covered, grid_text(map.geometry), Shape::image(matrix).text());
    }
}

}  // namespace recon
