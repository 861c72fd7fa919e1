// Numbers as a table of text, a row a line: read where a trajectory or an impulse response is.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "core/base/error.hpp"
#include "data/reading/format.hpp"

namespace recon {
namespace {

/// The numbers of a line, separated by blanks, commas or semicolons; what follows # is a comment.
/// @return false if there is anything else
bool parse_numbers(std::string line, std::vector<double>& numbers) {
    numbers.clear();
    line.resize(std::min(line.size(), line.find('#')));
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == ',' || c == ';' || c == '\t' || c == '\r'; }, ' ');
    const char* at = line.c_str();
    while (true) {
        at += std::strspn(at, " ");
        if (*at == '\0') {
            return true;
        }
        char* end = nullptr;
        numbers.push_back(std::strtod(at, &end));
        if (end == at || (*end != ' ' && *end != '\0')) {
            return false;
        }
        at = end;
    }
}

bool is_text_table(const std::string& path) {
    std::ifstream file(path);
    constexpr std::size_t longest = 1000;  // bytes of the lines looked at
    std::string start(longest, '\0');
    file.read(start.data(), static_cast<std::streamsize>(longest));
    start.resize(static_cast<std::size_t>(file.gcount()));
    std::vector<double> numbers;
    for (std::size_t line = 0, end = 0; line < start.size(); line = end + 1) {
        end = std::min(start.find('\n', line), start.size());
        if (!parse_numbers(start.substr(line, end - line), numbers)) {
            return false;
        }
        if (!numbers.empty()) {
            constexpr std::size_t most_columns = 10;  // a time and a matrix; positions have 1 to 3
            return numbers.size() <= most_columns;
        }
    }
    return false;
}

StoredArray read_text_table(const std::string& path, const ArrayName& name) {
    if (!name.asked.empty()) {
        throw InputError(fmt::format("{}: a text file has no dataset {}", path, name.asked));
    }
    std::ifstream file(path);
    std::vector<double> values, numbers;
    std::size_t columns = 0;
    Index row_count = 0, line_number = 0;
    for (std::string line; std::getline(file, line);) {
        ++line_number;
        if (!parse_numbers(line, numbers)) {
            throw InputError(
                fmt::format("{}: line {} is \"{}\", expected numbers", path, line_number, line.substr(0, 60)));
        }
        if (numbers.empty()) {
            continue;
        }
        columns = columns == 0 ? numbers.size() : columns;
        if (numbers.size() != columns) {
            throw InputError(fmt::format("{}: line {} has {} numbers, expected {} as in the lines before", path,
                                         line_number, numbers.size(), columns));
        }
        values.insert(values.end(), numbers.begin(), numbers.end());
        ++row_count;
    }
    StoredArray array;
    array.where = path;
    array.extents = {row_count, static_cast<Index>(columns)};
    array.values = std::move(values);
    return array;
}

const Registration registered_text(formats(), Format{.name = "text",
                                                     .title = "text with the numbers of a row a line",
                                                     .recognises = is_text_table,
                                                     .read_array = read_text_table});

}  // namespace
}  // namespace recon
