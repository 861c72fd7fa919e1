#include "app/reconstruction/coils/coil_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/base/error.hpp"
#include "core/base/shape.hpp"
#include "data/files/file_identity.hpp"
#include "data/reading/array_reader.hpp"
#include "data/reading/placed_image_reader.hpp"
#include "data/reading/scan/scan_checks.hpp"
#include "data/reading/stored/file_and_dataset.hpp"

namespace recon {
namespace {

std::vector<cfloat> read_body_coil_image(const std::string& path, const Scan& scan) {
    const Image image = read_placed_image(path).image;
    if (image.geometry.matrix_size != scan.geometry.matrix_size || image.frame_count() != 1) {
        throw InputError(fmt::format("{}: the body coil's image is {} with {} frames; expected {}, one frame", path,
                                     Shape::image(image.geometry.matrix_size).text(), image.frame_count(),
                                     Shape::image(scan.geometry.matrix_size).text()));
    }
    check_finite(std::span<const cfloat>(image.voxels), path, "the body coil's image");
    if (std::all_of(image.voxels.begin(), image.voxels.end(), [](cfloat v) { return v == cfloat(0); })) {
        throw InputError(path + ": the body coil's image is zero throughout");
    }
    return image.voxels;
}

}  // namespace

void read_coil_inputs(Scan& scan, const std::string& coil_maps, const std::string& body_coil_path,
                      CoilOptions& options) {
    if (coil_maps == "espirit") {
        options.method = CoilMapMethod::espirit;
    } else if (coil_maps == "walsh") {
        options.method = CoilMapMethod::walsh;
    } else if (!coil_maps.empty()) {
        const FileAndDataset file = parse_file_and_dataset(coil_maps);
        if (!std::filesystem::exists(file.path)) {
            throw InputError("`coil_maps` " + std::string(missing_file(file.path).what()) +
                             ", and neither espirit nor walsh");
        }
        scan.coil_maps = read_coil_maps(file.path, scan.geometry.matrix_size, scan.coil_count, file.dataset);
        scan.read_coil_maps = nullptr;  // those of the scan are not wanted
    }
    if (!body_coil_path.empty()) {
        options.body_coil_image = read_body_coil_image(body_coil_path, scan);
    }
    if (!options.noise_covariance_path.empty()) {
        options.noise_covariance = read_noise_covariance(options.noise_covariance_path, scan.coil_count);
    }
}

}  // namespace recon
