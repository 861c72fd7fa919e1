#include "app/cli/trust/trust_command_line.hpp"

#include <fmt/format.h>

#include <set>

#include "core/base/error.hpp"
#include "core/base/parse_number.hpp"

namespace recon {
namespace {

constexpr Index most_listed = 4096;

[[noreturn]] void refuse(const std::string& text) {
    throw UsageError(
        fmt::format("`drop_coils` {}: expected auto, or numbers of coils from 0 on, such as 3 or 0,5-7", text));
}

}  // namespace

void add_trust_options(CLI::App& app, TrustCommandLine& line) {
    const std::string group = "Is the scan right";
    app.add_flag("--strict", line.strict,
                 "Doubt is an error: where the check of the scan or the residual finds something, exit code 6 and no "
                 "output")
        ->group(group);
    app.add_option("--fix", line.fixes,
                   "Changes to the scan before anything else, as recon check names them: conjugate, mirror=x, swap=xy, "
                   "shift=1, reverse=all, scale=0.5, maps-conjugate, ... (docs/check.md)")
        ->group(group);
    app.add_flag("--despike", line.despike,
                 "Leave out samples that stand out of all around them; without it the same, and the scan is doubtful")
        ->group(group);
    app.add_flag("--remove-offset", line.remove_offset,
                 "Subtract what the receiver has added to every sample of a coil (DC offset), where the outer k-space "
                 "shows it; without it the same, and the scan is doubtful")
        ->group(group);
    app.add_option("--drop-coils", line.drop_coils,
                   "Coils to leave out, such as 3 or 0,5-7; auto: those that hold little but noise. Coils of zeros "
                   "always are left out")
        ->group(group);
    app.add_flag(
           "!--no-mending", line.mend,
           "Leave the data as they are: without it spikes, offsets of the receiver and coils that hold no signal or "
           "do not fit their maps are taken out, and gradient delays of radial scans are corrected, with a warning "
           "(not with --prior none)")
        ->group(group);
    app.add_flag("!--no-check", line.check, "Skip the look for usual mistakes before the reconstruction")->group(group);
}

std::vector<Index> parse_coil_list(const std::string& text) {
    std::set<Index> coils;
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string_view part = std::string_view(text).substr(begin, end - begin);
        const auto range = parse_index_range(part);
        if (!range || range->second >= most_listed) {
            refuse(text);
        }
        for (Index coil = range->first; coil <= range->second; ++coil) {
            coils.insert(coil);
        }
        begin = end + 1;
    }
    return {coils.begin(), coils.end()};
}

std::vector<ScanFix> read_fixes(const std::string& text) {
    return text.empty() ? std::vector<ScanFix>() : parse_scan_fixes(text);
}

CheckOptions read_check_options(const TrustCommandLine& line, const GradientOptions& gradients, CoilOptions& coils) {
    CheckOptions options;
    options.look = line.check;
    const Mending by_itself = line.mend && line.check ? Mending::automatic : Mending::none;
    options.spikes = line.despike ? Mending::asked : by_itself;
    options.offsets = line.remove_offset ? Mending::asked : by_itself;
    options.delays = gradients.are_found() ? Mending::asked : gradients.delays.empty() ? by_itself : Mending::none;
    options.drop_noisy = line.drop_coils == "auto";
    options.fixes = read_fixes(line.fixes);
    if (!line.drop_coils.empty() && !options.drop_noisy) {
        coils.left_out = parse_coil_list(line.drop_coils);
    }
    return options;
}

}  // namespace recon
