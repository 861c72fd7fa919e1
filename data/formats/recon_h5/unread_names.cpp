#include "data/formats/recon_h5/unread_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/log.hpp"
#include "core/base/registry.hpp"

namespace recon {
namespace {

using Texts = std::vector<std::string>;

/// Of the root; matrix_size and field_of_view_mm may be attributes of it as well.
const Texts layout_names{"kspace",
                         "trajectory",
                         "density_weights",
                         "sample_times_s",
                         "coil_maps",
                         "off_resonance_hz",
                         "noise",
                         "relaxation_rate_per_s",
                         "frame_labels",
                         "orientation",
                         "frame_orientation",
                         "matrix_size",
                         "field_of_view_mm"};
const Texts layout_attributes{"format", "version", "matrix_size", "field_of_view_mm"};

Texts without(const Texts& names, const Texts& others) {
    Texts left;
    std::ranges::copy_if(names, std::back_inserter(left),
                         [&](const std::string& name) { return std::ranges::find(others, name) == others.end(); });
    return left;
}

/// "frame_3": there may be thousands, each a question to the process that reads.
bool is_frame(const std::string& name) {
    constexpr std::string_view start = "frame_";
    return name.starts_with(start) && name.find_first_not_of("0123456789", start.size()) == std::string::npos;
}

/// Letter case and what stands between words make no other name.
std::string plain(const std::string& name) {
    std::string letters;
    for (const char letter : name) {
        if (std::isalnum(static_cast<unsigned char>(letter)) != 0) {
            letters += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
        }
    }
    return letters;
}

/// The one of the missing names that was likely meant; empty if none is near.
std::string meant_by(const std::string& name, const Texts& missing) {
    for (const std::string& candidate : missing) {
        if (plain(candidate) == plain(name)) {
            return candidate;
        }
    }
    return likely_name(name, missing);
}

}  // namespace

void log_unread_names(const H5File& file) {
    const Texts attributes = file.attribute_names("/");
    const Texts names = file.names_in("/");
    const Texts missing = without(without(layout_names, names), attributes);
    Texts unread;
    const auto look = [&](const std::string& name, const char* kind) {
        if (const std::string meant = meant_by(name, missing); !meant.empty()) {
            log_warning("{}: {} {} is not known to the layout, and not read; did you mean {}?", file.path(), kind, name,
                        meant);
        } else {
            unread.push_back(name);
        }
    };
    for (const std::string& name : without(names, layout_names)) {
        if (!is_frame(name) && file.has_dataset("/" + name)) {
            look(name, "dataset");
        }
    }
    for (const std::string& name : without(attributes, layout_attributes)) {
        look(name, "attribute");
    }
    if (!unread.empty()) {
        log_info("{}: not part of the layout, and not read: {}", file.path(), fmt::join(unread, ", "));
    }
}

}  // namespace recon
