#include "app/cli/refusal/half_sizes.hpp"

#include <fmt/format.h>

#include <regex>
#include <vector>

#include "core/base/error.hpp"

namespace recon {

void require_no_half_size(const std::string& name, const std::string& value) {
    static const std::regex half(R"(^\s*(x[\d.x\s]*|[\d.\s]+x[\d.x\s]*x|[\d.\s]+x|[\d.\s]+x\s*x[\d.x\s]*)\s*$)");
    if (std::regex_match(value, half)) {
        throw UsageError(fmt::format("{} {}: expected a number on both sides of each x, such as 64x48", name, value));
    }
}

void require_no_half_sizes(const CLI::App& app, std::span<const char* const> words) {
    const CLI::App* command = &app;
    const CLI::Option* option = nullptr;
    for (const std::string word : words) {
        const std::size_t equals = word.find('=');
        if (!word.starts_with("--")) {
            const std::vector<const CLI::App*> below =
                command->get_subcommands([&](const CLI::App* candidate) { return candidate->check_name(word); });
            command = below.empty() ? command : below.front();
        } else {
            option = command->get_option_no_throw(word.substr(0, equals));
        }
        const bool has_value = !word.starts_with("--") || equals != std::string::npos;
        if (option != nullptr && option->get_delimiter() == 'x' && has_value) {
            require_no_half_size("--" + option->get_single_name(),
                                 word.starts_with("--") ? word.substr(equals + 1) : word);
        }
    }
}

}  // namespace recon
