#include "data/reading/format.hpp"

#include <filesystem>
#include <sstream>

namespace recon {
namespace {

std::vector<std::string> words_of(std::string_view text) {
    std::istringstream stream{std::string(text)};
    std::vector<std::string> words;
    for (std::string word; stream >> word;) {
        words.push_back(word);
    }
    return words;
}

}  // namespace

Registry<Format>& formats() {
    static Registry<Format> registry("format");
    return registry;
}

const Format* image_writer_of(const std::string& path) {
    for (const Format* format : formats_with(&Format::write_image)) {
        for (const std::string& extension : words_of(format->extensions)) {
            if (path.ends_with(extension)) {
                return format;
            }
        }
    }
    return nullptr;
}

std::string with_extension(const std::string& path) {
    std::error_code ignored;
    if (path.empty() || std::filesystem::exists(path, ignored)) {
        return path;
    }
    for (const Format* format : formats().all()) {
        for (const std::string& extension : words_of(format->extensions)) {
            if (std::filesystem::is_regular_file(path + extension, ignored)) {
                return path + extension;
            }
        }
    }
    return path;
}

std::string titles_of(const std::vector<const Format*>& formats) {
    std::string titles;
    for (std::size_t i = 0; i < formats.size(); ++i) {
        titles += (i == 0 ? "" : i + 1 == formats.size() ? " or " : ", ") + std::string(formats[i]->title);
    }
    return titles;
}

}  // namespace recon
