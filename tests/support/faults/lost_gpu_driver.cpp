// Stands before NVIDIA's driver (its folder in LD_LIBRARY_PATH, as libcuda.so.1): all GPUs of the process are
// lost in the midst of its work, as one is that falls off the bus. x86-64.
//
//     RECON_DRIVER=FILE     the driver itself
//     RECON_LOST_GPU=N:E    the N-th launch or copy and every call after it give the error E of the driver's (CUresult)
//
// Programs ask `cuGetProcAddress` for all functions but a few. What they get is a piece of code that jumps to the
// driver's function as long as the GPU is there, and returns E afterwards; those that are counted count first.
#include <dlfcn.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <mutex>
#include <unordered_map>

using Result = int;  // CUresult

extern "C" Result cuGetProcAddress_v2(const char* name, void** function, int version, std::uint64_t flags, int* status);

namespace {

volatile std::int32_t calls_left = 0;
volatile std::int32_t is_lost = 0;
std::int32_t error_once_lost = 0;

void* driver() {
    static void* const opened = [] {
        int calls = 0;
        void* library = nullptr;
        const char* const asked = std::getenv("RECON_LOST_GPU");
        const char* const file = std::getenv("RECON_DRIVER");
        if (asked != nullptr && file != nullptr && std::sscanf(asked, "%d:%d", &calls, &error_once_lost) == 2) {
            library = ::dlopen(file, RTLD_NOW);
        }
        if (library == nullptr) {
            std::fprintf(stderr, "lost GPU: RECON_LOST_GPU=N:E and RECON_DRIVER=FILE, a driver, are needed\n");
            std::abort();
        }
        calls_left = calls;
        return library;
    }();
    return opened;
}

bool starts_with(const char* text, const char* start) { return std::strncmp(text, start, std::strlen(start)) == 0; }

/// Machine code, written once and run by all threads.
class Code {
public:
    Code()
        : at_(static_cast<unsigned char*>(
              ::mmap(nullptr, size, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
        if (at_ == MAP_FAILED) {
            std::abort();
        }
    }
    void* before(const void* function, bool is_counted) {
        unsigned char* const start = at_;
        if (is_counted) {
            load_r11(const_cast<const std::int32_t*>(&calls_left));
            bytes({0xF0, 0x41, 0xFF, 0x0B});  // lock dec dword [r11]
            bytes({0x75, 17});                // jnz over the next two
            load_r11(const_cast<const std::int32_t*>(&is_lost));
            bytes({0x41, 0xC7, 0x03, 1, 0, 0, 0});  // mov dword [r11], 1
        }
        load_r11(const_cast<const std::int32_t*>(&is_lost));
        bytes({0x41, 0x83, 0x3B, 0});  // cmp dword [r11], 0
        bytes({0x75, 13});             // jne over the next two
        load_r11(function);
        bytes({0x41, 0xFF, 0xE3});  // jmp r11
        bytes({0xB8});              // mov eax, error
        std::memcpy(at_, &error_once_lost, sizeof(error_once_lost));
        at_ += sizeof(error_once_lost);
        bytes({0xC3});  // ret
        return start;
    }

private:
    static constexpr std::size_t size = 1 << 20;

    void bytes(std::initializer_list<int> values) {
        for (const int value : values) {
            *at_++ = static_cast<unsigned char>(value);
        }
    }
    void load_r11(const void* address) {
        bytes({0x49, 0xBB});
        std::memcpy(at_, &address, sizeof(address));
        at_ += sizeof(address);
    }

    unsigned char* at_;
};

void* instead_of(const char* name, void* function) {
    static std::mutex mutex;
    static Code code;
    static std::unordered_map<void*, void*> made;
    const std::lock_guard lock(mutex);
    void*& result = made[function];
    if (result == nullptr) {
        const bool is_counted =
            starts_with(name, "cuLaunch") || starts_with(name, "cuGraphLaunch") || starts_with(name, "cuMemcpy");
        result = code.before(function, is_counted);
    }
    return result;
}

template <class Function>
Function of_driver(const char* name) {
    return reinterpret_cast<Function>(::dlsym(driver(), name));
}

/// Where the driver has found it.
void replace(const char* name, void** function, Result error) {
    if (error != 0 || function == nullptr || *function == nullptr) {
        return;
    }
    if (std::strcmp(name, "cuGetProcAddress") == 0) {  // of either kind: the second has one argument more
        *function = reinterpret_cast<void*>(&cuGetProcAddress_v2);
    } else if (!starts_with(name, "cuGetError")) {
        *function = instead_of(name, *function);
    }
}

}  // namespace

extern "C" {

Result cuGetProcAddress_v2(const char* name, void** function, int version, std::uint64_t flags, int* status) {
    const Result error =
        of_driver<decltype(&cuGetProcAddress_v2)>("cuGetProcAddress_v2")(name, function, version, flags, status);
    replace(name, function, error);
    return error;
}
Result cuGetProcAddress(const char* name, void** function, int version, std::uint64_t flags) {
    const Result error = of_driver<decltype(&cuGetProcAddress)>("cuGetProcAddress")(name, function, version, flags);
    replace(name, function, error);
    return error;
}
Result cuInit(unsigned flags) { return of_driver<decltype(&cuInit)>("cuInit")(flags); }
Result cuDriverGetVersion(int* version) {
    return of_driver<decltype(&cuDriverGetVersion)>("cuDriverGetVersion")(version);
}
Result cuGetExportTable(const void** table, const void* id) {
    return of_driver<decltype(&cuGetExportTable)>("cuGetExportTable")(table, id);
}
Result cuGetErrorName(Result error, const char** text) {
    return of_driver<decltype(&cuGetErrorName)>("cuGetErrorName")(error, text);
}
Result cuGetErrorString(Result error, const char** text) {
    return of_driver<decltype(&cuGetErrorString)>("cuGetErrorString")(error, text);
}

}  // extern "C"
