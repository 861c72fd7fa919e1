#include "core/devices/backend_kind.hpp"

namespace recon {

Registry<BackendKind>& backend_kinds() {
    static Registry<BackendKind> registry("device");
    return registry;
}

}  // namespace recon
