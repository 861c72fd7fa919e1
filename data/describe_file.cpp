#include "data/describe_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "core/base/error.hpp"
#include "data/describe_image.hpp"
#include "data/describe_record.hpp"
#include "data/describe_scan.hpp"
#include "data/files/file_identity.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/reading/format.hpp"
#include "data/reading/placed_image_reader.hpp"
#include "data/reading/scan_reader.hpp"
#include "data/reading/stored/file_and_dataset.hpp"

namespace recon {
namespace {

std::string attribute_text(const H5File& file, const std::string& object, const std::string& name) {
    const H5Info info = file.attribute_info(object, name);
    constexpr Index shown = 8;
    if (info.element_count() > shown) {
        return info.text();
    }
    switch (info.kind) {
        case H5Kind::text: return fmt::format("{}", fmt::join(file.read_attribute<std::string>(object, name), ", "));
        case H5Kind::integer: return fmt::format("{}", fmt::join(file.read_attribute<Index>(object, name), ", "));
        case H5Kind::real: return fmt::format("{:.6g}", fmt::join(file.read_attribute<double>(object, name), ", "));
        case H5Kind::complex:
        case H5Kind::other: break;
    }
    return info.text();
}

/// Greatest magnitude of arrays that fit in memory without a thought.
std::string magnitude_text(const H5File& file, const std::string& dataset, const H5Info& info) {
    constexpr Index largest = Index{1} << 24;
    const bool numbers = info.kind == H5Kind::complex || info.kind == H5Kind::real || info.kind == H5Kind::integer;
    if (!numbers || info.element_count() > largest || info.element_count() == 0) {
        return "";
    }
    double greatest = 0;
    Index not_finite = 0;
    for (const cdouble& value : file.read<cdouble>(dataset)) {
        const double magnitude = std::abs(value);
        not_finite += std::isfinite(magnitude) ? 0 : 1;
        greatest = std::isfinite(magnitude) ? std::max(greatest, magnitude) : greatest;
    }
    return fmt::format(", magnitude up to {:.5g}{}", greatest,
                       not_finite > 0 ? fmt::format(", {} not finite", not_finite) : "");
}

void describe_group(const H5File& file, const std::string& group, int depth, std::string& text) {
    const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
    for (const std::string& name : file.attribute_names(group.empty() ? "/" : group)) {
        text += fmt::format("{}@{} = {}\n", indent, name, attribute_text(file, group.empty() ? "/" : group, name));
    }
    constexpr int deepest = 8;
    constexpr std::size_t longest = 100'000;
    for (const std::string& name : file.names_in(group.empty() ? "/" : group)) {
        const std::string path = group + "/" + name;
        if (text.size() > longest) {
            text += indent + "...\n";
            return;
        }
        if (file.has_dataset(path)) {
            const H5Info info = file.dataset_info(path);
            text += fmt::format("{}{}: {}{}\n", indent, name, info.text(), magnitude_text(file, path, info));
            for (const std::string& attribute : file.attribute_names(path)) {
                text += fmt::format("{}  @{} = {}\n", indent, attribute, attribute_text(file, path, attribute));
            }
        } else if (path == "/run" && file.has_dataset("/run/json")) {
            text += indent + "run/ (the record of the run, as `json` writes it)\n";
        } else if (file.has_group(path) && depth < deepest) {
            text += fmt::format("{}{}/\n", indent, name);
            describe_group(file, path, depth + 1, text);
        }
    }
}

/// How the image was made, where the file says so.
std::string record_text(const H5File& file) {
    if (!file.has_dataset("/run/json")) {
        return "";
    }
    const std::vector<std::string> record = file.read<std::string>("/run/json");
    return record.empty() ? "" : describe_record(RunRecord::parse(record.front(), nullptr, false));
}

/// Nothing where there is no image in it.
std::optional<std::string> image_description(const std::string& path, const Format& format) {
    try {
        return describe_image(path, format);
    } catch (const InputError&) {
        return std::nullopt;
    }
}

}  // namespace

std::string describe_file(const std::string& name, const ScanReadOptions& options) {
    std::error_code ignored;
    const auto [path, dataset] = parse_file_and_dataset(name);
    if (!dataset.empty()) {
        return describe_image(path, image_format_of(path), dataset);
    }
    if (!std::filesystem::exists(path, ignored)) {
        throw missing_file(path);
    }
    require_file_or_folder(path);
    const Format* const scan = format_of(path, &Format::scan_reader);
    const Format* const image = format_of(path, &Format::read_image);
    const Format* const array = format_of(path, &Format::read_array);
    if (scan != nullptr && scan != array) {
        try {
            return describe_scan(*scan->scan_reader(path), options);
        } catch (const InputError&) {
            // A stream may hold either.
            const auto text = scan == image ? image_description(path, *image) : std::nullopt;
            if (!text) {
                throw;
            }
            return *text;
        }
    }
    if (scan != nullptr) {  // it may be a scan, an image or maps: only the trajectory tells
        try {
            return describe_scan(*scan->scan_reader(path), options);
        } catch (const InputError& error) {
            return describe_array(path, *array) + line("as a scan", error.what());
        }
    }
    if (H5File::looks_like_hdf5(path)) {
        const H5File file = H5File::open(path);
        std::string text = file.has_dataset("/image") ? describe_image(path, *image) + record_text(file) + "\n" : "";
        text += fmt::format("{}: HDF5 file\n", path);
        describe_group(file, "", 1, text);
        return text;
    }
    if (image != nullptr) {
        return describe_image(path, *image);
    }
    if (array != nullptr) {
        return describe_array(path, *array);
    }
    if (const std::optional<RunRecord> record = record_of_file(path)) {
        return fmt::format("{}: record of a run, JSON\n", path) + describe_record(*record);
    }
    return describe_scan(*open_scan(path), options);
}

}  // namespace recon
