#include "app/cli/commands.hpp"

#include "app/cli/bench/bench_command.hpp"
#include "app/cli/check_command.hpp"
#include "app/cli/compare_command.hpp"
#include "app/cli/heart/heart_command.hpp"
#include "app/cli/ladder_command.hpp"
#include "app/cli/manual/help_command.hpp"
#include "app/cli/manual/manual_command.hpp"
#include "app/cli/merge/merge_command.hpp"
#include "app/cli/parboil_command.hpp"
#include "app/cli/reconstruct_command.hpp"
#include "app/cli/report/report_command.hpp"
#include "app/cli/scan/info_command.hpp"
#include "app/cli/simulate/simulate_command.hpp"
#include "app/cli/study/study_command.hpp"

namespace recon {
void add_commands(CLI::App& app) {
    use_help_text(app);
    add_reconstruct_command(app);
    add_info_command(app);
    add_check_command(app);
    add_simulate_command(app);
    add_compare_command(app);
    add_merge_command(app);
    add_heart_command(app);
    add_report_command(app);
    add_ladder_command(app);
    add_parboil_commands(app);
    add_study_command(app);
    add_bench_command(app);
    add_manual_command(app);
    add_help_command(app);
}

}  // namespace recon
