#pragma once

#include <string>

namespace recon::ladder {

/// A self-contained page: style, no scripts, nothing loaded. @param body  HTML
std::string html_page(const std::string& title, const std::string& body);

}  // namespace recon::ladder
