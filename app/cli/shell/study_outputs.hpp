#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "data/files/file_identity.hpp"

namespace recon {

/// A line on standard output, at once.
void print_line(const std::string& line);

/// A table on standard output, line by line. Its head comes with the first line: what is refused before has none.
class PrintedTable {
public:
    explicit PrintedTable(std::string head) : head_(std::move(head)) {}

    void line(const std::string& text);

private:
    std::string head_;  ///< empty: printed
};

/// Fails now rather than after the work. @throws UsageError if an output is an input, or another output; InputError if
/// one cannot be written
void probe_outputs(const std::vector<NamedFile>& outputs, const std::vector<NamedFile>& inputs = {});

/// Where they were asked for. @throws InputError
void write_json_if_asked(const std::string& path, const nlohmann::json& document);
void write_page_if_asked(const std::string& path, const std::string& page);

/// `--device` and `--threads`. @param help  of the device
void add_device_options(CLI::App& command, std::string& device, int& thread_count,
                        const std::string& help = "auto, cpu or cuda:N");

}  // namespace recon
