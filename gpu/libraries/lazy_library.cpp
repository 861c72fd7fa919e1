#include "gpu/libraries/lazy_library.hpp"

#include <dlfcn.h>

#include "core/base/error.hpp"

namespace recon {

/// Opened again for every function: the loader counts, and gives the same library.
void* LazyLibrary::open() const {
    constexpr int mode = RTLD_NOW | RTLD_LOCAL;
    if (void* library = dlopen(file_.c_str(), mode)) {
        return library;
    }
    const std::string reason = dlerror();
    if (void* library = dlopen((folder_ + "/" + file_).c_str(), mode)) {
        return library;
    }
    throw BackendUnavailable(
        name_ + " cannot be loaded: " + reason,
        "install " + file_ + " (PyPI: " + package_ + "), name its folder in LD_LIBRARY_PATH, or use `device` cpu");
}

void* LazyLibrary::address_of(const char* function_name) const {
    void* const address = dlsym(open(), function_name);
    if (address == nullptr) {
        throw BackendUnavailable(name_ + ": " + file_ + " has no function " + function_name,
                                 "install the version that recon was built with, or use `device` cpu");
    }
    return address;
}

}  // namespace recon
