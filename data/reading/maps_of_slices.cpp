#include "data/reading/maps_of_slices.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "core/base/error.hpp"
#include "core/base/shape.hpp"
#include "core/mri/off_resonance/field_maps_of_slices.hpp"
#include "data/reading/scan/scan_checks.hpp"

namespace recon {

Index slices_of_maps(std::vector<Index> extents, std::vector<Index> of_one) {
    std::erase(extents, 1);
    std::erase(of_one, 1);
    if (extents == of_one) {
        return 1;
    }
    const bool has_slices =
        extents.size() == of_one.size() + 1 && std::ranges::equal(std::span(extents).subspan(1), of_one);
    return has_slices ? extents.front() : 0;
}

std::vector<Index> counted_slices(Index slice_count) {
    std::vector<Index> slices(slice_count > 1 ? static_cast<std::size_t>(slice_count) : 0);
    std::iota(slices.begin(), slices.end(), Index{0});
    return slices;
}

void check_maps_of_slices(const StoredCoilMaps& maps, const PerAxis<Index>& matrix_size, Index coil_count,
                          const std::string& where) {
    const std::span<const cfloat> all(maps.values);
    if (maps.slices.empty()) {
        check_coil_maps(all, matrix_size, coil_count, where);
    }
    const std::size_t of_slice = all.size() / std::max<std::size_t>(1, maps.slices.size());
    for (std::size_t i = 0; i < maps.slices.size(); ++i) {
        check_coil_maps(all.subspan(i * of_slice, of_slice), matrix_size, coil_count,
                        fmt::format("{}, slice {}", where, maps.slices[i]));
    }
}

void take_coil_maps(Scan& scan, StoredCoilMaps maps, const std::string& where) {
    scan.read_coil_maps = nullptr;  // others are not wanted
    scan.coil_map_slices.clear();
    if (maps.slices.empty()) {
        scan.coil_maps = std::move(maps.values);
        return;
    }
    const std::vector<Index> wanted = slices_of(scan);
    if (wanted.size() == 1 && maps.slices.size() > 1 && maps.slices.size() == scan.frames.size()) {
        throw InputError(fmt::format(
            "{}: has coil maps of {} slices, expected one set, as the {} frames of {} are all of slice {}; if "
            "they are slices, labels say so (docs/file-formats.md), and if not, give the set that is right",
            where, maps.slices.size(), scan.frames.size(), scan.path, wanted.front()));
    }
    std::vector<std::ptrdiff_t> places;
    for (const Index slice : wanted) {
        const auto found = std::ranges::find(maps.slices, slice);
        if (found == maps.slices.end()) {
            throw InputError(
                fmt::format("{}: has coil maps of the slices {}, expected those of {} too, as {} has slices", where,
                            fmt::join(maps.slices, ", "), slice, scan.path));
        }
        places.push_back(found - maps.slices.begin());
    }
    const Index voxel_count = Shape::image(scan.geometry.matrix_size).element_count();
    scan.coil_maps.clear();
    for (Index coil = 0; coil < scan.coil_count; ++coil) {
        for (const std::ptrdiff_t place : places) {
            const auto first = maps.values.begin() + (place * scan.coil_count + coil) * voxel_count;
            scan.coil_maps.insert(scan.coil_maps.end(), first, first + voxel_count);
        }
    }
    scan.coil_map_slices = wanted;
}

StoredCoilMaps stored_coil_maps(const Scan& scan) {
    const std::vector<Index>& slices = scan.coil_map_slices;
    const auto slice_count = std::max<Index>(1, std::ssize(slices));
    const Index voxel_count = Shape::image(scan.geometry.matrix_size).element_count();
    if (std::ssize(scan.coil_maps) != slice_count * voxel_count * scan.coil_count ||
        (slice_count > 1 && slices != counted_slices(slice_count))) {
        throw ShapeError(
            fmt::format("{} values of coil maps of the slices [{}] do not fit {} coils of {} voxels in slices "
                        "that are counted from 0",
                        scan.coil_maps.size(), fmt::join(slices, ", "), scan.coil_count, voxel_count));
    }
    StoredCoilMaps maps{.values = {}, .slices = slices};
    maps.values.reserve(scan.coil_maps.size());
    for (Index slice = 0; slice < slice_count; ++slice) {
        for (Index coil = 0; coil < scan.coil_count; ++coil) {
            const auto from = scan.coil_maps.begin() + (coil * slice_count + slice) * voxel_count;
            maps.values.insert(maps.values.end(), from, from + voxel_count);
        }
    }
    return maps;
}

std::vector<Index> extents_of_maps(const Scan& scan) {
    const auto [nx, ny, nz] = scan.geometry.matrix_size;
    std::vector<Index> extents{scan.coil_count, nz, ny, nx};
    if (scan.coil_map_slices.size() > 1) {
        extents.insert(extents.begin(), std::ssize(scan.coil_map_slices));
    }
    return extents;
}

std::vector<std::string> axes_of_maps(const Scan& scan) {
    return scan.coil_map_slices.size() > 1 ? std::vector<std::string>{"slice", "coil", "z", "y", "x"}
                                           : std::vector<std::string>{"coil", "z", "y", "x"};
}

}  // namespace recon
