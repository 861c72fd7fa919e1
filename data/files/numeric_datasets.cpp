#include "data/files/numeric_datasets.hpp"

namespace recon {
namespace {

void collect(const H5File& file, const std::string& group, std::vector<std::string>& found) {
    constexpr std::size_t enough = 1000;  // groups may link to each other in circles
    for (const std::string& name : file.names_in(group.empty() ? "/" : group)) {
        const std::string path = group + "/" + name;
        if (found.size() >= enough || path.size() >= enough) {
            return;
        }
        if (file.has_dataset(path)) {
            if (is_numeric(file.dataset_info(path))) {
                found.push_back(path);
            }
        } else if (file.has_group(path)) {
            collect(file, path, found);
        }
    }
}

}  // namespace

bool is_numeric(const H5Info& info) {
    return (info.kind == H5Kind::complex || info.kind == H5Kind::real || info.kind == H5Kind::integer) &&
           info.element_count() > 0;
}

std::vector<std::string> numeric_datasets(const H5File& file) {
    std::vector<std::string> found;
    collect(file, "", found);
    return found;
}

}  // namespace recon
