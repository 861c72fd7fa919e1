#include "data/reading/format.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>

namespace recon {
namespace {

/// The first with that role whose files end like `path`; null: none.
template <class Role>
const Format* format_of_name(const std::string& path, Role Format::*role) {
    for (const Format* format : formats_with(role)) {
        const std::vector<std::string> extensions = extensions_of(*format);
        if (std::ranges::any_of(extensions, [&](const std::string& end) { return has_extension(path, end); })) {
            return format;
        }
    }
    return nullptr;
}

}  // namespace

std::vector<std::string> extensions_of(const Format& format) {
    std::istringstream stream{std::string(format.extensions)};
    std::vector<std::string> words;
    for (std::string word; stream >> word;) {
        words.push_back(word);
    }
    return words;
}

Registry<Format>& formats() {
    static Registry<Format> registry("format");
    return registry;
}

bool has_extension(std::string_view path, std::string_view extension) {
    const auto same_letter = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
    return path.size() >= extension.size() &&
           std::ranges::equal(path.substr(path.size() - extension.size()), extension, same_letter);
}

const Format* image_writer_of(const std::string& path) { return format_of_name(path, &Format::write_image); }

const Format* scan_writer_of(const std::string& path) { return format_of_name(path, &Format::write_scan); }

std::string without_extension(const std::string& path, const Format& format) {
    for (const std::string& extension : extensions_of(format)) {
        if (has_extension(path, extension)) {
            return path.substr(0, path.size() - extension.size());
        }
    }
    return path;
}

std::string with_extension(const std::string& path) {
    std::error_code ignored;
    if (path.empty() || std::filesystem::exists(path, ignored)) {
        return path;
    }
    for (const Format* format : formats().all()) {
        for (const std::string& extension : extensions_of(*format)) {
            if (std::filesystem::is_regular_file(path + extension, ignored) && format->recognises(path + extension)) {
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
