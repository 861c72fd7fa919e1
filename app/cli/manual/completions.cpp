#include "app/cli/manual/completions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace recon {
namespace {

/// In single quotes, for any of the shells.
std::string shell_quoted(const std::string& text) {
    std::string result = "'";
    for (const char c : text) {
        result += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return result + "'";
}

/// With a backslash in front of each of `characters`.
std::string escaped(const std::string& text, std::string_view characters) {
    std::string result;
    for (const char c : text) {
        result += characters.find(c) != std::string_view::npos ? std::string{'\\', c} : std::string(1, c);
    }
    return result;
}

std::vector<std::string> option_words(const ListedCommand& command) {
    std::vector<std::string> words;
    for (const ListedOption& option : command.options) {
        if (!option.positional) {
            words.insert(words.end(), option.names.begin(), option.names.end());
        }
    }
    return words;
}

std::vector<std::string> command_words(const ListedCommand& command) {
    std::vector<std::string> words;
    for (const ListedCommand& below : command.commands) {
        words.push_back(below.name.substr(below.name.rfind(' ') + 1));
    }
    return words;
}

/// Lines of a bash `case` on "COMMAND|OPTION" for options with a few values, "COMMAND|" for what stands alone.
std::string bash_values(const ListedCommand& program) {
    std::string text;
    for (const ListedCommand* command : flattened(program)) {
        for (const ListedOption& option : command->options) {
            for (const std::string& name : option.names) {
                if (!option.choices.empty()) {
                    text += fmt::format("        {}) words={} ;;\n",
                                        shell_quoted(command->name + "|" + (option.positional ? "" : name)),
                                        shell_quoted(fmt::format("{}", fmt::join(option.choices, " "))));
                }
            }
        }
    }
    return text;
}

std::string zsh_option(const ListedOption& option, const std::string& name) {
    const std::string help = escaped(short_help(option.help), "[]\\");
    const std::string value = option.value.empty()      ? ""
                              : !option.choices.empty() ? fmt::format(":value:({})", fmt::join(option.choices, " "))
                                                        : ":file:_files";
    const char* const both = !value.empty() && name.starts_with("--") ? "=" : "";  // --name=VALUE as well
    return shell_quoted(fmt::format("*{}{}[{}]{}", name, both, help, value));
}

}  // namespace

std::string bash_completion(const ListedCommand& program) {
    std::string options, commands;
    for (const ListedCommand* command : flattened(program)) {
        options += fmt::format("        {}) options={} ;;\n", shell_quoted(command->name),
                               shell_quoted(fmt::format("{}", fmt::join(option_words(*command), " "))));
        if (!command->commands.empty()) {
            commands += fmt::format("        {}) commands={} ;;\n", shell_quoted(command->name),
                                    shell_quoted(fmt::format("{}", fmt::join(command_words(*command), " "))));
        }
    }
    return fmt::format(R"~(# bash completion for recon, made by: recon manual bash
_recon_commands() {{
    case "$1" in
{1}        *) commands='' ;;
    esac
}}
_recon() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} command='' commands options='' words='' word before='' helps=''
    if [[ $current == = ]]; then
        current=''  # --name=, of which bash makes two words
    elif [[ $previous == = ]]; then
        previous=${{COMP_WORDS[COMP_CWORD-2]}}
    fi
    for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        if [[ $before == --* ]]; then before=''; continue; fi  # a value
        before=$word
        if [[ $word == help && -z $command ]]; then helps=yes; continue; fi
        _recon_commands "$command"
        if [[ " $commands " == *" $word "* ]]; then command=${{command:+$command }}$word; fi
    done
    if [[ -n $helps ]]; then
        _recon_commands "$command"
        COMPREPLY=($(compgen -W "$commands" -- "$current"))
        return
    fi
    if [[ $previous != -* ]]; then previous=''; fi
    case "$command|$previous" in
{2}    esac
    if [[ -n $words ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$current"))
        return
    fi
    case "$command" in
{0}    esac
    if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$current"))
        return
    fi
    _recon_commands "$command"
    COMPREPLY=()
    if [[ -z $previous ]]; then COMPREPLY=($(compgen -W "$commands" -- "$current")); fi
    mapfile -t -O ${{#COMPREPLY[@]}} COMPREPLY < <(compgen -f -- "$current")
}}
complete -o filenames -o default -F _recon recon  # default: file names with quotes in them
)~",
                       options, commands, bash_values(program));
}

std::string zsh_completion(const ListedCommand& program) {
    std::string cases;
    for (const ListedCommand* command : flattened(program)) {
        cases += fmt::format("    {}) arguments=(\n", shell_quoted(command->name));
        for (const ListedOption& option : command->options) {
            for (const std::string& name : option.names) {
                cases += option.positional ? "" : fmt::format("      {}\n", zsh_option(option, name));
            }
        }
        cases += fmt::format("      ) commands=({}) ;;\n", fmt::join(command_words(*command), " "));
    }
    return fmt::format(R"~(#compdef recon
# zsh completion for recon, made by: recon manual zsh
_recon() {{
  local command='' word before='' helps=''
  local -a arguments commands known
  known=({})
  for word in ${{words[2,CURRENT-1]}}; do
    if [[ $before == --* ]]; then before=''; continue; fi
    before=$word
    if [[ $word == help && -z $command ]]; then helps=yes; continue; fi
    if (( ${{known[(Ie)${{command:+$command }}$word]}} )); then command="${{command:+$command }}$word"; fi
  done
  case $command in
{}  esac
  if [[ -n $helps ]]; then
    (( ${{#commands}} )) && compadd -a commands
    return
  fi
  if (( ${{#commands}} )) && [[ ${{words[CURRENT]}} != -* && ${{words[CURRENT-1]}} != -* ]]; then
    _alternative "commands:command:($commands)" 'files:file:_files'
    return
  fi
  _arguments $arguments '*:file:_files'
}}
if [[ $funcstack[1] == _recon ]]; then _recon "$@"; else compdef _recon recon; fi
)~",
                       [&] {
                           std::vector<std::string> names;
                           for (const ListedCommand* command : flattened(program)) {
                               if (!command->name.empty()) {
                                   names.push_back(shell_quoted(command->name));
                               }
                           }
                           return fmt::format("{}", fmt::join(names, " "));
                       }(),
                       cases);
}

std::string fish_completion(const ListedCommand& program) {
    const std::string names = fmt::format("{}", fmt::join(command_words(program), " "));
    std::string text = "# fish completion for recon, made by: recon manual fish\n";
    text += fmt::format("complete -c recon -n '__fish_seen_subcommand_from help' -f -a {}\n", shell_quoted(names));
    for (const ListedCommand* command : flattened(program)) {
        std::string condition = fmt::format("not __fish_seen_subcommand_from {}", names);
        if (!command->name.empty()) {
            std::string seen;
            for (const char c : command->name) {
                seen += c == ' ' ? "; and __fish_seen_subcommand_from " : std::string(1, c);
            }
            condition = "__fish_seen_subcommand_from " + seen;
        }
        for (const ListedCommand& below : command->commands) {
            text += fmt::format("complete -c recon -n {} -a {} -d {}\n", shell_quoted(condition),
                                below.name.substr(below.name.rfind(' ') + 1),
                                shell_quoted(escaped(short_help(below.help), "\\")));
        }
        for (const ListedOption& option : command->options) {
            if (option.positional) {
                continue;
            }
            text += fmt::format("complete -c recon -n {}", shell_quoted(condition));
            for (const std::string& name : option.names) {
                text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
            }
            text += option.value.empty() ? "" : " -r";
            text += option.choices.empty()
                        ? ""
                        : fmt::format(" -f -a {}", shell_quoted(fmt::format("{}", fmt::join(option.choices, " "))));
            text += fmt::format(" -d {}\n", shell_quoted(escaped(short_help(option.help), "\\")));
        }
    }
    return text;
}

}  // namespace recon
