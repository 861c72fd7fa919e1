// Numbers as a table of text, a row a line: read where a trajectory or an impulse response is.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

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

/// Spreadsheets mark UTF-8 by three bytes at the start of a file.
std::string without_mark(const std::string& text) {
    constexpr const char* mark = "\xef\xbb\xbf";
    return text.starts_with(mark) ? text.substr(std::strlen(mark)) : text;
}

/// How many columns a line names, each by a word without a number; 0 if it is no line of names.
std::size_t name_count(std::string line) {
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == ',' || c == ';'; }, ' ');
    std::istringstream stream(line);
    std::size_t count = 0;
    for (std::string word; stream >> word; ++count) {
        if (std::isalpha(static_cast<unsigned char>(word[0])) == 0 && word[0] != '"') {
            return 0;
        }
    }
    return count;
}

/// A line of names before the numbers makes it a table too, so that it is refused as one.
bool is_text_table(const std::string& path) {
    std::ifstream file(path);
    constexpr std::size_t longest = 1000;  // bytes of the lines looked at
    std::string start(longest, '\0');
    file.read(start.data(), static_cast<std::streamsize>(longest));
    start.resize(static_cast<std::size_t>(file.gcount()));
    start = without_mark(start);
    std::vector<double> numbers;
    std::size_t names = 0;
    for (std::size_t line = 0, end = 0; line < start.size(); line = end + 1) {
        end = std::min(start.find('\n', line), start.size());
        const std::string words = start.substr(line, end - line);
        if (!parse_numbers(words, numbers)) {
            names = names == 0 ? name_count(words) : 0;
            if (names == 0) {
                return false;
            }
            continue;
        }
        if (!numbers.empty()) {
            constexpr std::size_t most_columns = 10;  // a time and a matrix; positions have 1 to 3
            return numbers.size() <= most_columns && (names == 0 || names == numbers.size());
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
        line = ++line_number == 1 ? without_mark(line) : line;
        if (!parse_numbers(line, numbers)) {
            throw InputError(fmt::format("{}: line {} is \"{}\", expected numbers{}", path, line_number,
                                         line.substr(0, line.find('\r')).substr(0, 60),
                                         row_count == 0 ? "; put # before a line of names" : ""));
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
