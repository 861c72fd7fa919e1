#include "app/report/page/page_text.hpp"

#include <fmt/format.h>

#include <sstream>

#include "data/pictures/svg_plot.hpp"

namespace recon {

std::vector<LogLine> log_lines(const RunRecord& record) {
    std::vector<LogLine> lines;
    for (const auto& stored : record.value("log", RunRecord::array())) {
        if (!stored.is_string()) {
            continue;
        }
        std::istringstream stream(stored.get<std::string>());
        LogLine line;
        std::string time;
        stream >> time >> line.level >> std::ws;
        std::getline(stream, line.text);
        lines.push_back(std::move(line));
    }
    return lines;
}

std::string table(const std::vector<std::pair<std::string, std::string>>& rows) {
    std::string text;
    for (const auto& [name, value] : rows) {
        if (!value.empty()) {
            text += fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", svg::escaped(name), svg::escaped(value));
        }
    }
    return text.empty() ? "" : "<table>\n" + text + "</table>\n";
}

std::string value_text(const RunRecord& record, const std::string& name) {
    const auto found = record.find(name);
    if (found == record.end() || found->is_null()) {
        return "";
    }
    if (found->is_string()) {
        return found->get<std::string>();
    }
    if (found->is_number_float()) {
        return fmt::format("{:.4g}", found->get<double>());
    }
    if (!found->is_array()) {
        return found->dump();
    }
    std::string text;
    for (const auto& element : *found) {
        text += (text.empty() ? "" : ", ") + (element.is_string() ? element.get<std::string>() : element.dump());
    }
    return text;
}

std::string section(const std::string& title, const std::string& contents) {
    return contents.empty() ? "" : fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", svg::escaped(title), contents);
}

}  // namespace recon
