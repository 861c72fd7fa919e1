#include "data/formats/recon_h5/axis_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/error.hpp"

namespace recon {

NamedAxes::NamedAxes(const H5File& file, const std::string& dataset, const std::vector<std::string>& allowed,
                     const std::vector<std::vector<std::string>>& by_rank) {
    const H5Info info = file.dataset_info(dataset);
    file.require_plausible_size(dataset);
    if (info.element_count() == 0) {
        throw InputError(fmt::format("{}: dataset {} is empty: {}", file.path(), dataset, info.text()));
    }
    extents_ = info.extents;
    const auto fail = [&](const std::string& found) {
        throw InputError(fmt::format("{}: dataset {} is {} {}, expected axes out of [{}], in this order", file.path(),
                                     dataset, info.text(), found, fmt::join(allowed, ", ")));
    };
    if (file.has_attribute(dataset, "axes")) {
        names_ = file.read_attribute<std::string>(dataset, "axes");
    } else if (info.extents.size() - 1 < by_rank.size()) {
        names_ = by_rank[info.extents.size() - 1];
    }
    const std::string found = fmt::format("with axes [{}]", fmt::join(names_, ", "));
    if (names_.size() != extents_.size() || names_.empty()) {
        fail(found);
    }
    auto expected = allowed.begin();
    for (const std::string& name : names_) {
        expected = std::find(expected, allowed.end(), name);
        if (expected == allowed.end()) {
            fail(found);
        }
        ++expected;
    }
}

bool NamedAxes::has(const std::string& name) const {
    return std::find(names_.begin(), names_.end(), name) != names_.end();
}

Index NamedAxes::extent(const std::string& name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    return found == names_.end() ? 1 : extents_[static_cast<std::size_t>(found - names_.begin())];
}

}  // namespace recon
