#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/cli/trust/trust_command_line.hpp"
#include "app/pipeline/run.hpp"
#include "app/reconstruction/check/run_check.hpp"
#include "app/reconstruction/gradients/gradient_correction.hpp"
#include "app/reconstruction/options/reconstruct_options.hpp"
#include "data/files/run_record.hpp"

namespace recon {

/// What a process does of the check: one judges for all, others say what is asked of the coils that they hold.
enum class CheckRole { judges, answers, none };

/// What has been found of a scan so far, and what the user wants to be done about it.
class Trust {
public:
    /// @param coils  gets the coils to leave out  @param options  of the program, which the record names
    /// @throws UsageError if an option cannot be read
    Trust(std::string scan_path, const TrustCommandLine& line, const GradientOptions& gradients, CoilOptions& coils,
          std::set<std::string> options);

    /// Before the ranks begin. @throws as `add`, and as check_before_run
    void check(Scan& scan, ReconstructOptions& options, Run& run, CheckRole role);
    /// @param field_map_check  as check_off_resonance returns it  @throws as `add`
    void add_field_map(const RunRecord& field_map_check);
    /// @throws Error of the kind `doubtful` where that is what the user wants
    void add(const std::vector<CheckFinding>& findings);

    RunRecord record() const;
    /// Those that are of no use, where nobody has said what to do with them. Known to the process that judges.
    std::vector<Index> coils_to_leave_out() const;
    const Margin& margin() const { return before_run_.margin; }
    const std::optional<DelayEstimate>& delays() const { return before_run_.delays; }

private:
    std::string scan_path_;
    bool strict_;
    bool mends_;
    CheckOptions options_;
    std::set<std::string> option_names_;
    RunCheck before_run_;
    std::vector<CheckFinding> findings_;
};

}  // namespace recon
