#pragma once

#include <string>

namespace recon {

/// A shared library that is opened when one of its functions is first asked for: a run that never calls it neither
/// loads it nor needs it to be there. Safe from any thread.
///
/// Looked for as the system does (LD_LIBRARY_PATH, ldconfig's cache), then where it was when recon was built.
class LazyLibrary {
public:
    /// @param name  for messages: "cuBLAS"  @param file  "libcublas.so.13"  @param folder  of the build's toolkit
    /// @param package  of PyPI that has it, for messages
    LazyLibrary(std::string name, std::string file, std::string folder, std::string package)
        : name_(std::move(name)), file_(std::move(file)), folder_(std::move(folder)), package_(std::move(package)) {}
    LazyLibrary(const LazyLibrary&) = delete;
    LazyLibrary& operator=(const LazyLibrary&) = delete;

    /// The library's function of that name, of the type of `declared`, which stands for it in this program.
    /// @throws BackendUnavailable, with the loader's reason, if there is no such library or it lacks the function
    template <class Function>
    Function* find(Function* /*declared*/, const char* function_name) {
        return reinterpret_cast<Function*>(address_of(function_name));
    }

private:
    void* address_of(const char* function_name) const;
    void* open() const;

    std::string name_;
    std::string file_;
    std::string folder_;
    std::string package_;
};

/// PyPI's package of a library of the CUDA toolkit: "nvidia-cufft", before CUDA 13 "nvidia-cufft-cu12".
inline std::string cuda_package(const std::string& library, int cuda_version) {
    const int major = cuda_version / 1000;
    return "nvidia-" + library + (major < 13 ? "-cu" + std::to_string(major) : "");
}

}  // namespace recon
