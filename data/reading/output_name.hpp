#pragma once

#include <span>
#include <string>
#include <vector>

#include "data/files/file_identity.hpp"
#include "data/reading/format.hpp"

namespace recon {

/// Refuses the name of an output that ends like a file of another format than would be written. Names without an
/// ending, and endings that mean nothing here, are left alone; so is an empty name.
/// @param written  endings of what would be written there. @throws UsageError that lists them
void require_fitting_name(const NamedFile& output, const std::vector<std::string>& written);

/// The same of outputs whose option tells what is written: JSON for ...json, PNG for ...png, a page for ...report and
/// ...html. Others are left alone.
void require_fitting_names(std::span<const NamedFile> outputs);

/// For an output whose ending chooses among HDF5 and the formats with that role.
template <class Role>
std::vector<std::string> endings_with(Role Format::*role) {
    std::vector<std::string> endings{".h5", ".hdf5"};
    for (const Format* format : formats_with(role)) {
        const std::vector<std::string> more = extensions_of(*format);
        endings.insert(endings.end(), more.begin(), more.end());
    }
    return endings;
}

}  // namespace recon
