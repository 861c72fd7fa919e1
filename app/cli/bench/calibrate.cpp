#include "app/cli/bench/calibrate.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "app/cli/shell/cost_file.hpp"
#include "app/studies/bench/calibration.hpp"
#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/devices/device_choice.hpp"
#include "data/files/atomic_output.hpp"
#include "data/files/json_writer.hpp"

namespace recon {
namespace {

std::string milliseconds(double seconds) { return fmt::format("{:.3g} ms", 1e3 * seconds); }

}  // namespace

void calibrate(const CalibrationArguments& arguments) {
    set_log_level(LogLevel::warning);
    if (arguments.device != "auto" && arguments.device != "cpu") {
        throw UsageError("bench --calibrate fits costs of the processor alone; those of GPUs are the program's own");
    }
    const std::string path = cost_file_path();
    if (path.empty()) {
        throw InputError("bench --calibrate: there is no folder for caches (neither HOME nor XDG_CACHE_HOME is set)");
    }
    std::error_code failed;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), failed);  // the probe says why
    for (const std::string& output : {path, arguments.json_path}) {
        if (!output.empty()) {
            const AtomicOutput probe(output);  // before minutes of measuring
        }
    }
    const auto cpu = make_backend("cpu", {.thread_count = arguments.thread_count});
    fmt::print("{}\n", cpu->description());
    const CpuCosts costs = fit_cpu_costs(time_parts(*cpu));
    write_cost_file(path, costs);
    set_cpu_costs(costs);  // as later runs choose
    constexpr const char* line = "{:<16}{:<54}{:>10}{:>11}{:>11}{:>9}{:>9}\n";
    fmt::print(line, "work", "scan", "measured", "fitted", "built-in", "f / m", "b / m");
    nlohmann::json rows = nlohmann::json::array();
    for (const TimedWork& work : time_scans(*cpu)) {
        const double fitted = work.predicted_s(costs), built_in = work.predicted_s(CpuCosts());
        fmt::print(line, work.work, work.size, milliseconds(work.seconds), milliseconds(fitted), milliseconds(built_in),
                   fmt::format("{:.2f}", fitted / work.seconds), fmt::format("{:.2f}", built_in / work.seconds));
        rows.push_back({{"work", work.work},
                        {"scan", work.size},
                        {"measured_s", work.seconds},
                        {"fitted_s", fitted},
                        {"built_in_s", built_in},
                        {"fitted_over_measured", fitted / work.seconds},
                        {"built_in_over_measured", built_in / work.seconds}});
    }
    if (!arguments.json_path.empty()) {
        write_json(arguments.json_path, {{"device", cpu->description()},
                                         {"columns",
                                          {"work", "scan", "measured_s", "fitted_s", "built_in_s",
                                           "fitted_over_measured", "built_in_over_measured"}},
                                         {"costs", record_of(costs)},
                                         {"built_in_costs", record_of(CpuCosts())},
                                         {"rows", rows}});
    }
    fmt::print("kept in {}: later runs predict by them, but with --no-cache\n", path);
}

}  // namespace recon
