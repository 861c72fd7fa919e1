#include "app/report/page/page_pictures.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "data/pictures/png_writer.hpp"

namespace recon {
namespace {

constexpr const char* plane_axes[] = {"x", "y", "z"};

/// The two axes in a plane: to the right, and downwards.
std::array<int, 2> axes_in(const Plane& plane) {
    return plane.across == 2 ? std::array{0, 1} : plane.across == 1 ? std::array{0, 2} : std::array{1, 2};
}

Index offset_of(const PerAxis<Index>& matrix, const std::array<Index, 3>& voxel) {
    return voxel[0] + matrix[0] * (voxel[1] + matrix[1] * voxel[2]);
}

std::string base64(const std::vector<std::byte>& bytes) {
    std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
    const int length =
        EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                        reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
    text.resize(static_cast<std::size_t>(length));
    return text;
}

}  // namespace

std::vector<Plane> planes_through(const Image& image) {
    const PerAxis<Index>& matrix = image.geometry.matrix_size;
    PerAxis<double> centre{};
    double energy = 0;
    const std::span<const cfloat> voxels = image.frame(0);
    for (Index i = 0; i < static_cast<Index>(voxels.size()); ++i) {
        const auto value = static_cast<double>(std::norm(voxels[static_cast<std::size_t>(i)]));
        if (std::isfinite(value)) {
            energy += value;
            centre[0] += value * static_cast<double>(i % matrix[0]);
            centre[1] += value * static_cast<double>(i / matrix[0] % matrix[1]);
            centre[2] += value * static_cast<double>(i / (matrix[0] * matrix[1]));
        }
    }
    std::vector<Plane> planes;
    for (const int axis : {2, 1, 0}) {
        const auto [right, down] = axes_in({axis, 0});
        if (matrix[right] > 1 && matrix[down] > 1) {
            planes.push_back({axis, energy > 0 ? std::lround(centre[axis] / energy) : matrix[axis] / 2});
        }
    }
    return planes.empty() ? std::vector<Plane>{{2, 0}} : planes;
}

std::string text_of(const Plane& plane, const Geometry& geometry) {
    const Index count = geometry.matrix_size[plane.across];
    if (count == 1) {
        return "the slice";
    }
    const double distance_mm = geometry.voxel_size_mm()[plane.across] * static_cast<double>(plane.index - count / 2);
    return fmt::format("{}, slice {} of {}{}", plane_axes[plane.across], plane.index + 1, count,
                       geometry.field_of_view_mm[plane.across] > 0 ? fmt::format(", {:+.4g} mm", distance_mm) : "");
}

std::string picture_of(std::span<const cfloat> values, const Geometry& geometry, const Plane& plane, float white,
                       const std::string& alternative, int width_px) {
    const PerAxis<Index>& matrix = geometry.matrix_size;
    const auto [right, down] = axes_in(plane);
    Picture picture(matrix[right], matrix[down]);
    for (Index row = 0; row < matrix[down]; ++row) {
        for (Index column = 0; column < matrix[right]; ++column) {
            std::array<Index, 3> voxel{};
            voxel[plane.across] = plane.index;
            voxel[right] = column;
            // heads stand on their feet: z grows upwards
            voxel[down] = down == 2 ? matrix[2] - 1 - row : row;
            picture.at(column, row) = std::abs(values[static_cast<std::size_t>(offset_of(matrix, voxel))]) / white;
        }
    }
    const PerAxis<double>& lengths = geometry.field_of_view_mm;
    const bool known = lengths[right] > 0 && lengths[down] > 0;
    const double width = known ? lengths[right] : static_cast<double>(matrix[right]);
    const double height = known ? lengths[down] : static_cast<double>(matrix[down]);
    const double scale = width_px / std::max(width, height);
    return fmt::format("<img alt='{}' width='{:.0f}' height='{:.0f}' src='data:image/png;base64,{}'>", alternative,
                       std::max(1.0, scale * width), std::max(1.0, scale * height),
                       base64(png_bytes(picture, alternative)));
}

std::vector<cfloat> difference(std::span<const cfloat> image, std::span<const cfloat> reference) {
    double product = 0, norm = 0;
    for (std::size_t i = 0; i < image.size(); ++i) {
        product += static_cast<double>(std::abs(image[i])) * static_cast<double>(std::abs(reference[i]));
        norm += static_cast<double>(std::norm(image[i]));
    }
    const auto scale = static_cast<float>(norm > 0 ? product / norm : 1);
    std::vector<cfloat> result(image.size());
    for (std::size_t i = 0; i < image.size(); ++i) {
        result[i] = scale * std::abs(image[i]) - std::abs(reference[i]);
    }
    return result;
}

}  // namespace recon
