// What the command line and its file of options hold.
#include <CLI/CLI.hpp>
#include <sstream>

#include "app/cli/resume/checkpoint_command_line.hpp"
#include "app/cli/shell/number_range.hpp"
#include "app/cli/trust/trust_command_line.hpp"
#include "app/reconstruction/memory/memory_planning.hpp"
#include "app/reconstruction/options/regularisation_options.hpp"
#include "core/base/error.hpp"
#include "core/devices/device_choice.hpp"
#include "data/reading/stored/file_and_dataset.hpp"
#include "data/reading/stored/trajectory_unit.hpp"
#include "tests/fuzz/fuzz_target.hpp"

namespace recon::test {
namespace {

/// One option after the other, of which each may refuse.
void parse_all_options(const std::string& text) {
    const std::function<void()> parsers[] = {
        [&] { parse_seconds(text); },
        [&] { parse_memory_size(text); },
        [&] { parse_coil_list(text); },
        [&] { parse_devices(text); },
        [&] { parse_trajectory_unit(text); },
        [&] { parse_file_and_dataset(text); },
        [&] { parse_regularisation({text}, {text}); },
        [&] {
            std::string value = text;
            number_from(0, 1)(value);
            whole_number(1, 4096)(value);
        },
    };
    for (const auto& parse : parsers) {
        try {
            parse();
        } catch (const Error& error) {
            if (is_finding(error)) {
                throw;
            }
        }
    }
}

void parse_config(const std::string& text) {
    std::istringstream stream(text);
    try {
        CLI::ConfigTOML().from_config(stream);
    } catch (const CLI::Error&) {
    }
}

}  // namespace

std::vector<FuzzTarget> option_targets() {
    return {
        text_target("options", parse_all_options,
                    {"30s", "1.5h", "4GB", "512 MiB", "0,3,5-7", "cuda:0,2", "cycles/FOV", "scan.h5:/maps/b0",
                     "identity,tv", "0.01,auto", "1e-6"}),
        text_target("config", parse_config,
                    {"scan = \"a.h5\"\niterations = 20\nmatrix = [64, 64]\n[section]\nx=true\n"}),
    };
}

}  // namespace recon::test
