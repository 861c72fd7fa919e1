#include "data/formats/mrd/mrd_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "data/formats/mrd/mrd_arrays.hpp"
#include "data/formats/mrd/mrd_hdf5_acquisitions.hpp"
#include "data/formats/mrd/mrd_header.hpp"
#include "data/formats/mrd/mrd_scan_builder.hpp"
#include "data/formats/mrd/mrd_sorting.hpp"

namespace recon {
namespace {

void collect_groups(const H5File& file, const std::string& group, int depth, std::vector<std::string>& found) {
    if (MrdHdf5Acquisitions::recognises(file, group + "/data") && file.has_dataset(group + "/xml")) {
        found.push_back(group);
        return;
    }
    for (const std::string& name : file.names_in(group.empty() ? "/" : group)) {
        const std::string path = group + "/" + name;
        if (depth > 0 && file.has_group(path)) {
            collect_groups(file, path, depth - 1, found);
        }
    }
}

/// What has to stay open as long as k-space may be asked for.
struct OpenMrd {
    explicit OpenMrd(const std::string& path) : file(H5File::open(path)), group(MrdReader::find_group(file).value()) {}
    H5File file;
    std::string group;
    std::optional<MrdHdf5Acquisitions> acquisitions;  ///< refers to the file
};

}  // namespace

std::optional<std::string> MrdReader::find_group(const H5File& file) {
    std::vector<std::string> found;
    constexpr int deepest = 3;
    collect_groups(file, "", deepest, found);
    if (found.empty()) {
        return std::nullopt;
    }
    const auto usual = std::find(found.begin(), found.end(), "/dataset");
    const std::string group = usual == found.end() ? found[0] : *usual;
    if (found.size() > 1) {
        log_warning("{}: {} groups hold acquisitions; reading {}", file.path(), found.size(), group);
    }
    return group;
}

StoredScan MrdReader::read(const ScanReadOptions& options) const {
    const auto open = std::make_shared<OpenMrd>(path_);
    const H5File& file = open->file;
    const std::string& group = open->group;
    const std::vector<std::string> xml = file.read<std::string>(group + "/xml");
    if (xml.size() != 1) {
        throw InputError(fmt::format("{}: {}/xml holds {} texts, expected 1 header", path_, group, xml.size()));
    }
    const ISMRMRD::IsmrmrdHeader header = parse_mrd_header(xml[0], path_);
    open->acquisitions.emplace(file, group + "/data");
    const MrdAcquisitions& acquisitions = *open->acquisitions;
    const MrdSorting sorting = sort_acquisitions(acquisitions.heads(), header, options.encoding_space, path_);

    StoredScan stored = build_mrd_scan(path_, {open, &acquisitions}, header, sorting, options);
    stored.scan.format = format();
    read_mrd_arrays(file, group, acquisitions.heads(), sorting, options, stored);
    return stored;
}

}  // namespace recon
