#include "app/merge/merge_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/shape.hpp"
#include "data/files/hdf5_probe.hpp"
#include "data/formats/recon_h5/image_hdf5_reader.hpp"

namespace recon {
namespace {

bool nearly_equal(const PerAxis<double>& a, const PerAxis<double>& b, double tolerance) {
    return std::equal(a.begin(), a.end(), b.begin(), [&](double x, double y) {
        return std::abs(x - y) <= tolerance * std::max({1.0, std::abs(x), std::abs(y)});
    });
}

std::string size_and_extent(const Geometry& geometry) {
    const PerAxis<double>& extent = geometry.field_of_view_mm;
    return fmt::format("{} over {:g} x {:g} x {:g} mm", Shape::image(geometry.matrix_size).text(), extent[0], extent[1],
                       extent[2]);
}

}  // namespace

MergePart::MergePart(std::string file) : path(std::move(file)) {
    require_sound_hdf5(path);
    const H5File open = H5File::open(path);
    if (!is_image_hdf5(open)) {
        throw InputError(fmt::format("{}: is no image file that recon wrote (HDF5 with /image and /run)", path));
    }
    image = read_image_hdf5(open);
    if (open.has_dataset("/baseline/image")) {
        baseline = read_image_hdf5(open, "/baseline");
    }
    if (open.has_dataset("/run/json")) {
        const std::vector<std::string> text = open.read<std::string>("/run/json");
        run = RunRecord::parse(text.empty() ? "" : text.front(), nullptr, false);
    }
    if (!run.is_object()) {
        throw InputError(fmt::format("{}: /run/json is no record of a run", path));
    }
}

void require_alike(const MergePart& part, const MergePart& first) {
    constexpr double rounding = 1e-6;
    const Geometry &a = part.image.geometry, &b = first.image.geometry;
    if (a.matrix_size != b.matrix_size || !nearly_equal(a.field_of_view_mm, b.field_of_view_mm, rounding)) {
        throw InputError(fmt::format("{} is {}, {} is {}; expected equal sizes", part.path, size_and_extent(a),
                                     first.path, size_and_extent(b)));
    }
    if (part.baseline.has_value() != first.baseline.has_value()) {
        throw InputError(fmt::format("{} has {} baseline, {} has {}; expected one in all files or in none", part.path,
                                     part.baseline ? "a" : "no", first.path, first.baseline ? "one" : "none"));
    }
}

}  // namespace recon
