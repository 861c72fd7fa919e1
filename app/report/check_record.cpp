#include "app/report/check_record.hpp"

namespace recon {

RunRecord findings_record(const std::vector<CheckFinding>& findings) {
    RunRecord record = RunRecord::array();
    for (const CheckFinding& finding : findings) {
        record.push_back({{"kind", finding.kind}, {"text", finding.text}, {"fix", finding.fix}});
    }
    return record;
}

RunRecord scan_check_record(const ScanCheck& check) {
    RunRecord record;
    record["verdict"] = name_of(check.verdict);
    record["findings"] = findings_record(check.findings);
    record["matrix_size"] = check.matrix_size;
    record["residual"] = check.residual;
    record["noise"] = check.noise;
    record["trials"] = RunRecord::array();
    for (const CheckTrial& trial : check.trials) {
        record["trials"].push_back({{"fix", trial.fix.text()}, {"residual", trial.residual}, {"noise", trial.noise}});
    }
    return record;
}

RunRecord run_check_record(const RunCheck& check, const std::vector<CheckFinding>& findings) {
    RunRecord record;
    record["verdict"] = name_of(verdict_of(findings));
    record["findings"] = findings_record(findings);
    record["applied"] = check.applied;
    if (check.looked) {
        record["residual"] = check.scan.residual;
        record["noise"] = check.scan.noise;
        record["readings_tried"] = check.scan.trials.size();
        record["out_of_time"] = check.scan.out_of_time;
    }
    return record;
}

}  // namespace recon
