#include "data/reading/placed_image_reader.hpp"

#include <filesystem>

#include "core/base/error.hpp"
#include "data/files/file_identity.hpp"
#include "data/reading/format.hpp"
#include "data/reading/stored/file_and_dataset.hpp"
#include "data/reading/unreadable_file.hpp"

namespace recon {

const Format& image_format_of(const std::string& path) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
        throw missing_file(path);
    }
    require_file_or_folder(path);
    const Format* const format = format_of(path, &Format::read_image);
    if (format == nullptr) {
        throw unreadable_file(path, "holds no image that can be read, or is damaged",
                              titles_of(formats_with(&Format::read_image)));
    }
    return *format;
}

StoredImage read_placed_image(const std::string& path, const std::string& dataset) {
    if (const FileAndDataset named = parse_file_and_dataset(path); dataset.empty() && !named.dataset.empty()) {
        return read_placed_image(named.path, named.dataset);
    }
    return image_format_of(path).read_image(path, dataset);
}

}  // namespace recon
