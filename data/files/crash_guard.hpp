#pragma once

#include <csignal>
#include <string>

namespace recon {

/// While it lives, a crash ends the program with one clear line and the exit code of a bad input.
///
/// The HDF5 library follows damaged references inside a file without checking them (seen in 1.10.8: variable-length
/// texts, type descriptions), so a file with a few wrong bytes can make it read or free memory that is not its own.
/// Nothing can be salvaged then, but the user learns which file is to blame. For one thread at a time.
class CrashGuard {
public:
    static constexpr int exit_code = 3;  ///< as the program has it for a bad file (app/cli/shell/exit_code.hpp)

    explicit CrashGuard(const std::string& path);
    ~CrashGuard();
    CrashGuard(const CrashGuard&) = delete;
    CrashGuard& operator=(const CrashGuard&) = delete;

private:
    static constexpr int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
    struct sigaction before_[4]{};
    std::string message_before_;
};

}  // namespace recon
