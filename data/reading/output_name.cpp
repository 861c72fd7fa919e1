#include "data/reading/output_name.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/error.hpp"

namespace recon {
namespace {

/// Of files that are read or written here, and of those that are often asked for.
std::vector<std::string> endings_with_a_meaning() {
    std::vector<std::string> endings{".h5",   ".hdf5", ".png", ".jpg",  ".jpeg", ".gif",  ".bmp", ".tif",
                                     ".tiff", ".svg",  ".pdf", ".html", ".htm",  ".json", ".csv", ".txt",
                                     ".mat",  ".zip",  ".gz",  ".img",  ".nrrd", ".mha",  ".mgz"};
    for (const Format* format : formats().all()) {
        const std::vector<std::string> more = extensions_of(*format);
        endings.insert(endings.end(), more.begin(), more.end());
    }
    return endings;
}

bool ends_with_one_of(const std::string& path, const std::vector<std::string>& endings) {
    return std::ranges::any_of(endings, [&](const std::string& ending) { return has_extension(path, ending); });
}

}  // namespace

void require_fitting_name(const NamedFile& output, const std::vector<std::string>& written) {
    if (!ends_with_one_of(output.path, written) && ends_with_one_of(output.path, endings_with_a_meaning())) {
        throw UsageError(fmt::format(
            "{} {}: is the name of a file of another format than is written there; expected one that ends in {}",
            output.role, output.path, fmt::join(written, ", ")));
    }
}

void require_fitting_names(std::span<const NamedFile> outputs) {
    for (const NamedFile& output : outputs) {
        const std::string& option = output.role;
        if (option.ends_with("json")) {
            require_fitting_name(output, {".json"});
        } else if (option.ends_with("png")) {
            require_fitting_name(output, {".png"});
        } else if (option.ends_with("report") || option.ends_with("html")) {
            require_fitting_name(output, {".html", ".htm"});
        }
    }
}

}  // namespace recon
