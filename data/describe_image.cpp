#include "data/describe_image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/base/number_text.hpp"

namespace recon {
namespace {

std::string known(double value) { return value > 0 ? fmt::format("{:.6g}", value) : "?"; }

/// "complex, magnitude 0 to 1.5", or the range of real numbers.
std::string range_text(std::span<const cfloat> values) {
    float lowest = std::numeric_limits<float>::infinity(), highest = -lowest, greatest = 0;
    Index not_finite = 0;
    bool is_complex = false;
    for (const cfloat& value : values) {
        if (!std::isfinite(value.real()) || !std::isfinite(value.imag())) {
            ++not_finite;
            continue;
        }
        is_complex = is_complex || value.imag() != 0;
        lowest = std::min(lowest, value.real());
        highest = std::max(highest, value.real());
        greatest = std::max(greatest, std::abs(value));
    }
    const std::string text = is_complex ? fmt::format("complex, magnitude up to {:.5g}", greatest)
                                        : fmt::format("{:.5g} to {:.5g}", lowest, highest);
    return not_finite > 0 ? text + fmt::format(", {} not finite", not_finite) : text;
}

}  // namespace

std::string line(const std::string& name, const std::string& value) { return fmt::format("  {:<18}{}\n", name, value); }

std::string per_axis(const PerAxis<double>& values) {
    return fmt::format("{} x {} x {}", known(values[0]), known(values[1]), known(values[2]));
}

std::string orientation_text(const std::optional<Orientation>& orientation) {
    if (!orientation) {
        return "unknown";
    }
    const auto vector = [](const PerAxis<double>& v) {
        constexpr int decimals = 4;
        return fmt::format("({:.4g}, {:.4g}, {:.4g})", rounded(v[0], decimals), rounded(v[1], decimals),
                           rounded(v[2], decimals));
    };
    return fmt::format("centre {} mm, x along {}, y along {}, z along {} (LPS)", vector(orientation->centre_mm),
                       vector(orientation->x_direction), vector(orientation->y_direction),
                       vector(orientation->z_direction));
}

std::string describe_image(const std::string& path, const Format& format, const std::string& dataset) {
    const Image image = format.read_image(path, dataset).image;
    const Geometry& geometry = image.geometry;
    const PerAxis<Index>& matrix = geometry.matrix_size;
    const bool has_lengths = geometry.field_of_view_mm != PerAxis<double>{0, 0, 0};
    std::string text = fmt::format(
        "{}{}: image of {} x {} x {} voxels{}, {}\n", path, dataset.empty() ? "" : ":" + dataset, matrix[0], matrix[1],
        matrix[2], image.frame_count() > 1 ? fmt::format(", {} volumes", image.frame_count()) : "", format.title);
    text += line("matrix", fmt::format("{} x {} x {} voxels", matrix[0], matrix[1], matrix[2]));
    text += line("field of view", has_lengths ? per_axis(geometry.field_of_view_mm) + " mm" : "unknown");
    text += line("voxel size", has_lengths ? per_axis(geometry.voxel_size_mm()) + " mm" : "unknown");
    text += line("orientation", orientation_text(geometry.orientation));
    text += line("volumes", fmt::format("{}", image.frame_count()));
    text += line("values", range_text(image.voxels));
    return text;
}

std::string describe_array(const std::string& path, const Format& format) {
    StoredArray array = format.read_array(path, {});
    array.drop_leading_ones();
    std::string text = fmt::format("{}: array {}, {}\n", path, array.extents_text(), format.title);
    text += line("extents", array.extents_text() + ", the fastest axis last");
    const std::vector<cfloat> values = array.take_complex();
    text += line("values", range_text(values));
    return text;
}

}  // namespace recon
