#include "app/cli/trust/trust.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/shell/option_names.hpp"
#include "app/reconstruction/check/fix_advice.hpp"
#include "app/report/check_record.hpp"
#include "core/base/error.hpp"

namespace recon {

Trust::Trust(std::string scan_path, const TrustCommandLine& line, const GradientOptions& gradients, CoilOptions& coils,
             std::set<std::string> options)
    : scan_path_(std::move(scan_path)),
      strict_(line.strict),
      mends_(line.mend && line.check),
      options_(read_check_options(line, gradients, coils)),
      option_names_(std::move(options)) {}

void Trust::check(Scan& scan, ReconstructOptions& reconstruct, Run& run, CheckRole role) {
    CheckOptions options = options_;
    if (reconstruct.regularisation.is_plain_least_squares()) {  // which has the data as they are given
        mends_ = false;
        for (Mending* const mending : {&options.spikes, &options.offsets, &options.delays}) {
            *mending = *mending == Mending::asked ? Mending::asked : Mending::none;
        }
    }
    options.judge = role == CheckRole::judges;
    options.look = options.look && (options.judge || (role == CheckRole::answers && scan.parts));
    before_run_ = check_before_run(scan, reconstruct.coils, reconstruct.margin, options, run);
    add(before_run_.scan.findings);
}

std::vector<Index> Trust::coils_to_leave_out() const {
    return mends_ ? before_run_.scan.useless_coils : std::vector<Index>();
}

void Trust::add_field_map(const RunRecord& field_map_check) {
    const std::string warning = field_map_check.value("warning", "");
    if (!warning.empty()) {
        add({{"field_map", warning, ""}});
    }
}

void Trust::add(const std::vector<CheckFinding>& findings) {
    for (const CheckFinding& finding : findings) {
        findings_.push_back({finding.kind, with_options(finding.text, option_names_), finding.fix});
    }
    if (!strict_ || verdict_of(findings_) == CheckVerdict::fine) {
        return;
    }
    const auto doubt = std::find_if(findings_.begin(), findings_.end(),
                                    [](const CheckFinding& finding) { return finding.kind != "cannot_tell"; });
    const std::string mending = fix_advice(doubt->fix, options_.fixes);
    throw Error(fmt::format("{} is doubtful (`strict`), and nothing was written: {}{}", scan_path_, doubt->text,
                            mending.empty() ? "" : fmt::format("; mended by: {}", mending)),
                ErrorKind::doubtful);
}

RunRecord Trust::record() const { return run_check_record(before_run_, findings_); }

}  // namespace recon
