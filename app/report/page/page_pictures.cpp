#include "app/report/page/page_pictures.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>

#include "data/pictures/png_writer.hpp"

namespace recon {
namespace {

std::string base64(const std::vector<std::byte>& bytes) {
    std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
    const int length =
        EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                        reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
    text.resize(static_cast<std::size_t>(length));
    return text;
}

}  // namespace

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
            picture.at(column, row) =
                std::abs(values[static_cast<std::size_t>(voxel_of(plane, matrix, column, row))]) / white;
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
