#pragma once

#include <string>

#include "app/cli/manual/option_list.hpp"

namespace recon {

// What completes a line of a shell: commands, options of the command that was named, values of options that have but a
// few, files for all else.

std::string bash_completion(const ListedCommand& program);
std::string zsh_completion(const ListedCommand& program);
std::string fish_completion(const ListedCommand& program);

}  // namespace recon
