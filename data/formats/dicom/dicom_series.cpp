#include "data/formats/dicom/dicom_series.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/number_text.hpp"
#include "core/base/parse_number.hpp"

namespace recon {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> dicom_files_in(const std::string& folder) {
    std::vector<std::string> paths;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        if (entry.is_regular_file() && DicomFile::looks_like_one(entry.path().string())) {
            paths.push_back(entry.path().string());
        }
    }
    std::ranges::sort(paths);
    return paths;
}

Index instance_number(const DicomFile& file) { return parse_number<Index>(file.text(DCM_InstanceNumber)).value_or(0); }

/// "/5 (t1_mprage, 192 files)"
std::string name_of_series(const std::vector<DicomFile>& series) {
    const DicomFile& first = series.front();
    return fmt::format("/{} ({}, {})", first.text(DCM_SeriesNumber), first.text(DCM_SeriesDescription),
                       counted(static_cast<Index>(series.size()), "file"));
}

}  // namespace

std::vector<DicomFile> dicom_series(const std::string& path, const std::string& series) {
    std::vector<DicomFile> files;
    if (!fs::is_directory(path)) {
        if (!series.empty()) {
            throw InputError(fmt::format("{}: a DICOM file has no series {}; name its folder", path, series));
        }
        files.emplace_back(path);
        return files;
    }
    std::map<std::string, std::vector<DicomFile>> found;
    for (const std::string& name : dicom_files_in(path)) {
        DicomFile file(name);
        const bool is_wanted = series.empty() || "/" + file.text(DCM_SeriesNumber) == series;
        if (file.has_pixels() && is_wanted) {
            found[file.text(DCM_SeriesInstanceUID)].push_back(std::move(file));
        }
    }
    if (found.empty()) {
        throw InputError(fmt::format("{}: has no DICOM images{}", path, series.empty() ? "" : " of series " + series));
    }
    if (found.size() > 1) {
        std::vector<std::string> names;
        for (const auto& [uid, members] : found) {
            names.push_back(name_of_series(members));
        }
        std::ranges::sort(names);
        throw InputError(
            fmt::format("{}: has {} series, {}; expected one: FOLDER:{} takes that one, or move it to a "
                        "folder of its own",
                        path, found.size(), fmt::join(names, ", "), names.front().substr(0, names.front().find(' '))));
    }
    files = std::move(found.begin()->second);
    std::ranges::stable_sort(files, {}, instance_number);
    return files;
}

}  // namespace recon
