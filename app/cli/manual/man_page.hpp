#pragma once

#include <string>

#include "app/cli/manual/option_list.hpp"

namespace recon {

/// "recon-simulate": what the command's page is called.
std::string man_page_name(const ListedCommand& command);

/// The page of one command in the language of man(7), without a date, so that the same program gives the same bytes.
/// @param program  the whole program, for the pages to see beside it
std::string man_page(const ListedCommand& command, const ListedCommand& program, const std::string& version);

}  // namespace recon
