#include "app/cli/refusal/half_sizes.hpp"

#include <fmt/format.h>

#include <regex>
#include <vector>

#include "core/base/error.hpp"

namespace recon {

void require_no_half_size(const CLI::Option* option, const std::string& value) {
    if (option == nullptr || option->get_delimiter() != 'x') {
        return;
    }
    static const std::regex sizes(R"([\d.\s]*x[\d.x\s]*)"), whole_sizes(R"(\s*[\d.]+\s*(x\s*[\d.]+\s*)+)");
    if (std::regex_match(value, sizes) && !std::regex_match(value, whole_sizes)) {
        throw UsageError(fmt::format("--{} {}: expected a number on both sides of each x, such as 64x48",
                                     option->get_single_name(), value));
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
        if (!word.starts_with("--")) {
            require_no_half_size(option, word);
        } else if (equals != std::string::npos) {
            require_no_half_size(option, word.substr(equals + 1));
        }
    }
}

}  // namespace recon
