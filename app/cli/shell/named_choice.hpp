#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace recon {

/// The option's value is one of `names`, upper or lower case; the help says so itself.
inline CLI::Validator one_of(const std::vector<std::string>& names) {
    return CLI::IsMember(names, CLI::ignore_case).description("").name(CLI::detail::join(names, " "));
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
        return transform(value).empty() ? "" : value + ": expected " + CLI::detail::join(names, " or ");
    };
    return CLI::Validator(choose, "", CLI::detail::join(names, " "));
}

/// The names that one of the two above, or CLI::IsMember, gave the option; none for any other option.
inline std::vector<std::string> choices_of(CLI::Option& option) {
    std::string names;
    try {
        names = option.get_validator()->get_name();
    } catch (const CLI::OptionNotFound&) {  // has none
        return {};
    }
    if (const std::string type = option.get_type_name(); names.empty() && type.find(":{") != std::string::npos) {
        names = type.substr(type.find(":{") + 2);
        names = names.substr(0, names.find('}'));
        std::replace(names.begin(), names.end(), ',', ' ');
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
