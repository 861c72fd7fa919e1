#include "data/files/numeric_datasets.hpp"

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace recon {
namespace {

constexpr int deepest = 32;  // groups that lead back to themselves are deeper than any
constexpr std::size_t most_groups = 10'000;

struct DatasetWalk {
    std::vector<std::string> found;
    std::size_t group_count = 0;
};

void collect(const H5File& file, const std::string& group, int depth, DatasetWalk& walk) {
    if (depth > deepest || ++walk.group_count > most_groups) {
        constexpr std::size_t shown = 60;
        throw InputError(
            fmt::format("{}: groups lie in each other without end, or too deep ({} levels, {} groups): "
                        "{}...; expected at most {} levels",
                        file.path(), depth, walk.group_count, group.substr(0, shown), deepest));
    }
    constexpr std::size_t enough = 1000;
    std::vector<std::string>& found = walk.found;
    for (const std::string& name : file.names_in(group.empty() ? "/" : group)) {
        const std::string path = group + "/" + name;
        if (found.size() >= enough) {
            return;
        }
        if (file.has_dataset(path)) {
            if (is_numeric(file.dataset_info(path))) {
                found.push_back(path);
            }
        } else if (file.has_group(path)) {
            collect(file, path, depth + 1, walk);
        }
    }
}

}  // namespace

bool is_numeric(const H5Info& info) {
    return (info.kind == H5Kind::complex || info.kind == H5Kind::real || info.kind == H5Kind::integer) &&
           info.element_count() > 0;
}

std::vector<std::string> numeric_datasets(const H5File& file) {
    DatasetWalk walk;
    collect(file, "", 0, walk);
    return walk.found;
}

}  // namespace recon
