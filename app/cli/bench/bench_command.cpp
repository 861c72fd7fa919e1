#include "app/cli/bench/bench_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>

#include "app/cli/bench/calibrate.hpp"
#include "app/cli/shell/launch.hpp"
#include "app/cli/shell/named_choice.hpp"
#include "app/cli/shell/number_range.hpp"
#include "app/cli/shell/option_names.hpp"
#include "app/cli/shell/study_outputs.hpp"
#include "app/studies/bench/bench.hpp"
#include "app/studies/bench/bench_comparison.hpp"
#include "app/studies/bench/ranks_bench.hpp"
#include "core/backend/cpu/cpu_ceilings.hpp"
#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/devices/device_choice.hpp"
#include "data/files/json_writer.hpp"
#include "gpu/backend/gpu_ceilings.hpp"

namespace recon {
namespace {

struct CommandLine {
    std::string device = "auto";
    int thread_count = 0;
    Index size = 0;
    std::vector<std::string> parts;
    std::string json_path;
    std::string compare_path;
    bool ranks = false;
    bool calibrate = false;
};

struct Part {
    const char* name;
    std::vector<BenchRow> (*run)(const BenchSetting&);
};
constexpr Part parts[] = {{"exact", bench_exact_sums},
                          {"toeplitz", bench_toeplitz},
                          {"nufft", bench_nufft},
                          {"reconstruction", bench_reconstruction},
                          {"start", nullptr}};

std::string duration(double seconds) {
    return seconds >= 1 ? fmt::format("{:.2f} s", seconds) : fmt::format("{:.3g} ms", 1e3 * seconds);
}

void print(const BenchRow& row) {
    std::string line = fmt::format("{:<36}{:<50}{:>10}", row.work, row.size, duration(row.seconds));
    line += row.rate > 0 ? fmt::format("  {:.3g} {}", row.rate, row.rate_unit) : "";
    line += row.bound_seconds > 0
                ? fmt::format("; {:.0f} % of the bound ({})", 100 * row.bound_seconds / row.seconds, row.bound)
                : "";
    line += row.error > 0 ? fmt::format("; error {:.2g} ({})", row.error, row.error_of) : "";
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
}

/// In the order in which people read them.
constexpr const char* columns[] = {"work",      "size",          "seconds", "noise", "rate",
                                   "rate_unit", "part_of_bound", "bound",   "error", "error_of"};

nlohmann::json json_of(const BenchRow& row) {
    return {{"work", row.work},
            {"size", row.size},
            {"seconds", row.seconds},
            {"noise", row.noise},
            {"rate", row.rate},
            {"rate_unit", row.rate_unit},
            {"part_of_bound", row.bound_seconds > 0 ? row.bound_seconds / row.seconds : 0},
            {"bound", row.bound},
            {"error", row.error},
            {"error_of", row.error_of}};
}

DeviceCeilings ceilings_of(Backend& backend) {
    return backend.name() == "cpu" ? measure_cpu_ceilings() : measure_gpu_ceilings(backend);
}

/// @return how many lines became slower
std::size_t print_slower(const BenchTable& before, const std::vector<BenchChange>& changes) {
    const std::vector<BenchChange> slower = slower_lines(changes);
    std::printf("compared with %zu lines of %s: %zu slower, beyond the noise and a tenth\n", changes.size(),
                before.device.c_str(), slower.size());
    for (const BenchChange& change : slower) {
        std::printf("%s\n", fmt::format("slower: {:<36}{:<50}{:>10}, was {}: {:+.0f} %", change.work, change.size,
                                        duration(change.now_s), duration(change.before_s),
                                        100 * (change.now_s / change.before_s - 1))
                                .c_str());
    }
    return slower.size();
}

bool asked_for(const CommandLine& line, const std::string& part) {
    return line.parts.empty() || std::find(line.parts.begin(), line.parts.end(), part) != line.parts.end();
}

/// Of those that a device has.
std::string ceilings_text(const DeviceCeilings& ceilings) {
    std::string text;
    const auto add = [&](const char* name, double per_second, const char* unit) {
        if (per_second > 0) {
            text += fmt::format("{}{} {:.3g} {}", text.empty() ? "" : ", ", name, 1e-12 * per_second, unit);
        }
    };
    add("copy", ceilings.copy_bytes_per_s, "TB/s");
    add("shared memory", ceilings.shared_bytes_per_s, "TB/s");
    add("fp32", ceilings.fp32_flops, "TFLOP/s");
    add("sines", ceilings.special_functions_per_s, "T/s");
    add("half-precision products", ceilings.tensor_flops, "TFLOP/s");
    return text;
}

void run(const CommandLine& line) {
    set_log_level(LogLevel::warning);
    probe_outputs({{"--json", line.json_path}}, {{"--compare", line.compare_path}});
    std::optional<BenchTable> before;
    if (!line.compare_path.empty()) {
        before = BenchTable::read(line.compare_path);
    }
    const auto backend = make_backend(line.device, {.thread_count = line.thread_count});
    const BenchSetting setting{*backend, ceilings_of(*backend),
                               line.size > 0              ? line.size
                               : backend->name() == "cpu" ? 32
                                                          : 128};
    const DeviceCeilings& ceilings = setting.ceilings;
    std::printf("%s\n", backend->description().c_str());
    std::printf("ceilings measured: %s\n", ceilings_text(ceilings).c_str());
    nlohmann::json rows = nlohmann::json::array();
    std::vector<BenchRow> all;
    for (const Part& part : parts) {
        if (!asked_for(line, part.name)) {
            continue;
        }
        for (const BenchRow& row : part.run ? part.run(setting) : std::vector{bench_cold_start(backend->name())}) {
            print(row);
            rows.push_back(json_of(row));
            all.push_back(row);
        }
    }
    const std::vector<BenchChange> changes = before ? bench_changes(*before, all) : std::vector<BenchChange>();
    const std::size_t slower = before ? print_slower(*before, changes) : 0;
    if (!line.json_path.empty()) {
        write_json(line.json_path, {{"program", "recon " RECON_VERSION},
                                    {"device", backend->description()},
                                    {"copy_bytes_per_s", ceilings.copy_bytes_per_s},
                                    {"shared_memory_bytes_per_s", ceilings.shared_bytes_per_s},
                                    {"fp32_flops", ceilings.fp32_flops},
                                    {"special_functions_per_s", ceilings.special_functions_per_s},
                                    {"tensor_flops", ceilings.tensor_flops},
                                    {"columns", columns},
                                    {"rows", rows}});
    }
    if (before && changes.empty()) {
        throw CheckFailed(
            fmt::format("bench --compare {}: no line has the work and size of one measured now; compare tables of one "
                        "--size and --only",
                        line.compare_path));
    }
    if (slower > 0) {
        throw CheckFailed(
            fmt::format("bench: {} of {} lines became slower than in {}", slower, all.size(), line.compare_path));
    }
}

/// What messages take between the processes that a launcher has started.
void run_ranks_bench(const CommandLine& line, ProcessGroup& group) {
    set_log_level(LogLevel::warning);
    const int threads = line.thread_count > 0 ? line.thread_count : threads_of_rank(group);
    const Team team = join_team(group, {.rank_count = group.size()}, line.device, {.thread_count = threads});
    const std::vector<BenchRow> rows = bench_ranks(team);
    if (group.rank() != 0) {
        return;
    }
    std::printf("%s, %d ranks, %d of them on %s\n", team.first().description().c_str(), group.size(),
                group.place().ranks_on_host, group.place().host.c_str());
    nlohmann::json table = nlohmann::json::array();
    for (const BenchRow& row : rows) {
        print(row);
        table.push_back(json_of(row));
    }
    if (!line.json_path.empty()) {
        write_json(line.json_path, {{"program", "recon " RECON_VERSION},
                                    {"device", team.first().description()},
                                    {"ranks", group.size()},
                                    {"ranks_on_host", group.place().ranks_on_host},
                                    {"columns", columns},
                                    {"rows", table}});
    }
}

}  // namespace

void add_bench_command(CLI::App& app) {
    const auto line = std::make_shared<CommandLine>();
    CLI::App* bench =
        app.add_subcommand("bench", "Speed of every part on this machine, beside its bound and its error");
    bench->add_option("--device", line->device, "auto, cpu or cuda:N")->capture_default_str();
    bench->add_option("--threads", line->thread_count, "CPU threads (default: all cores)")->check(threads());
    const auto size =
        bench
            ->add_option("--size", line->size,
                         "Voxels along an axis of the middle-sized problem (default: 128 on a GPU, 32 on the CPU); the "
                         "others have half and twice as many")
            ->check(whole_number(8, 512));
    const auto only =
        bench->add_option("--only", line->parts, "Parts to measure: exact, toeplitz, nufft, reconstruction, start")
            ->delimiter(',')
            ->transform(one_of({"exact", "toeplitz", "nufft", "reconstruction", "start"}));
    bench->add_option("--json", line->json_path, "The table as JSON");
    const auto compare = bench->add_option(
        "--compare", line->compare_path,
        "A table of before (--json): say at the end what became slower by more than the noise and a tenth, and end "
        "with exit code 5 if anything did");
    const auto ranks = bench->add_flag(
        "--ranks", line->ranks, "Messages between the ranks that mpirun or srun has started, instead (docs/mpi.md)");
    const auto calibrate_costs = bench->add_flag(
        "--calibrate", line->calibrate,
        "Fit the costs by which times are predicted to this processor, instead, and keep them for later "
        "runs (docs/predicted-times.md)");
    for (CLI::Option* const of_table : {size, only, compare}) {
        ranks->excludes(of_table);
        calibrate_costs->excludes(of_table);
    }
    calibrate_costs->excludes(ranks);
    bench->callback([line, &app] {
        if (line->calibrate) {
            return calibrate({line->device, line->thread_count, line->json_path});
        }
        if (!line->ranks) {
            return run(*line);
        }
        if (!is_one_of_several()) {
            throw UsageError("bench --ranks measures messages between ranks: mpirun -n 2 recon bench --ranks");
        }
        run_with_others(option_names(app), [&](ProcessGroup* group) { run_ranks_bench(*line, *group); });
    });
}

}  // namespace recon
