#include "app/cli/shell/cost_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "app/cli/shell/cache_folder.hpp"
#include "app/report/run_origin.hpp"
#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/processor/cpu_level.hpp"
#include "data/files/json_writer.hpp"

namespace recon {
namespace {

namespace fs = std::filesystem;

std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (const std::size_t colon = line.find(": "); line.starts_with("model name") && colon != std::string::npos) {
            return line.substr(colon + 2);
        }
    }
    return "unknown";
}

/// On whatever differs from this, the costs may be other ones.
RunRecord identity_of_machine() {
    const RunRecord program = program_record();
    return {{"host", program["host"]},
            {"processor", processor_name()},
            {"processor level", name_of(cpu_level())},
            {"version of recon", program["version"]}};
}

/// @throws InputError saying what is wrong with it
CpuCosts read_checked(const std::string& path) {
    constexpr std::uintmax_t most_bytes = 1 << 16;
    if (!fs::is_regular_file(path) || fs::file_size(path) > most_bytes) {
        throw InputError("it is no file of this program's");
    }
    std::ifstream file(path);
    const RunRecord record = RunRecord::parse(file, nullptr, false);
    if (!record.is_object() || !record.contains("machine") || !record["machine"].is_object()) {
        throw InputError("it is damaged");
    }
    const RunRecord machine = identity_of_machine();
    for (const auto& [what, here] : machine.items()) {
        const RunRecord there = record["machine"].value(what, RunRecord());
        if (there != here) {
            throw InputError(fmt::format("its {} is {}, here it is {}", what, there.dump(), here.dump()));
        }
    }
    return costs_of(record.value("costs", RunRecord()));
}

}  // namespace

std::string cost_file_path() {
    const std::string folder = user_cache_folder();
    return folder.empty() ? "" : fmt::format("{}/costs-{}.json", folder, program_record()["host"].get<std::string>());
}

void write_cost_file(const std::string& path, const CpuCosts& costs) {
    std::error_code failed;
    fs::create_directories(fs::path(path).parent_path(), failed);  // writing says why
    write_json(path, {{"machine", identity_of_machine()}, {"costs", record_of(costs)}});
}

std::optional<CpuCosts> read_cost_file(const std::string& path) {
    std::error_code failed;
    if (path.empty() || !fs::exists(path, failed)) {
        return std::nullopt;
    }
    try {
        const CpuCosts costs = read_checked(path);
        log_info("costs: times are predicted by those fitted to this machine ({})", path);
        return costs;
    } catch (const std::exception& problem) {
        log_warning("{}: these fitted costs are ignored ({}); `recon bench --calibrate` makes them anew", path,
                    problem.what());
        return std::nullopt;
    }
}

RunRecord record_of(const CpuCosts& costs) {
    RunRecord record = RunRecord::object();
    for (const NamedCpuCost& cost : named_cpu_costs) {
        record[cost.name] = costs.*cost.value;
    }
    return record;
}

CpuCosts costs_of(const RunRecord& record) {
    constexpr double most_times = 1000;  // no machine is so much slower, or faster
    CpuCosts costs;
    for (const NamedCpuCost& cost : named_cpu_costs) {
        const RunRecord value = record.is_object() ? record.value(cost.name, RunRecord()) : RunRecord();
        const double built_in = costs.*cost.value;
        if (!value.is_number() || !(value.get<double>() > built_in / most_times) ||
            !(value.get<double>() < built_in * most_times)) {
            throw InputError(fmt::format("it is damaged: {} is {}", cost.name, value.dump()));
        }
        costs.*cost.value = value.get<double>();
    }
    return costs;
}

}  // namespace recon
