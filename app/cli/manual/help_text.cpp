#include "app/cli/manual/help_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <vector>

namespace recon {
namespace {

/// Words that fill lines of at most `width` characters; a word that is longer has a line of its own.
std::vector<std::string> filled(const std::string& text, std::size_t width) {
    std::vector<std::string> lines{""};
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width) {
            lines.emplace_back();
        }
        lines.back() += (lines.back().empty() ? "" : " ") + word;
    }
    return lines;
}

/// Paragraphs filled, each beginning in the column `indent`. Examples, indented where `indent` is 0, keep their lines;
/// the points of a list, indented where it is not, hang.
std::vector<std::string> wrapped(const std::string& text, std::size_t indent, std::size_t width) {
    std::vector<std::string> lines;
    std::istringstream source(text);
    for (std::string paragraph; std::getline(source, paragraph);) {
        const bool is_indented = paragraph.starts_with(" ");
        if (is_indented && indent == 0) {
            lines.push_back(paragraph);
            continue;
        }
        std::string margin(indent, ' ');
        const std::string hanging = is_indented ? "  " : "";
        for (const std::string& line : filled(paragraph, width - indent - hanging.size())) {
            lines.push_back(line.empty() ? "" : margin + line);
            margin = std::string(indent, ' ') + hanging;
        }
    }
    return lines;
}

std::string joined(const std::vector<std::string>& lines) { return fmt::format("{}\n", fmt::join(lines, "\n")); }

/// A name, and what it means beside it, or below where there is no room.
std::string entry(const std::string& name, const std::string& meaning, std::size_t column, std::size_t width) {
    std::vector<std::string> lines = wrapped(meaning, column, width);
    const std::string head = "  " + name;
    if (head.size() + 2 <= column) {
        lines.front().replace(0, head.size(), head);
    } else {
        lines.insert(lines.begin(), head);
    }
    return joined(lines);
}

std::string head_of(const ListedOption& option) {
    return fmt::format("{}{}{}", fmt::join(option.names, ", "), option.value.empty() || option.positional ? "" : " ",
                       option.positional ? "" : option.value);
}

std::string meaning_of(const ListedOption& option) {
    const std::string preset = option.default_text.empty() ? "" : "default: " + option.default_text;
    const std::string last =
        fmt::format("{}{}{}", preset, preset.empty() || option.company.empty() ? "" : "; ", option.company);
    return option.help + (last.empty() ? "" : fmt::format(" ({})", last));
}

/// What stands under one heading; nothing where that is empty.
std::string section(const std::string& heading, const std::string& entries) {
    return entries.empty() ? "" : fmt::format("\n{}:\n{}", heading, entries);
}

std::string options_text(const ListedCommand& command, std::size_t column, std::size_t width) {
    std::vector<std::string> groups;
    std::string arguments;
    for (const ListedOption& option : command.options) {
        arguments += option.positional ? entry(head_of(option), meaning_of(option), column, width) : "";
        if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) {
            groups.push_back(option.group);
        }
    }
    std::string text = section("Arguments", arguments);
    for (const std::string& group : groups) {
        std::string entries;
        for (const ListedOption& option : command.options) {
            const bool is_here = option.group == group && !option.positional;
            entries += is_here ? entry(head_of(option), meaning_of(option), column, width) : "";
        }
        text += section(group, entries);
    }
    return text;
}

}  // namespace

std::string usage(const ListedCommand& command) {
    std::string text = command.name.empty() ? "recon" : "recon " + command.name;
    for (const ListedOption& option : command.options) {
        if (option.required && !option.positional) {
            text += " " + head_of(option);
        }
        if (option.positional) {
            const std::string word = option.names.front() + (option.takes_several ? " ..." : "");
            text += option.required ? " " + word : fmt::format(" [{}]", word);
        }
    }
    return text + " [OPTIONS]";
}

std::string help_text(const ListedCommand& command, std::size_t width) {
    constexpr std::size_t narrow = 72;
    const std::size_t column = width < narrow ? 8 : 28;
    const std::string named = command.name.empty() ? "" : " " + command.name;
    std::string text = fmt::format("{}\nUsage: {}\n", joined(wrapped(command.help, 0, width)), usage(command));
    if (!command.commands.empty()) {
        text += fmt::format("       recon{0} COMMAND ...\n\nCommands (recon help{0} COMMAND tells more):\n", named);
        for (const ListedCommand& below : command.commands) {
            text += entry(below.name.substr(below.name.rfind(' ') + 1), short_help(below.help), width < narrow ? 8 : 14,
                          width);
        }
    }
    text += options_text(command, column, width);
    return text + (command.footer.empty() ? "" : "\n" + joined(wrapped(command.footer, 0, width)));
}

std::size_t help_width() {
    constexpr std::size_t least = 60, most = 120, elsewhere = 100;
    winsize size{};
    if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
        return elsewhere;
    }
    return std::clamp<std::size_t>(size.ws_col, least, most);
}

}  // namespace recon
