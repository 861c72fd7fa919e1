#pragma once

#include <memory>

#include "app/cli/reconstruct_command_line.hpp"
#include "app/cli/trust/trust.hpp"
#include "app/pipeline/checkpoint/checkpoint.hpp"
#include "app/pipeline/run_control.hpp"
#include "core/devices/team.hpp"
#include "core/mri/scan.hpp"
#include "core/processes/process_group.hpp"

namespace recon {

/// What is particular to one of several processes that reconstruct together. Without a group, the only process, there
/// is nothing particular.
class RankRole {
public:
    explicit RankRole(ProcessGroup* group);

    /// Whether this process looks after the scan, the outputs and the log for all.
    bool is_root() const { return group_ == nullptr || group_->rank() == 0; }
    /// What the root says, on every rank.
    bool as_root(bool answer) const {
        return group_ == nullptr ? answer : !group_->text_of_root(answer ? "yes" : "").empty();
    }

    std::string as_root(const std::string& answer) const {
        return group_ == nullptr ? answer : group_->text_of_root(answer);
    }

    /// Leaves to rank 0 what it does for all; sets the number of threads. @throws UsageError if other processes were
    /// given other options
    void adapt(ReconstructCommandLine& line) const;

    /// From now on times are predicted by the costs fitted to rank 0's machine, if it has them and the cache may be
    /// used, on all processes: they must choose alike.
    void use_fitted_costs(const ReconstructCommandLine& line) const;

    /// Fails on all processes where rank 0 fails. @throws as check_outputs; RanksAborted
    void check_outputs_for_all(const ReconstructCommandLine& line) const;

    /// Those that this process divides coils with, as `hold` has decided.
    Team team(const ReconstructCommandLine& line) const;
    /// One of several processes learns later which part of the scan is its own.
    KspaceReading reading() const { return group_ == nullptr ? KspaceReading::on_demand : KspaceReading::in_parts; }
    /// Decides what is divided. Coils that are divided are held and read each by the process that works on them, unless
    /// the scan or the options need all coils in one place; else every process holds the scan. (docs/mpi.md)
    /// @param scan  as read_scan gives it with KspaceReading::in_parts; does not outlive this object
    void hold(Scan& scan, const ReconstructCommandLine& line, RunControl& control);
    /// Those that hold the coils that rank 0 has not, of the same frames, answer it.
    CheckRole of_check() const;
    /// Of the memory of the backend this process may use so much: no more than its part of what is free on the host.
    std::size_t memory_limit(const Backend& backend, std::size_t asked) const;

    /// Every process has one; but that of the first alone is written of those that work on the same frames.
    std::shared_ptr<Checkpoint> checkpoint(const ReconstructCommandLine& line, const Team& team) const;
    /// What was this process's own; on rank 0 also those of ranks that this run has no more.
    void remove_checkpoint(Checkpoint& checkpoint, const ReconstructCommandLine& line) const;

private:
    /// Of each process: the least of any.
    std::size_t memory_of_each(const ReconstructCommandLine& line) const;

    ProcessGroup* group_;
    RankGroups groups_;
    std::unique_ptr<Communicator> own_group_;  ///< the ranks that this one divides coils with, for arrays on the host
};

}  // namespace recon
