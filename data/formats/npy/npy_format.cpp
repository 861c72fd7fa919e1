#include <algorithm>
#include <cstring>

#include "core/base/error.hpp"
#include "data/formats/npy/npy_array.hpp"
#include "data/formats/npy/npy_reader.hpp"
#include "data/formats/npy/npy_writer.hpp"
#include "data/formats/npy/read_bytes.hpp"
#include "data/reading/format.hpp"

namespace recon {
namespace {

bool is_npy_file(const std::string& path) {
    constexpr std::size_t looked_at = 8;
    return is_npy(first_bytes(path, looked_at));
}

/// A zip archive whose first file is an array of NumPy.
bool is_npz_file(const std::string& path) {
    constexpr std::size_t header = 30, looked_at = 300;
    constexpr char signature[] = {'P', 'K', 3, 4};
    const std::vector<std::byte> bytes = first_bytes(path, looked_at);
    if (bytes.size() < header || std::memcmp(bytes.data(), signature, sizeof(signature)) != 0) {
        return false;
    }
    const auto length = std::to_integer<std::size_t>(bytes[26]) + 256 * std::to_integer<std::size_t>(bytes[27]);
    const std::string name(reinterpret_cast<const char*>(bytes.data()) + header,
                           std::min(length, bytes.size() - header));
    return name.ends_with(".npy");
}

std::unique_ptr<ScanReader> npy_reader(const std::string& path) { return std::make_unique<NpyReader>(path); }

StoredArray read_npy_array(const std::string& path, const ArrayName& name) {
    const NpyArrays arrays(path);
    return arrays.read(choose_array(arrays.names(), name, path));
}

/// [.. z, y, x]: axes before the last three are frames.
StoredImage read_npy_image(const std::string& path, const std::string& dataset) {
    StoredArray array = read_npy_array(path, {dataset, {"image"}});
    Image image;
    Index voxels = 1;
    for (std::size_t axis = 0; axis < std::min<std::size_t>(3, array.extents.size()); ++axis) {
        image.geometry.matrix_size[axis] = array.extents[array.extents.size() - 1 - axis];
        voxels *= image.geometry.matrix_size[axis];
    }
    if (voxels < 1) {
        throw InputError(array.where + ": is empty, expected an image [z, y, x]");
    }
    image.frames.assign(static_cast<std::size_t>(array.element_count() / voxels), ImageFrame{});
    for (std::size_t i = 0; i < image.frames.size(); ++i) {
        image.frames[i].label.repetition = static_cast<Index>(i);
    }
    image.voxels = array.take_complex();
    return {dataset, std::move(image)};
}

const Registration registered_npy(formats(), Format{.name = "npy",
                                                    .title = "a NumPy array (.npy)",
                                                    .recognises = is_npy_file,
                                                    .scan_reader = npy_reader,
                                                    .read_image = read_npy_image,
                                                    .read_array = read_npy_array,
                                                    .write_image = write_npy_image,
                                                    .write_image_help = "Complex image as a NumPy array (.npy)",
                                                    .extensions = ".npy"});
const Registration registered_npz(formats(), Format{.name = "npz",
                                                    .title = "NumPy arrays (.npz)",
                                                    .recognises = is_npz_file,
                                                    .scan_reader = npy_reader,
                                                    .read_image = read_npy_image,
                                                    .read_array = read_npy_array,
                                                    .write_scan = write_npz_scan,
                                                    .extensions = ".npz"});

}  // namespace
}  // namespace recon
