#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace recon {

/// A line on standard output, at once.
void print_line(const std::string& line);

/// Fails now rather than after the work. @throws InputError if one of these files cannot be written; empty: none
void probe_outputs(const std::vector<std::string>& paths);

/// Where they were asked for. @throws InputError
void write_json_if_asked(const std::string& path, const nlohmann::json& document);
void write_page_if_asked(const std::string& path, const std::string& page);

/// `--device` and `--threads`. @param help  of the device
void add_device_options(CLI::App& command, std::string& device, int& thread_count,
                        const std::string& help = "auto, cpu or cuda:N");

}  // namespace recon
