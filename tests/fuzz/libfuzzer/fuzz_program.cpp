// The program that ./bootstrap fuzz starts, once for each target:
//
//     RECON_FUZZ_SEEDS=FOLDER recon_fuzz       writes the seeds of each target to FOLDER/TARGET/ and ends
//     RECON_FUZZ_TARGET=npy recon_fuzz FOLDER  libFuzzer, with its own options
#include <dlfcn.h>
#include <execinfo.h>
#include <hdf5.h>
#include <pthread.h>
#include <sanitizer/asan_interface.h>
#include <sys/time.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>

#include "tests/fuzz/fuzz_target.hpp"

namespace {

const recon::test::FuzzTarget* chosen = nullptr;

void write_seeds(const std::filesystem::path& folder) {
    for (const recon::test::FuzzTarget& target : recon::test::fuzz_targets()) {
        std::filesystem::create_directories(folder / target.name);
        int number = 0;
        for (const std::string& seed : target.seeds()) {
            std::ofstream(folder / target.name / ("seed" + std::to_string(number++)), std::ios::binary) << seed;
        }
    }
}

bool behaviour_is_undefined = false;

/// Whether the HDF5 library has called what the sanitizers put in place of functions of the C library: only these are
/// visible by their names in the program.
bool is_called_by_the_library() {
    std::array<void*, 32> calls{};
    const int count = backtrace(calls.data(), static_cast<int>(calls.size()));
    bool is_of_sanitizers = false;
    for (int i = 0; i < count; ++i) {
        Dl_info place{};
        dladdr(calls[static_cast<std::size_t>(i)], &place);
        if (place.dli_fname != nullptr && std::strstr(place.dli_fname, "libhdf5") != nullptr) {
            return is_of_sanitizers;
        }
        is_of_sanitizers = place.dli_sname != nullptr;
    }
    return false;
}

/// What the library does wrong with memory is a crash of its own, not a finding; and the sanitizers give up, without
/// one, where it copies 2^40 bytes.
void end_as_the_library() {
    if (!behaviour_is_undefined && (!__asan_report_present() || is_called_by_the_library())) {
        std::signal(SIGABRT, SIG_DFL);
        std::abort();
    }
}

/// The library runs in circles on one damaged file in a hundred, until the reading process's time is over: 10 s.
void prepare_other_processes() {
    pthread_atfork(nullptr, nullptr, [] {
        __sanitizer_set_death_callback(end_as_the_library);
        constexpr itimerval soon{{0, 0}, {0, 100'000}};
        setitimer(ITIMER_PROF, &soon, nullptr);
    });
}

}  // namespace

/// Of the sanitizer of undefined behaviour, at each finding.
extern "C" void __ubsan_on_report() { behaviour_is_undefined = true; }

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    try {
        if (const char* const folder = std::getenv("RECON_FUZZ_SEEDS")) {
            write_seeds(folder);
            std::exit(0);
        }
        prepare_other_processes();
        recon::test::read_in_one_role_each();
        H5set_free_list_limits(-1, -1, -1, -1, -1, -1);  // it would give back, and ask for, a megabyte at every opening
        const char* const name = std::getenv("RECON_FUZZ_TARGET");
        chosen = &recon::test::fuzz_target(name == nullptr ? "" : name);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s (RECON_FUZZ_TARGET names it)\n", error.what());
        std::exit(2);
    }
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    recon::test::require_survival(*chosen, std::as_bytes(std::span(data, size)));
    return 0;
}
