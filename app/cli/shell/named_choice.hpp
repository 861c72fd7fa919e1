#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

namespace recon {

/// For options whose value is one of a few names, upper or lower case: each becomes what stands beside it.
template <class T>
auto named_choice(std::vector<std::pair<std::string, T>> names) {
    return CLI::CheckedTransformer(std::move(names), CLI::ignore_case).description("");
}

}  // namespace recon
