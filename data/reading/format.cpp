#include "data/reading/format.hpp"

namespace recon {

Registry<Format>& formats() {
    static Registry<Format> registry("format");
    return registry;
}

std::string titles_of(const std::vector<const Format*>& formats) {
    std::string titles;
    for (std::size_t i = 0; i < formats.size(); ++i) {
        titles += (i == 0 ? "" : i + 1 == formats.size() ? " or " : ", ") + std::string(formats[i]->title);
    }
    return titles;
}

}  // namespace recon
