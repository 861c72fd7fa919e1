#include "app/cli/shell/option_names.hpp"

#include <algorithm>

namespace recon {

std::set<std::string> option_names(const CLI::App& app) {
    std::set<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
        names.insert(option->get_lnames().begin(), option->get_lnames().end());
    }
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        names.merge(option_names(*command));
    }
    return names;
}

std::string with_options(const std::string& message, const std::set<std::string>& options) {
    std::string text;
    std::size_t done = 0;
    for (std::size_t open = message.find('`'); open != std::string::npos; open = message.find('`', done)) {
        const std::size_t close = message.find('`', open + 1);
        if (close == std::string::npos) {
            break;
        }
        std::string name = message.substr(open + 1, close - open - 1);
        std::replace(name.begin(), name.end(), '_', '-');
        if (options.contains(name)) {
            text += message.substr(done, open - done) + "--" + name;
            done = close + 1;
        } else {
            text += message.substr(done, close - done);
            done = close;
        }
    }
    return text + message.substr(done);
}

}  // namespace recon
