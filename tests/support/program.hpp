#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "tests/support/paths.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon::test {

struct ProgramRun {
    int exit_code;
    std::string output;  ///< stdout and stderr
};

/// Runs the program `recon` that was built with the tests, away from the cache of the user who runs them.
/// @param environment  more of it: "NAME=VALUE"
inline ProgramRun run_recon(const std::string& arguments, const std::string& environment = "") {
    static const TemporaryFolder cache;
    const std::string command =
        "XDG_CACHE_HOME=" + cache.path() + " " + environment + " " + program_path() + " " + arguments + " 2>&1";
    std::FILE* pipe = popen(command.c_str(), "r");
    if (!pipe) {
        throw std::runtime_error("cannot start " + command);
    }
    ProgramRun run;
    std::array<char, 4096> buffer{};
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
        run.output.append(buffer.data(), count);
    }
    const int status = pclose(pipe);
    run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return run;
}

inline nlohmann::json read_json(const std::string& path) {
    std::ifstream file(path);
    return nlohmann::json::parse(file);
}

}  // namespace recon::test
