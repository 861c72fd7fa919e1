#pragma once

#include <string>

#include "app/report/page/page_contents.hpp"

namespace recon {

/// One HTML page, complete in itself: warnings first, then images, uncertainty, coil maps, k-space, convergence,
/// spectrum, every decision with its reason, timings, and what makes the image again.
std::string report_page(const PageContents& contents);

/// The page of a run that failed: what went wrong, what was decided until then, and the command.
/// @param record  with what is known of it: options, log, command, version
std::string failure_page(const RunRecord& record, const std::string& error);

/// Writes it. @throws InputError if it cannot be written
void write_report(const PageContents& contents, const std::string& page_path);

}  // namespace recon
