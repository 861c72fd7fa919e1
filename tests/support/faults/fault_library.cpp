// Loaded before the C library (LD_PRELOAD): lets calls fail as a full disk, a broken one, refused memory and refused
// threads would.
//
//     RECON_FAULT=KIND:N         the N-th call of that kind fails, counted from 1
//     RECON_FAULT=KIND:N:from    and all after it
//     KIND                       write   bytes to files: ENOSPC      sync    fsync: EIO
//                                close   of files: EIO               rename  EIO
//                                memory  blocks of 100 kB and more, those of the HDF5 library excepted, which crashes
//                                        where it is refused one: ENOMEM
//                                helper  blocks of any size that threads beside the first ask for by `new`: ENOMEM
//                                threads no more than N at a time beside the first: EAGAIN
//                                process fork: EAGAIN
//                                hdf5    reading of datasets and attributes by the HDF5 library: it crashes
//                                circle  the same: it comes to no end
//     RECON_FAULT_LOG=FILE       exists once the fault has happened
//
//     RECON_SIGNAL=NUMBER:TEXT   as soon as the log says TEXT the process gets that signal, once; RECON_FAULT_LOG then
//     holds
//                                when, in nanoseconds of the steady clock
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace {

constexpr std::size_t large_block = 100'000;

std::atomic<int> calls = 0;
std::atomic<int> threads = 0;
bool is_read = false;
char chosen[16] = "";
int number = 0;
bool from_there_on = false;

bool is_chosen(const char* kind) {
    if (!is_read) {
        is_read = true;
        const char* const text = std::getenv("RECON_FAULT");
        char tail[8] = "";
        if (text != nullptr && std::sscanf(text, "%15[^:]:%d:%7s", chosen, &number, tail) < 2) {
            chosen[0] = '\0';
        }
        from_there_on = std::strcmp(tail, "from") == 0;
    }
    return std::strcmp(chosen, kind) == 0;
}

void say_that_it_happened(const char* text = "") {
    if (const char* const log = std::getenv("RECON_FAULT_LOG")) {
        const long file = ::syscall(SYS_openat, AT_FDCWD, log, O_CREAT | O_WRONLY, 0600);
        ::syscall(SYS_write, file, text, std::strlen(text));
        ::syscall(SYS_close, file);
    }
}

void signal_if_asked_for(const void* bytes, size_t count) {
    static std::atomic<bool> sent = false;
    const char* const asked = std::getenv("RECON_SIGNAL");
    const char* const colon = asked == nullptr ? nullptr : std::strchr(asked, ':');
    if (colon == nullptr || ::memmem(bytes, count, colon + 1, std::strlen(colon + 1)) == nullptr ||
        sent.exchange(true)) {
        return;
    }
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    char when[32];
    std::snprintf(when, sizeof(when), "%lld", static_cast<long long>(now.tv_sec) * 1'000'000'000 + now.tv_nsec);
    say_that_it_happened(when);
    ::kill(::getpid(), std::atoi(asked));
}

bool fails(const char* kind) {
    if (!is_chosen(kind)) {
        return false;
    }
    const int now = ++calls;
    const bool does = now == number || (now > number && from_there_on);
    if (does) {
        say_that_it_happened();
    }
    return does;
}

/// What is said on the terminal or to pipes is not meant.
bool is_written_file(int descriptor) {
    struct stat status {};
    return descriptor > 2 && ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
           (::fcntl(descriptor, F_GETFL) & O_ACCMODE) != O_RDONLY;
}

bool refuses_bytes(int descriptor) {
    if (!is_written_file(descriptor) || !fails("write")) {
        return false;
    }
    errno = ENOSPC;
    return true;
}

bool lies_in(const char* name, const void* address) {
    Dl_info library{};
    return ::dladdr(address, &library) != 0 && std::strstr(library.dli_fname, name) != nullptr;
}

/// @param caller  an address in who asks
bool refuses_memory(std::size_t bytes, const void* caller) {
    const bool refused = is_chosen("memory") ? bytes >= large_block && !lies_in("hdf5", caller) && fails("memory")
                                             : is_chosen("helper") && ::gettid() != ::getpid() &&
                                                   lies_in("libstdc++", caller) && fails("helper");
    if (refused) {
        errno = ENOMEM;
    }
    return refused;
}

template <class Function>
Function next(const char* name) {
    return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

void crash_or_hang() {
    if (fails("hdf5")) {
        std::signal(SIGSEGV, SIG_DFL);
        ::raise(SIGSEGV);
    }
    if (fails("circle")) {
        for (std::atomic<int> i = 0;; ++i) {
        }
    }
}

struct ThreadStart {
    void* (*function)(void*);
    void* argument;
};

void* run_counted(void* start) {
    const ThreadStart copy = *static_cast<ThreadStart*>(start);
    delete static_cast<ThreadStart*>(start);
    void* const result = copy.function(copy.argument);
    --threads;
    return result;
}

}  // namespace

extern "C" {

ssize_t write(int descriptor, const void* bytes, size_t count) {
    return refuses_bytes(descriptor) ? -1 : ::syscall(SYS_write, descriptor, bytes, count);
}
ssize_t pwrite(int descriptor, const void* bytes, size_t count, off_t offset) {
    return refuses_bytes(descriptor) ? -1 : ::syscall(SYS_pwrite64, descriptor, bytes, count, offset);
}
ssize_t pwrite64(int descriptor, const void* bytes, size_t count, off64_t offset) {
    return ::pwrite(descriptor, bytes, count, offset);
}
size_t fwrite(const void* bytes, size_t size, size_t count, FILE* file) {
    if (file == stderr) {
        signal_if_asked_for(bytes, size * count);
    }
    return refuses_bytes(::fileno(file)) ? 0 : next<decltype(&::fwrite)>("fwrite")(bytes, size, count, file);
}
int fsync(int descriptor) {
    if (fails("sync")) {
        errno = EIO;
        return -1;
    }
    return static_cast<int>(::syscall(SYS_fsync, descriptor));
}
int close(int descriptor) {
    const bool counts = is_written_file(descriptor);
    const int result = static_cast<int>(::syscall(SYS_close, descriptor));
    if (counts && fails("close")) {
        errno = EIO;
        return -1;
    }
    return result;
}
int fclose(FILE* file) {
    const bool counts = is_written_file(::fileno(file));
    const int result = next<decltype(&::fclose)>("fclose")(file);
    if (counts && fails("close")) {
        errno = EIO;
        return EOF;
    }
    return result;
}
int rename(const char* from, const char* to) noexcept {
    if (fails("rename")) {
        errno = EIO;
        return -1;
    }
    return static_cast<int>(::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

pid_t fork() noexcept {
    if (fails("process")) {
        errno = EAGAIN;
        return -1;
    }
    return next<decltype(&::fork)>("fork")();
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) noexcept {
    if (is_chosen("threads") && threads >= number) {
        say_that_it_happened();
        return EAGAIN;
    }
    ++threads;
    const int result = next<decltype(&::pthread_create)>("pthread_create")(thread, attributes, run_counted,
                                                                           new ThreadStart{start, argument});
    threads -= result == 0 ? 0 : 1;
    return result;
}

// Of HDF5: its identifiers are integers of 64 bits, its results of 32.
int H5Dread(int64_t dataset, int64_t type, int64_t memory, int64_t space, int64_t transfer, void* buffer) {
    crash_or_hang();
    return next<decltype(&H5Dread)>("H5Dread")(dataset, type, memory, space, transfer, buffer);
}
int H5Aread(int64_t attribute, int64_t type, void* buffer) {
    crash_or_hang();
    return next<decltype(&H5Aread)>("H5Aread")(attribute, type, buffer);
}

void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* block, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);

void* malloc(size_t bytes) noexcept {
    return refuses_memory(bytes, __builtin_return_address(0)) ? nullptr : __libc_malloc(bytes);
}
void* calloc(size_t count, size_t bytes) noexcept {
    return refuses_memory(count * bytes, __builtin_return_address(0)) ? nullptr : __libc_calloc(count, bytes);
}
void* realloc(void* block, size_t bytes) noexcept {
    return refuses_memory(bytes, __builtin_return_address(0)) ? nullptr : __libc_realloc(block, bytes);
}
void* aligned_alloc(size_t alignment, size_t bytes) noexcept {
    return refuses_memory(bytes, __builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, bytes);
}
int posix_memalign(void** block, size_t alignment, size_t bytes) noexcept {
    *block = refuses_memory(bytes, __builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, bytes);
    return *block != nullptr ? 0 : ENOMEM;
}

}  // extern "C"
