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
    if (array.element_count() < 1) {
        throw InputError(array.where + ": is empty, expected an image [z, y, x]");
    }
    Image image = image_of_extents(array.extents);
    const bool is_real = std::holds_alternative<std::vector<double>>(array.values);
    image.voxels = array.take_complex();
    return {dataset, std::move(image), is_real};
}

/// One array and archives of them are read alike.
Format numpy_format(std::string_view name, std::string_view title, bool (*recognises)(const std::string&),
                    std::string_view extensions) {
    return {.name = name,
            .title = title,
            .recognises = recognises,
            .scan_reader = npy_reader,
            .read_image = read_npy_image,
            .read_array = read_npy_array,
            .extensions = extensions};
}

Format npy_format() {
    Format format = numpy_format("npy", "a NumPy array (.npy)", is_npy_file, ".npy");
    format.write_image = write_npy_image;
    format.write_image_help = "Complex image as a NumPy array (.npy)";
    return format;
}

Format npz_format() {
    Format format = numpy_format("npz", "NumPy arrays (.npz)", is_npz_file, ".npz");
    format.write_scan = write_npz_scan;
    return format;
}

const Registration registered_npy(formats(), npy_format());
const Registration registered_npz(formats(), npz_format());

}  // namespace
}  // namespace recon
