#include "app/cli/resume/checkpoint_command_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>
#include <string_view>

#include "app/cli/shell/cost_file.hpp"
#include "core/base/error.hpp"
#include "data/files/digest/file_digest.hpp"

namespace recon {
namespace {

namespace fs = std::filesystem;

/// Options that do not change the image, beside those that name files.
const std::set<std::string> without_effect{"checkpoint", "every",  "resume",       "keep-partial", "quiet",
                                           "verbose",    "cache",  "no-cache",     "cache-size",   "threads",
                                           "strict",     "device", "memory-limit", "divide"};

std::string digest_of_input(const std::string& name) {
    ContentHash hash;
    std::error_code ignored;
    if (fs::is_directory(name, ignored)) {
        std::vector<fs::path> files;
        for (const fs::directory_entry& entry : fs::directory_iterator(name)) {
            if (entry.is_regular_file()) {
                files.push_back(entry.path());
            }
        }
        std::sort(files.begin(), files.end());
        for (const fs::path& file : files) {
            hash.add(file.filename().string());
            hash.add(digest_of_file(file.string()).value());
        }
    } else {
        const std::size_t colon = name.rfind(':');  // FILE:/dataset
        const bool has_dataset = colon != std::string::npos && !fs::exists(name, ignored);
        hash.add(has_dataset ? name.substr(colon) : std::string());
        hash.add(digest_of_file(has_dataset ? name.substr(0, colon) : name).value());
    }
    return text_of(hash.digest()).substr(0, 16);
}

constexpr std::string_view of_rank = ".rank";

/// The checkpoints of any ranks but 0 that there are beside that of rank 0.
std::vector<std::string> checkpoints_of_ranks(const std::string& path) {
    const std::string name_of_first = fs::path(path).filename().string();
    const std::string begin = name_of_first + std::string(of_rank);
    std::vector<std::string> found;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(fs::absolute(path).parent_path(), ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(begin) && name.size() > begin.size() &&
            name.find_first_not_of("0123456789", begin.size()) == std::string::npos) {
            found.push_back(path + name.substr(name_of_first.size()));
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace

void add_checkpoint_options(CLI::App& app, CheckpointCommandLine& line) {
    const std::string group = "Long runs";
    const auto file = app.add_option("--checkpoint", line.path,
                                     "File to keep in which the run has got to, also when Ctrl-C or SIGTERM ends it "
                                     "(docs/resume.md); removed at the end")
                          ->group(group);
    app.add_option("--every", line.every, "Time from one checkpoint to the next, such as 30s, 5m or 1h")
        ->capture_default_str()
        ->needs(file)
        ->group(group);
    app.add_flag("--resume", line.resume,
                 "Take up the run in --checkpoint, if there is one: the image has the bytes of a run that was never "
                 "interrupted")
        ->needs(file)
        ->group(group);
}

double parse_seconds(const std::string& text) {
    constexpr double year = 366 * 24 * 3600.0;
    double value = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    const double factor = unit.empty() || unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : -1;
    if (error != std::errc() || factor < 0 || !(value >= 0 && value * factor <= year)) {
        throw UsageError(fmt::format("`every` {}: expected a time from 0 up, such as 30s, 5m or 1h", text));
    }
    return value * factor;
}

RunRecord run_identity(const RunRecord& options, const std::vector<NamedFile>& inputs,
                       const std::vector<NamedFile>& outputs, const Team& team) {
    std::set<std::string> left_out = without_effect;
    RunRecord contents = RunRecord::object();
    for (const NamedFile& input : inputs) {
        if (!input.path.empty()) {
            left_out.insert(input.role.substr(2));
            contents[fmt::format("what is in {}", input.role)] = digest_of_input(input.path);
        }
    }
    for (const NamedFile& output : outputs) {
        left_out.insert(output.role.substr(2));
    }
    RunRecord identity;
    identity["recon"] = {{"the version of recon", RECON_VERSION}};
    identity["devices"] = RunRecord::object();
    const std::string name = team.first().name();
    identity["devices"]["the kind of device"] = name.substr(0, name.find(':'));
    identity["ranks"] = (team.processes == nullptr ? RankGroups{team.rank_count()} : team.groups).text();
    if (identity["devices"]["the kind of device"] == "cpu") {  // on others nothing is chosen by them
        identity["costs"] = {{"what times are predicted by",
                              cpu_costs() == CpuCosts() ? "the program's own costs" : record_of(cpu_costs()).dump()}};
    }
    for (const auto& [option, value] : options.items()) {
        if (!left_out.contains(option)) {
            identity["options"]["--" + option] = value;
        }
    }
    identity["files"] = contents;
    return identity;
}

std::shared_ptr<Checkpoint> open_checkpoint(const CheckpointCommandLine& line, const RunRecord& identity, int rank) {
    std::vector<std::string> others;
    if (line.resume) {
        others = checkpoints_of_ranks(line.path);
        others.push_back(line.path);
    }
    const std::string own = rank == 0 ? line.path : fmt::format("{}{}{}", line.path, of_rank, rank);
    std::erase_if(others, [&](const std::string& other) { return other == own || !fs::exists(other); });
    return std::make_shared<Checkpoint>(own, identity, parse_seconds(line.every),
                                        line.resume ? Checkpoint::Mode::resume : Checkpoint::Mode::fresh, others);
}

}  // namespace recon
