#include "app/cli/refusal/options_once.hpp"

#include <fmt/format.h>

#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "core/base/error.hpp"

namespace recon {

std::vector<CLI::ConfigItem> OptionsOnce::from_config(std::istream& input) const {
    const std::string text(std::istreambuf_iterator<char>(input), {});
    static const std::regex setting(R"(^\s*([A-Za-z][\w-]*)\s*=.*)");
    std::set<std::string> names;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::smatch found;
        if (line.starts_with('[')) {  // names of a part of the file are its own
            names.clear();
        } else if (std::regex_match(line, found, setting) && !names.insert(found[1]).second) {
            throw UsageError(fmt::format("--config: {} is set twice, expected once", found[1].str()));
        }
    }
    std::istringstream again(text);
    return CLI::ConfigTOML::from_config(again);
}

}  // namespace recon
