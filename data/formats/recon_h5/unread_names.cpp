#include "data/formats/recon_h5/unread_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "data/reading/scan/likely_names.hpp"

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

}  // namespace

// There may be thousands: no question to the process that reads.
bool is_frame(const std::string& name) {
    constexpr std::string_view start = "frame_";
    return name.starts_with(start) && name.find_first_not_of("0123456789", start.size()) == std::string::npos;
}

void require_datasets(const H5File& file) {
    const Texts names = file.names_in("/");
    for (const std::string& name : layout_names) {
        if (std::ranges::find(names, name) != names.end() && !file.has_dataset("/" + name)) {
            throw InputError(fmt::format("{}: /{} is {}, expected a dataset", file.path(), name,
                                         file.has_group("/" + name) ? "a group" : "a link to nothing"));
        }
    }
}

void log_unread_names(const H5File& file) {
    const Texts attributes = file.attribute_names("/");
    const Texts names = file.names_in("/");
    const bool has_kspace = file.has_dataset("/kspace");
    std::vector<UnreadName> unknown;
    for (const std::string& name : names_without(names, layout_names)) {
        if (is_frame(name) ? has_kspace : file.has_dataset("/" + name)) {
            unknown.push_back({is_frame(name) ? "group" : "dataset", name});
        }
    }
    for (const std::string& name : names_without(attributes, layout_attributes)) {
        unknown.push_back({"attribute", name});
    }
    if (file.has_dataset("/trajectory") && !file.has_attribute("/trajectory", "unit") &&
        file.has_attribute("/trajectory", "units")) {
        log_warning("{}: attribute units of /trajectory is not known to the layout, and not read; did you mean unit?",
                    file.path());
    }
    log_unread_names(file.path(), unknown, names_without(names_without(layout_names, names), attributes));
}

}  // namespace recon
