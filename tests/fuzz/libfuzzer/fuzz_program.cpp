// The program that ./bootstrap fuzz starts, once for each target:
//
//     RECON_FUZZ_SEEDS=FOLDER recon_fuzz       writes the seeds of each target to FOLDER/TARGET/ and ends
//     RECON_FUZZ_TARGET=npy recon_fuzz FOLDER  libFuzzer, with its own options
#include <pthread.h>
#include <sys/time.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
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

/// The HDF5 library runs in circles on one damaged file in a hundred, until a rehearsal's time is over: 10 s.
void hurry_other_processes() {
    pthread_atfork(nullptr, nullptr, [] {
        constexpr itimerval soon{{0, 0}, {0, 300'000}};
        setitimer(ITIMER_PROF, &soon, nullptr);
    });
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    try {
        if (const char* const folder = std::getenv("RECON_FUZZ_SEEDS")) {
            write_seeds(folder);
            std::exit(0);
        }
        hurry_other_processes();
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
