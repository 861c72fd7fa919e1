#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "core/backend/backend.hpp"
#include "core/backend/device_ceilings.hpp"
#include "core/base/error.hpp"

namespace recon::ladder {

/// The steps of these ids in the order of the story; all of them if none is named.
/// @param where  for messages: "in the story of the heart"; may be empty. @throws UsageError for a step that does not
/// exist
template <class Step>
std::vector<Step> chosen_steps(std::vector<Step> all, const std::vector<std::string>& ids,
                               const std::string& where = {}) {
    for (const std::string& id : ids) {
        if (std::ranges::none_of(all, [&](const Step& step) { return step.id == id; })) {
            throw UsageError(fmt::format("`steps`: there is no step {}{}{}; recon ladder `list` names them", id,
                                         where.empty() ? "" : " ", where));
        }
    }
    if (!ids.empty()) {
        std::erase_if(all, [&](const Step& step) { return std::ranges::find(ids, step.id) == ids.end(); });
    }
    return all;
}

/// The GPUs that a story may use, and what their units do at most.
struct FoundGpus {
    std::vector<std::unique_ptr<Backend>> backends;  ///< may be empty
    std::string none;                                ///< why there is none, for a table
    DeviceCeilings ceilings;                         ///< of the first
};

/// @param device  "cpu": no GPU is looked for; else all there are, `most` at most
FoundGpus find_gpus(const std::string& device, int most);

}  // namespace recon::ladder
