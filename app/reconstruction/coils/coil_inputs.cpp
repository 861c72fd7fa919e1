#include "app/reconstruction/coils/coil_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/base/shape.hpp"
#include "data/files/file_identity.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/reading/array_reader.hpp"
#include "data/reading/format.hpp"
#include "data/reading/placed_image_reader.hpp"
#include "data/reading/scan/scan_checks.hpp"
#include "data/reading/stored/file_and_dataset.hpp"

namespace recon {
namespace {

std::optional<CoilMapMethod> method_of(const std::string& coil_maps) {
    static const std::map<std::string, CoilMapMethod> methods{
        {"espirit", CoilMapMethod::espirit}, {"walsh", CoilMapMethod::walsh}, {"nlinv", CoilMapMethod::nlinv}};
    const auto found = methods.find(coil_maps);
    return found == methods.end() ? std::nullopt : std::optional(found->second);
}

/// What the file says of the size and the place of its maps, as far as it does. In HDF5: of the image that they were
/// estimated for, or of the scan that they belong to, its size.
Geometry geometry_of_maps(const std::string& path) {
    if (!H5File::looks_like_hdf5(path)) {
        return format_of(path, &Format::read_array) != nullptr ? Geometry() : read_placed_image(path).image.geometry;
    }
    const H5File file = H5File::open(path);
    Geometry result;
    for (const char* const object : {"/image", "/"}) {
        if ((object == std::string("/") || file.has_dataset(object)) &&
            file.has_attribute(object, "field_of_view_mm")) {
            const auto sizes = file.read_attribute<double>(object, "field_of_view_mm");
            std::copy_n(sizes.begin(), std::min<std::size_t>(sizes.size(), 3), result.field_of_view_mm.begin());
            break;
        }
    }
    return result;
}

/// Voxels of 1 mm say nothing: they are those of an array that was given no size (nibabel's identity).
bool tells_size(const PerAxis<double>& field_of_view_mm, const PerAxis<Index>& matrix_size) {
    for (int axis = 0; axis < 3; ++axis) {
        if (field_of_view_mm[axis] != static_cast<double>(matrix_size[axis])) {
            return true;
        }
    }
    return false;
}

/// As many voxels over another field of view lie elsewhere: what is meant for one of them fits none.
void require_field_of_view(const PerAxis<double>& found, const Geometry& geometry, const std::string& what) {
    if (!tells_size(found, geometry.matrix_size)) {
        return;
    }
    for (int axis = 0; axis < 3; ++axis) {
        const double expected = geometry.field_of_view_mm[axis];
        if (geometry.matrix_size[axis] > 1 && found[axis] > 0 && expected > 0 &&
            std::abs(found[axis] / expected - 1) > 0.01) {  // more than files round
            throw InputError(
                fmt::format("{} of a field of view of {:.4g} mm along {}, the image has {:.4g} mm; give one of the "
                            "image's, or the image this one (`fov`)",
                            what, found[axis], "xyz"[axis], expected));
        }
    }
}

/// Maps are taken voxel by voxel: where they were meant for another place, the scan's check shows what they explain.
void warn_of_place(const Geometry& maps, const Scan& scan, const std::string& path) {
    const std::optional<Orientation>& of_frame = scan.frames.front().orientation;
    const std::optional<Orientation>& image = of_frame ? of_frame : scan.geometry.orientation;
    if (!maps.orientation || !image || !tells_size(maps.field_of_view_mm, scan.geometry.matrix_size)) {
        return;
    }
    double apart_mm = 0;
    for (int axis = 0; axis < 3; ++axis) {
        apart_mm = std::hypot(apart_mm, maps.orientation->centre_mm[axis] - image->centre_mm[axis]);
    }
    const PerAxis<double> voxel_mm = scan.geometry.voxel_size_mm();
    if (apart_mm > std::max({voxel_mm[0], voxel_mm[1], voxel_mm[2]})) {
        log_warning(
            "{}: the centre of the coil maps lies {:.3g} mm from that of the image; they are taken voxel by voxel, as "
            "if both were in one place",
            path, apart_mm);
    }
}

/// One place's maps for several slices give a plausible image that is wrong.
void require_maps_of_slices(const Scan& scan, const std::string& path) {
    const auto is_of_another_slice = [&](const Frame& frame) {
        return frame.label.slice != scan.frames.front().label.slice;
    };
    if (scan.coil_map_slices.empty() && std::ranges::any_of(scan.frames, is_of_another_slice)) {
        throw InputError(
            fmt::format("{}: one set of coil maps for several slices, expected one of each, [slice, coil, z, y, x]; "
                        "let them be estimated (`coil_maps` espirit), or take the slice that they are of "
                        "(`select` slice=N)",
                        path));
    }
}

std::vector<cfloat> read_body_coil_image(const std::string& path, const Scan& scan) {
    const Image image = read_placed_image(path).image;
    if (image.geometry.matrix_size != scan.geometry.matrix_size || image.frame_count() != 1) {
        throw InputError(fmt::format("{}: the body coil's image is {} with {} frames; expected {}, one frame", path,
                                     Shape::image(image.geometry.matrix_size).text(), image.frame_count(),
                                     Shape::image(scan.geometry.matrix_size).text()));
    }
    require_field_of_view(image.geometry.field_of_view_mm, scan.geometry, path + ": the body coil's image is");
    check_finite(std::span<const cfloat>(image.voxels), path, "the body coil's image");
    if (std::all_of(image.voxels.begin(), image.voxels.end(), [](cfloat v) { return v == cfloat(0); })) {
        throw InputError(path + ": the body coil's image is zero throughout");
    }
    return image.voxels;
}

bool has_maps(const Scan& scan) { return !scan.coil_maps.empty() || scan.read_coil_maps != nullptr; }

}  // namespace

std::string file_of_coil_maps(const std::string& coil_maps) { return method_of(coil_maps) ? "" : coil_maps; }

void read_coil_inputs(Scan& scan, const std::string& coil_maps, const std::string& body_coil_path,
                      CoilOptions& options) {
    if (const auto method = method_of(coil_maps)) {
        options.method = method;
    } else if (!coil_maps.empty()) {
        const FileAndDataset file = parse_file_and_dataset(coil_maps);
        if (!std::filesystem::exists(file.path)) {
            throw InputError("`coil_maps` " + std::string(missing_file(file.path).what()) +
                             ", and none of espirit, walsh and nlinv");
        }
        StoredCoilMaps maps = read_coil_maps(file.path, scan.geometry.matrix_size, scan.coil_count, file.dataset);
        const std::size_t slice_count = maps.slices.size();
        take_coil_maps(scan, std::move(maps), file.path);
        if (scan.coil_map_slices == std::vector<Index>{0}) {  // no scan of slices, perhaps, and ESPIRiT's sets
            log_warning("{}: has coil maps of {} slices; those of slice 0 are taken, as the scan has no others",
                        file.path, slice_count);
        }
        const Geometry geometry = geometry_of_maps(file.path);
        require_field_of_view(geometry.field_of_view_mm, scan.geometry, file.path + ": the coil maps are");
        warn_of_place(geometry, scan, file.path);
    }
    if (!body_coil_path.empty()) {
        options.body_coil_image = read_body_coil_image(body_coil_path, scan);
    }
    const bool takes_them = has_maps(scan) && !options.method && options.body_coil_image.empty();
    if (takes_them) {
        require_maps_of_slices(scan, coil_maps.empty() ? scan.path : coil_maps);
        log_info("coil maps: those of {}", coil_maps.empty() ? scan.path : coil_maps);
    }
    if (takes_them && (options.calibration_radius > 0 || options.crop >= 0)) {
        log_warning(
            "`{}` is of coil maps that are estimated, and the scan comes with its own: it changes nothing; `coil_maps` "
            "espirit estimates them",
            options.calibration_radius > 0 ? "calibration_radius" : "coil_crop");
    }
    if (!options.noise_covariance_path.empty()) {
        options.noise_covariance = read_noise_covariance(options.noise_covariance_path, scan.coil_count);
    }
}

}  // namespace recon
