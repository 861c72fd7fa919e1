#include "core/operators/sampling/sampling_kind.hpp"

namespace recon {

Registry<SamplingKind>& sampling_kinds() {
    static Registry<SamplingKind> registry("way to sum");
    return registry;
}

SumsMethod SumsMethod::named(std::string_view name) {
    return name == automatic.name() ? automatic : SumsMethod(sampling_kinds().get(name).name);
}

}  // namespace recon
