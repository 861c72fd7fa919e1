#pragma once

#include <cstddef>
#include <string>

#include "app/cli/manual/option_list.hpp"

namespace recon {

/// "recon simulate --out TEXT [OPTIONS]"
std::string usage(const ListedCommand& command);

/// What --help prints: usage, examples, commands and options, in lines of at most `width` characters. Lines of the
/// sources that begin with a space (examples) stay as they are.
std::string help_text(const ListedCommand& command, std::size_t width);

/// Columns of the terminal that stdout is, from 60 to 120; 100 where it is none.
std::size_t help_width();

}  // namespace recon
