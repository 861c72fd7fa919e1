#pragma once

#include <CLI/CLI.hpp>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace recon {

/// "tt: expected tv or wavelet; did you mean tv?"
std::string wrong_choice(const std::string& value, const std::vector<std::string>& names);

/// The option's value is one of `names`, upper or lower case; the help says so itself.
inline CLI::Validator one_of(const std::vector<std::string>& names) {
    const auto check = [member = CLI::IsMember(names, CLI::ignore_case), names](std::string& value) -> std::string {
        return member(value).empty() ? "" : wrong_choice(value, names);
    };
    return CLI::Validator(check, "", CLI::detail::join(names, " "));
}

/// For options whose value is one of a few names, upper or lower case: each becomes what stands beside it.
template <class T>
CLI::Validator named_choice(std::vector<std::pair<std::string, T>> choices) {
    std::vector<std::string> names;
    for (const auto& choice : choices) {
        names.push_back(choice.first);
    }
    const auto choose = [transform = CLI::CheckedTransformer(std::move(choices), CLI::ignore_case),
                         names](std::string& value) -> std::string {
        return transform(value).empty() ? "" : wrong_choice(value, names);
    };
    return CLI::Validator(choose, "", CLI::detail::join(names, " "));
}

/// The names that one of the two above gave the option; none for any other option.
inline std::vector<std::string> choices_of(CLI::Option& option) {
    std::string names;
    try {
        names = option.get_validator()->get_name();
    } catch (const CLI::OptionNotFound&) {  // has none
        return {};
    }
    if (names == "range") {  // number_range.hpp
        return {};
    }
    std::istringstream words(names);
    return {std::istream_iterator<std::string>(words), {}};
}

/// The name that named_choice has made this value of; any other value as it is.
inline std::string name_of_choice(CLI::Option& option, const std::string& value) {
    for (const std::string& name : choices_of(option)) {
        std::string made = name;
        (*option.get_validator())(made);
        if (made == value) {
            return name;
        }
    }
    return value;
}

}  // namespace recon
