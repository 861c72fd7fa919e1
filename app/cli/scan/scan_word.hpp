#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace recon {

/// The word that is neither an option nor a command must be a file. (No check of the option: options that are unknown
/// are told first.)
/// @throws CLI::ValidationError if it is rather a command misspelt, InputError if there is no such file
void require_existing_file(const std::string& word, const CLI::App& app);

/// Where no scan was given: one that was typed behind an option of several values is one of these.
/// @throws UsageError that names file and option, if there is one
void refuse_scan_taken_for_a_value(const CLI::App& app);

/// "brain-image.h5", beside the scan brain.h5. @throws UsageError if something else than an image is there
std::string image_path_beside(const std::string& scan_path);

}  // namespace recon
