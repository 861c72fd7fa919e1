#include "app/cli/manual/man_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <vector>

namespace recon {
namespace {

/// Text as roff shows it: its own characters are ours no more, and hyphens can be copied into a shell.
std::string roff(const std::string& text) {
    std::string result;
    bool line_begins = true;
    for (const char c : text) {
        if (line_begins && (c == '.' || c == '\'')) {
            result += "\\&";
        }
        result += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
        line_begins = c == '\n';
    }
    return result;
}

/// Paragraphs that man fills, and examples, which begin with a space, as they stand.
std::string paragraphs(const std::string& text) {
    std::string result;
    std::istringstream source(text);
    for (std::string line; std::getline(source, line);) {
        result += line.starts_with(" ") ? fmt::format(".nf\n{}\n.fi\n", roff(line))
                  : line.empty()        ? ".PP\n"
                                        : roff(line) + "\n";
    }
    return result;
}

std::string heading(const ListedOption& option) {
    std::string text;
    for (const std::string& name : option.names) {
        text += fmt::format("{}\\f{}{}\\fR", text.empty() ? "" : ", ", option.positional ? 'I' : 'B', roff(name));
    }
    if (!option.value.empty() && !option.positional) {
        text += fmt::format(" \\fI{}\\fR", roff(option.value));
    }
    return text;
}

std::string entry(const ListedOption& option) {
    const std::string preset =
        option.default_text.empty() ? "" : fmt::format("\n.br\nDefault: {}", roff(option.default_text));
    std::string help;
    for (const char c : roff(option.help)) {
        help += c == '\n' ? "\n.br\n" : std::string(1, c);
    }
    const std::string company = option.company.empty() ? "" : fmt::format("\n({})", roff(option.company));
    return fmt::format(".TP\n{}\n{}{}{}\n", heading(option), help, company, preset);
}

std::string options_text(const ListedCommand& command) {
    std::vector<std::string> groups;
    for (const ListedOption& option : command.options) {
        if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) {
            groups.push_back(option.group);
        }
    }
    std::string text = ".SH OPTIONS\n";
    for (const std::string& group : groups) {
        text += groups.size() > 1 ? fmt::format(".SS \"{}\"\n", roff(group)) : "";
        for (const ListedOption& option : command.options) {
            text += option.group == group ? entry(option) : "";
        }
    }
    return text;
}

std::string synopsis(const ListedCommand& command) {
    std::string text =
        fmt::format("\\fBrecon{}{}\\fR [\\fIOPTIONS\\fR]", command.name.empty() ? "" : " ", roff(command.name));
    for (const ListedOption& option : command.options) {
        text += option.positional ? fmt::format(" \\fI{}\\fR", roff(option.names.front())) : "";
    }
    return text + "\n";
}

}  // namespace

std::string man_page_name(const ListedCommand& command) {
    std::string name = command.name.empty() ? "recon" : "recon-" + command.name;
    std::replace(name.begin(), name.end(), ' ', '-');
    return name;
}

std::string man_page(const ListedCommand& command, const ListedCommand& program, const std::string& version) {
    const std::string name = man_page_name(command);
    std::string title = name;
    std::transform(title.begin(), title.end(), title.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    std::string about = short_help(command.help);
    if (about.starts_with("recon ")) {
        about = about.substr(6);
    }
    std::string page = fmt::format(".TH \"{}\" 1 \"\" \"recon {}\" \"User Commands\"\n", roff(title), version);
    page += fmt::format(".SH NAME\n{} \\- {}\n", roff(name), roff(about));
    page += ".SH SYNOPSIS\n" + synopsis(command);
    page += ".SH DESCRIPTION\n" + paragraphs(command.help);
    if (!command.commands.empty()) {
        page += ".SH COMMANDS\n";
        for (const ListedCommand& below : command.commands) {
            page += fmt::format(".TP\n\\fB{}\\fR(1)\n{}\n", roff(man_page_name(below)), roff(short_help(below.help)));
        }
    }
    page += options_text(command);
    if (!command.footer.empty()) {
        page += ".SH NOTES\n" + paragraphs(command.footer);
    }
    page += ".SH SEE ALSO\n";
    for (const ListedCommand* other : flattened(program)) {
        page += other == &command ? "" : fmt::format(".BR {} (1)\n", roff(man_page_name(*other)));
    }
    return page;
}

}  // namespace recon
