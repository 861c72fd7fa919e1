#include "app/cli/shell/cpu_level_limit.hpp"

#include <cstdlib>

#include "core/base/error.hpp"
#include "core/processor/cpu_level.hpp"

namespace recon {

void limit_cpu_level_by_environment() {
    constexpr const char* variable = "RECON_CPU_LEVEL";
    if (const char* name = std::getenv(variable); name != nullptr && *name != '\0') {
        try {
            limit_cpu_level(cpu_level_of_name(name));
        } catch (const UsageError& wrong) {
            throw UsageError(std::string(variable) + ": " + wrong.what());
        }
    }
}

}  // namespace recon
