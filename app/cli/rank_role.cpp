#include "app/cli/rank_role.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/shell/cost_file.hpp"
#include "app/cli/shell/launch.hpp"
#include "app/pipeline/run.hpp"
#include "app/reconstruction/frames/frame_division.hpp"
#include "app/reconstruction/memory/memory_planning.hpp"
#include "core/base/available_memory.hpp"
#include "core/base/log.hpp"
#include "core/base/number_text.hpp"
#include "core/devices/device_choice.hpp"
#include "core/mri/coil_parts.hpp"
#include "core/processes/process_communicator.hpp"

namespace recon {
namespace {

/// The first option that two processes were given differently, with both values.
std::string difference(const RunRecord& first, const RunRecord& own) {
    for (const auto& [option, value] : first.items()) {
        if (!own.contains(option) || own.at(option) != value) {
            return fmt::format("--{} is {} on rank 0 and {} here", option, value.dump(),
                               own.contains(option) ? own.at(option).dump() : "not given");
        }
    }
    return "";
}

}  // namespace

RankRole::RankRole(ProcessGroup* group) : group_(group) {
    if (group != nullptr) {
        groups_.rank_count = group->size();
    }
}

void RankRole::adapt(ReconstructCommandLine& line) const {
    if (group_ == nullptr) {
        return;
    }
    const RunRecord of_first = RunRecord::parse(group_->text_of_root(line.given.dump()));
    if (of_first != line.given) {
        const std::string found = difference(of_first, line.given);
        throw UsageError(fmt::format(
            "the ranks of one run were given different options: {}; for runs that have nothing to do with each other "
            "give `divide` none",
            found.empty() ? difference(line.given, of_first) : found));
    }
    line.thread_count = line.thread_count > 0 ? line.thread_count : threads_of_rank(*group_);
    log_info("ranks: {} processes, {} on this host ({}), {} each", group_->size(), group_->place().ranks_on_host,
             group_->place().host, counted(line.thread_count, "thread"));
    if (!is_root()) {
        line.quiet = true;
        line.reconstruct.off_resonance.check = FieldMapCheck::no;
        line.reference_path.clear();
    }
}

void RankRole::use_fitted_costs(const ReconstructCommandLine& line) const {
    std::optional<CpuCosts> costs;
    if (is_root() && line.use_cache) {
        costs = read_cost_file(cost_file_path());
    }
    if (group_ != nullptr) {
        const std::string of_root = group_->text_of_root(costs ? record_of(*costs).dump() : "");
        costs = of_root.empty() ? std::nullopt : std::optional(costs_of(RunRecord::parse(of_root)));
    }
    if (costs) {
        set_cpu_costs(*costs);
    }
}

void RankRole::check_outputs_for_all(const ReconstructCommandLine& line) const {
    if (is_root()) {
        check_outputs(line);
    }
    if (group_ != nullptr) {
        make_process_communicator(*group_)->sum(0);
    }
}

Team RankRole::team(const ReconstructCommandLine& line) const {
    const BackendSettings settings{.thread_count = line.thread_count};
    return group_ == nullptr ? make_team(line.device, settings) : join_team(*group_, groups_, line.device, settings);
}

void RankRole::hold(Scan& scan, const ReconstructCommandLine& line, RunControl& control) {
    if (group_ == nullptr) {
        return;
    }
    const StageScope stage(control, Stage::read);
    const TrustCommandLine& trust = line.trust;
    const bool needs_all = !trust.fixes.empty() || trust.despike || trust.remove_offset || trust.drop_coils == "auto" ||
                           line.reconstruct.coils.compression.is_asked_for() || line.reconstruct.off_resonance.correct;
    groups_ = divide_ranks(scan, group_->size(), line.reconstruct, memory_of_each(line),
                           line.keep_partial ? PartialImage::keep : PartialImage::discard);
    own_group_ = make_process_communicator(*group_, groups_.ranks_of(groups_.group_of(group_->rank())));
    if (own_group_->size() > 1 && !needs_all && can_be_held_in_parts(scan)) {
        hold_part(scan, *own_group_);
    } else {
        hold_all(scan);
    }
    if (scan.parts) {
        const int fewest_ranks = static_cast<int>(groups_.ranks_of(groups_.group_count - 1).count);
        const Index most_coils = share_of(scan.coil_count, 0, fewest_ranks).count;
        const Index fewest_coils = scan.coil_count / groups_.most_ranks();
        log_info("ranks: each holds {}{} of {} coils",
                 fewest_coils < most_coils ? fmt::format("{} to ", fewest_coils) : std::string(), most_coils,
                 scan.coil_count);
    }
}

CheckRole RankRole::of_check() const {
    return is_root() ? CheckRole::judges : groups_.group_of(group_->rank()) == 0 ? CheckRole::answers : CheckRole::none;
}

std::size_t RankRole::memory_of_each(const ReconstructCommandLine& line) const {
    const std::size_t limit =
        line.memory_limit.empty() ? MemoryBudget::unlimited : parse_memory_size(line.memory_limit);
    std::vector<double> bytes(static_cast<std::size_t>(group_->size()), 0.0);
    bytes.at(static_cast<std::size_t>(group_->rank())) = static_cast<double>(
        std::min(limit, available_memory().bytes / static_cast<std::size_t>(group_->place().ranks_on_host)));
    make_process_communicator(*group_)->all_reduce_sum(std::span<double>(bytes));
    return static_cast<std::size_t>(*std::ranges::min_element(bytes));
}

std::size_t RankRole::memory_limit(const Backend& backend, std::size_t asked) const {
    if (group_ == nullptr || !backend.memory_is_host()) {
        return asked;
    }
    return std::min(asked, available_memory().bytes / static_cast<std::size_t>(group_->place().ranks_on_host));
}

std::shared_ptr<Checkpoint> RankRole::checkpoint(const ReconstructCommandLine& line, const Team& team) const {
    const auto identity = [&] { return run_identity(line.given, inputs_of(line), outputs_of(line), team); };
    if (group_ == nullptr) {
        return open_checkpoint(line.checkpoint, identity());
    }
    const RunRecord of_first = RunRecord::parse(group_->text_of_root(is_root() ? identity().dump() : ""));
    std::shared_ptr<Checkpoint> checkpoint =
        open_checkpoint(line.checkpoint, of_first, static_cast<int>(groups_.ranks_of(team.group()).first));
    make_process_communicator(*group_)->sum(0);  // rank 0 must not write before all have looked
    return checkpoint;
}

void RankRole::remove_checkpoint(Checkpoint& checkpoint, const ReconstructCommandLine& line) const {
    if (is_root()) {
        checkpoint.remove(Checkpoint::Files::all);
    } else if (checkpoint.path() != line.checkpoint.path) {
        checkpoint.remove(Checkpoint::Files::own);
    }
}

}  // namespace recon
