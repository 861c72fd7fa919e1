#include "app/reconstruction/priors/prior_kind.hpp"

namespace recon {

Registry<PriorKind>& prior_kinds() {
    static Registry<PriorKind> kinds("prior");
    return kinds;
}

std::string prior_list(bool quadratic) {
    std::string text;
    for (const PriorKind* kind : prior_kinds().all()) {
        if (kind->quadratic == quadratic) {
            text += (text.empty() ? "" : ", ") + std::string(kind->name) + " (" + std::string(kind->help) + ")";
        }
    }
    return text;
}

}  // namespace recon
