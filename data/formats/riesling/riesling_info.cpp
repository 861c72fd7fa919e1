#include "data/formats/riesling/riesling_info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/error.hpp"
#include "data/files/hdf5_handle.hpp"
#include "data/files/hdf5_there.hpp"

namespace recon {
namespace {

/// The numbers of one member, an array of `count`; none if the compound has no such member, or one of another size.
std::vector<double> member(const H5File& file, hid_t dataset, const char* name, std::size_t count) {
    const H5Handle type(h5_check(H5Dget_type(dataset), file.path(), "type of info"), H5Tclose);
    const int index = H5Tget_class(type) == H5T_COMPOUND ? H5Tget_member_index(type, name) : -1;
    if (index < 0) {
        return {};
    }
    const H5Handle stored(H5Tget_member_type(type, static_cast<unsigned>(index)), H5Tclose);
    std::vector<hsize_t> extents(H5S_MAX_RANK);
    const int rank = H5Tget_class(stored) == H5T_ARRAY ? H5Tget_array_ndims(stored) : 0;
    if (rank < 1 || H5Tget_array_dims2(stored, extents.data()) != rank) {
        return {};
    }
    std::size_t elements = 1;
    for (int i = 0; i < rank; ++i) {
        elements *= static_cast<std::size_t>(extents[static_cast<std::size_t>(i)]);
    }
    const H5Handle space(H5Dget_space(dataset), H5Sclose);
    if (elements != count || H5Sget_simple_extent_npoints(space) != 1) {
        return {};
    }
    const H5Handle array(H5Tarray_create2(H5T_NATIVE_DOUBLE, static_cast<unsigned>(rank), extents.data()), H5Tclose);
    const H5Handle wanted(H5Tcreate(H5T_COMPOUND, count * sizeof(double)), H5Tclose);
    h5_check(H5Tinsert(wanted, name, 0, array), file.path(), "type of info");
    std::vector<double> values(count);
    h5_check(H5Dread(dataset, wanted, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), file.path(), "reading info");
    const bool finite = std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
    if (!finite) {
        throw InputError(fmt::format("{}: {} of info has values that are not finite", file.path(), name));
    }
    return values;
}

/// Where the library may read the file.
RieslingInfo info_there(const H5File& file) {
    const H5Handle dataset(h5_check(H5Dopen2(file.id(), "/info", H5P_DEFAULT), file.path(), "opening info"), H5Dclose);
    RieslingInfo info;
    const auto take = [&](const char* name, PerAxis<double>& to) {
        const std::vector<double> values = member(file, dataset, name, 3);
        std::copy(values.begin(), values.end(), to.begin());
        return !values.empty();
    };
    PerAxis<double> matrix{};
    if (take("matrix", matrix)) {
        constexpr double most = 1e9;
        info.matrix_size.emplace();
        for (std::size_t axis = 0; axis < 3; ++axis) {
            (*info.matrix_size)[axis] = static_cast<Index>(std::clamp(matrix[axis], 0.0, most));
        }
    }
    take("voxel_size", info.voxel_size_mm);
    take("origin", info.origin_mm);
    const std::vector<double> directions = member(file, dataset, "direction", 9);
    if (!directions.empty()) {
        info.directions.emplace();
        std::copy(directions.begin(), directions.end(), info.directions->begin());
    }
    return info;
}

}  // namespace

std::optional<Orientation> RieslingInfo::orientation(const PerAxis<Index>& matrix) const {
    if (!directions) {
        return std::nullopt;
    }
    Orientation result;
    PerAxis<double>* const axes[] = {&result.x_direction, &result.y_direction, &result.z_direction};
    result.centre_mm = origin_mm;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::copy_n(directions->begin() + static_cast<std::ptrdiff_t>(3 * axis), 3, axes[axis]->begin());
        for (std::size_t i = 0; i < 3; ++i) {
            result.centre_mm[i] += (*axes[axis])[i] * voxel_size_mm[axis] * static_cast<double>(matrix[axis] / 2);
        }
    }
    return is_usable(result) ? std::optional(result) : std::nullopt;
}

RieslingInfo read_riesling_info(const H5File& file) { return call_there(file, info_there); }

}  // namespace recon
