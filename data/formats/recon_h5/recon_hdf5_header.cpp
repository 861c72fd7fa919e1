#include "data/formats/recon_h5/recon_hdf5_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <type_traits>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "data/formats/recon_h5/axis_names.hpp"
#include "data/formats/recon_h5/recon_hdf5_layout.hpp"
#include "data/reading/maps_of_coils.hpp"
#include "data/reading/scan/frame_labels.hpp"

namespace recon {
namespace {

/// Up to three numbers, an attribute of the root or a small dataset; missing axes are `missing`.
template <class T>
PerAxis<T> read_per_axis(const H5File& file, const std::string& name, T unknown, T missing) {
    PerAxis<T> result{unknown, unknown, unknown};
    const bool attribute = file.has_attribute("/", name);
    if (!attribute && !file.has_dataset("/" + name)) {
        return result;
    }
    const std::vector<double> values =
        attribute ? file.read_attribute<double>("/", name) : file.read<double>("/" + name);
    if (values.empty() || values.size() > 3) {
        throw InputError(fmt::format("{}: {} has {} values, expected x, y, z", file.path(), name, values.size()));
    }
    result = {missing, missing, missing};
    for (std::size_t axis = 0; axis < values.size(); ++axis) {
        constexpr double most = 1e15;  // exact in a double and in an Index
        if (!(std::abs(values[axis]) < most) ||
            (std::is_same_v<T, Index> && values[axis] != std::floor(values[axis]))) {
            throw InputError(fmt::format("{}: {} of axis {} is {}, expected {}", file.path(), name, layout::xyz[axis],
                                         values[axis], std::is_same_v<T, Index> ? "a whole number" : "a number"));
        }
        result[axis] = static_cast<T>(values[axis]);
    }
    return result;
}

Orientation orientation_from(const double* values) {
    Orientation orientation;
    for (auto* vector :
         {&orientation.centre_mm, &orientation.x_direction, &orientation.y_direction, &orientation.z_direction}) {
        std::copy(values, values + 3, vector->begin());
        values += 3;
    }
    return orientation;
}

/// Axes of extent 1 may be left out or not, and all numbers may lie in one. As many numbers in other axes mean other
/// things: exchanged ones would be taken for what they are not.
bool has_extents(const H5File& file, const std::string& dataset, std::vector<Index> expected) {
    std::vector<Index> found = file.dataset_info(dataset).extents;
    const Index count = std::accumulate(expected.begin(), expected.end(), Index{1}, std::multiplies<>());
    std::erase(found, 1);
    std::erase(expected, 1);
    return found == expected || found == std::vector{count};
}

}  // namespace

Geometry read_geometry(const H5File& file) {
    Geometry geometry;
    geometry.matrix_size = read_per_axis<Index>(file, "matrix_size", 0, 1);
    geometry.field_of_view_mm = read_per_axis<double>(file, "field_of_view_mm", 0, 0);
    for (const Orientation& orientation : read_orientations(file, "/orientation", 1)) {
        geometry.orientation = orientation;
    }
    return geometry;
}

std::vector<Orientation> read_orientations(const H5File& file, const std::string& dataset, Index expected) {
    std::vector<Orientation> result;
    if (!file.has_dataset(dataset)) {
        return result;
    }
    const std::vector<double> values = file.read<double>(dataset);
    if (static_cast<Index>(values.size()) != 12 * expected || !has_extents(file, dataset, {expected, 4, 3})) {
        throw InputError(fmt::format("{}: dataset {} is {}, expected {} times 4 vectors of 3 (centre, x, y, z)",
                                     file.path(), dataset, file.dataset_info(dataset).text(), expected));
    }
    if (!std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); })) {
        throw InputError(fmt::format("{}: dataset {} has values that are not finite", file.path(), dataset));
    }
    for (Index i = 0; i < expected; ++i) {
        result.push_back(orientation_from(values.data() + 12 * i));
        const std::string mistake =
            mistake_of_directions(result.back(), {"the x direction", "the y direction", "the z direction"});
        if (!mistake.empty()) {
            log_warning("{}: dataset {}: {}: the image gets no place in the patient", file.path(), dataset, mistake);
            return {};
        }
    }
    return result;
}

std::vector<FrameLabel> read_labels(const H5File& file, Index frame_count) {
    if (!file.has_dataset("/frame_labels")) {
        return counted_labels(frame_count);
    }
    const std::vector<Index> values = file.read<Index>("/frame_labels");
    constexpr std::size_t columns = label_parts.size();
    if (std::ssize(values) != frame_count * Index{columns} ||
        !has_extents(file, "/frame_labels", {frame_count, columns})) {
        throw InputError(fmt::format("{}: dataset /frame_labels is {}, expected [{}, {}]", file.path(),
                                     file.dataset_info("/frame_labels").text(), frame_count, columns));
    }
    return labels_of_rows(values);
}

void read_maps(const H5File& file, StoredScan& stored, KspaceReading reading) {
    Scan& scan = stored.scan;
    for (const char* const name : {"/coil_maps", "/off_resonance_hz", "/relaxation_rate_per_s", "/noise"}) {
        if (file.has_dataset(name) && file.has_attribute(name, "axes")) {
            const NamedAxes in_order(file, name, {"slice", "coil", "z", "y", "x", "sample"}, {});
        }
    }
    if (file.has_dataset("/coil_maps")) {
        read_maps_of_coils(file, "/coil_maps", reading, stored);
    }
    if (file.has_dataset("/off_resonance_hz")) {
        scan.off_resonance_hz = file.read<float>("/off_resonance_hz");
        stored.field_map_name = "dataset /off_resonance_hz";
        stored.field_map_extents = file.dataset_info("/off_resonance_hz").extents;
    }
    if (file.has_dataset("/noise")) {
        scan.noise = file.read<cfloat>("/noise");
        const Index noise_count = std::ssize(scan.noise);
        if (noise_count % scan.coil_count != 0 ||
            !has_extents(file, "/noise", {scan.coil_count, noise_count / scan.coil_count})) {
            throw InputError(fmt::format("{}: dataset /noise is {}, expected [{} coils, samples]", file.path(),
                                         file.dataset_info("/noise").text(), scan.coil_count));
        }
    }
}

void check_version(const H5File& file) {
    if (!file.has_attribute("/", "version")) {
        return;
    }
    const auto version = file.read_attribute_scalar<Index>("/", "version");
    if (version != layout::version) {
        throw InputError(fmt::format("{}: is version {} of the layout {}, expected version {}", file.path(), version,
                                     layout::format_name, layout::version));
    }
}

}  // namespace recon
