#include "app/cli/scan/scan_word.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "app/cli/stream/standard_streams.hpp"
#include "core/base/error.hpp"
#include "core/base/registry.hpp"
#include "data/files/file_identity.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/formats/recon_h5/image_hdf5_reader.hpp"
#include "data/reading/format.hpp"

namespace recon {

void require_existing_file(const std::string& word, const CLI::App& app) {
    std::error_code ignored;
    if (std::filesystem::exists(with_extension(word), ignored)) {
        return;
    }
    if (word == standard_stream) {
        throw UsageError("-: a scan from stdin has no name that its image could have; give --scan - --out FILE");
    }
    std::vector<std::string> commands;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        commands.push_back(command->get_name());
    }
    const std::string meant = likely_name(word, commands);
    if (!meant.empty()) {
        throw CLI::ValidationError(fmt::format("{}: neither a file nor a command; did you mean {}?", word, meant));
    }
    throw missing_file(word);
}

void refuse_scan_taken_for_a_value(const CLI::App& app) {
    for (const CLI::Option* option : app.get_options()) {
        std::error_code ignored;
        if (option->count() == 0 || option->get_items_expected_max() < 2 ||
            !std::filesystem::is_regular_file(option->results().back(), ignored)) {
            continue;
        }
        const std::string& file = option->results().back();
        throw UsageError(
            fmt::format("a scan is required, and {0} took {1} for one of its values: name the file first, "
                        "or give it as --scan {1}",
                        option->get_name(), file));
    }
}

std::string image_path_beside(const std::string& scan_path) {
    std::filesystem::path path(scan_path);
    if (!path.has_filename()) {  // a folder with a slash at its end
        path = path.parent_path();
    }
    const std::string image = (path.parent_path() / (path.stem().string() + "-image.h5")).string();
    std::error_code ignored;
    if (std::filesystem::exists(image, ignored) &&
        !(H5File::looks_like_hdf5(image) && is_image_hdf5(H5File::open(image)))) {
        throw UsageError(fmt::format(
            "{}: is there already, and no image of recon; --out names another file, or this one if it may go", image));
    }
    return image;
}

}  // namespace recon
