#include "data/describe_record.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "data/describe_image.hpp"

namespace recon {
namespace {

/// Nothing where the record has no such text.
std::string text_at(const RunRecord& record, const char* key) {
    return record.contains(key) && record[key].is_string() ? record[key].get<std::string>() : "";
}

std::optional<double> number_at(const RunRecord& record, const char* key) {
    return record.contains(key) && record[key].is_number() ? std::optional(record[key].get<double>()) : std::nullopt;
}

std::string line_if(const std::string& name, const std::string& value) {
    return value.empty() ? "" : line(name, value);
}

std::string line_if(const char* name, const std::optional<double>& value, const char* form) {
    return value ? line(name, fmt::format(fmt::runtime(form), *value)) : "";
}

/// "scan"; "tv, wavelet" of those that were asked for.
std::string prior_of(const RunRecord& record) {
    const std::string of_scan = text_at(record, "prior");
    if (!of_scan.empty() || !record.contains("options") || !record["options"].is_object()) {
        return of_scan;
    }
    const RunRecord asked = record["options"].value("prior", RunRecord());
    std::string text = asked.is_string() ? asked.get<std::string>() : "";
    for (const RunRecord& name : asked.is_array() ? asked : RunRecord::array()) {
        text += (text.empty() ? "" : ", ") + (name.is_string() ? name.get<std::string>() : name.dump());
    }
    return text;
}

}  // namespace

std::string describe_record(const RunRecord& record) {
    if (!record.is_object()) {
        return "";
    }
    const std::string version = text_at(record, "version"), device = text_at(record, "backend_description");
    std::string text = line_if(
        "made by", version.empty() ? "" : fmt::format("recon {}{}{}", version, device.empty() ? "" : " on ", device));
    text += line_if("command", text_at(record, "command"));
    text += line_if("prior", prior_of(record));
    const auto in_all = number_at(record, "iterations_in_all");
    text += line_if("iterations", in_all ? in_all : number_at(record, "iterations"), "{:.0f}");
    const auto predicted = number_at(record, "predicted_error");
    text += line_if("predicted error", predicted ? std::optional(100 * *predicted) : std::nullopt, "{:.2g} %");
    text += line_if("resolution", number_at(record, "effective_resolution_mm"), "{:.3g} mm, effective");
    text += line_if("data residual", number_at(record, "data_residual"), "{:.4g}");
    if (record.contains("check") && record["check"].is_object()) {
        text += line_if("check", text_at(record["check"], "verdict"));
    }
    if (record.contains("seconds") && record["seconds"].is_object()) {
        text += line_if("time", number_at(record["seconds"], "total"), "{:.3g} s");
    }
    return text;
}

std::optional<RunRecord> record_of_file(const std::string& path) {
    constexpr std::uintmax_t largest = std::uintmax_t{1} << 28;
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored) || std::filesystem::file_size(path, ignored) > largest) {
        return std::nullopt;
    }
    std::ifstream file(path);
    if (file.peek() != '{') {
        return std::nullopt;
    }
    RunRecord record = RunRecord::parse(file, nullptr, false);
    const bool is_record = record.is_object() && record.contains("command") && record.contains("version");
    return is_record ? std::optional(std::move(record)) : std::nullopt;
}

}  // namespace recon
