#include "app/cli/shell/study_outputs.hpp"

#include <cstdio>
#include <span>

#include "app/cli/shell/number_range.hpp"
#include "data/files/atomic_output.hpp"
#include "data/files/json_writer.hpp"
#include "data/files/write_bytes.hpp"
#include "data/reading/output_name.hpp"

namespace recon {

void print_line(const std::string& line) {
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
}

void PrintedTable::line(const std::string& text) {
    if (!head_.empty()) {
        print_line(head_);
        head_.clear();
    }
    print_line(text);
}

void probe_outputs(const std::vector<NamedFile>& outputs, const std::vector<NamedFile>& inputs) {
    require_outputs_apart(inputs, outputs);
    require_fitting_names(outputs);
    for (const NamedFile& output : outputs) {
        if (!output.path.empty()) {
            const AtomicOutput probe(output.path);
        }
    }
}

void write_json_if_asked(const std::string& path, const nlohmann::json& document) {
    if (!path.empty()) {
        write_json(path, document);
    }
}

void write_page_if_asked(const std::string& path, const std::string& page) {
    if (!path.empty()) {
        write_bytes(path, std::as_bytes(std::span(page)));
    }
}

void add_device_options(CLI::App& command, std::string& device, int& thread_count, const std::string& help) {
    command.add_option("--device", device, help)->capture_default_str();
    command.add_option("--threads", thread_count, "CPU threads (default: all cores)")->check(threads());
}

}  // namespace recon
