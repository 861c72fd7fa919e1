#include "data/simulation/phantoms/phantom.hpp"

namespace recon {

Registry<PhantomKind>& phantom_kinds() {
    static Registry<PhantomKind> registry("phantom");
    return registry;
}

}  // namespace recon
