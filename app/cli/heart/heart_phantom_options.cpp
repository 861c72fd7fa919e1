#include "app/cli/heart/heart_phantom_options.hpp"

#include <string>

#include "app/cli/shell/number_range.hpp"
#include "core/base/error.hpp"

namespace recon {

void add_heart_phantom_options(CLI::App& command, HeartBeatOptions& heart) {
    const std::string group = "Heart (--phantom heart)";
    command
        .add_option("--heart", heart.activation_file,
                    "Frames of recon heart that drive the muscle, as one beat (default: a paced beat)")
        ->group(group);
    command.add_option("--heart-rate", heart.beats_a_minute, "Beats a minute of the paced heart")
        ->check(number_from(20, 300))
        ->capture_default_str()
        ->group(group);
    command.add_option("--scar", heart.scar_degrees, "Degrees of the paced heart's wall that no wave reaches")
        ->check(number_from(0, 180))
        ->capture_default_str()
        ->group(group);
}

void require_heart_phantom(const CLI::App& command, const std::string& phantom) {
    for (const char* option : {"--heart", "--heart-rate", "--scar"}) {
        if (phantom != "heart" && command.count(option) > 0) {
            throw UsageError(std::string(option) + ": belongs to --phantom heart");
        }
    }
}

}  // namespace recon
