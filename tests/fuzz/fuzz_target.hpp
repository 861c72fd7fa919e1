#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.hpp"

namespace recon::test {

using Bytes = std::span<const std::byte>;

/// A reader or parser that must take any bytes: it reads them, or throws an Error that is no defect of ours.
struct FuzzTarget {
    std::string name;
    std::function<void(Bytes)> run;
    std::function<std::vector<std::string>()> seeds;  ///< bytes that it takes, to begin with
};

/// All of them, by name.
const std::vector<FuzzTarget>& fuzz_targets();
const FuzzTarget& fuzz_target(const std::string& name);

/// Runs the target. Ends the process, after a line, if anything is thrown but a refusal of the input.
void require_survival(const FuzzTarget& target, Bytes bytes);

/// A defect of ours, or what a sanitizer has found in the process that reads (data/files/reading_process).
bool is_finding(const Error& error);

/// From now on a file is read in one of its roles, which its bytes choose, not in all of them: several times as many
/// can be.
void read_in_one_role_each();

// fuzz_target.cpp makes its list of these.
std::vector<FuzzTarget> option_targets();
std::vector<FuzzTarget> text_targets();
std::vector<FuzzTarget> file_targets();

inline std::string text_of_bytes(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

inline FuzzTarget text_target(const std::string& name, std::function<void(const std::string&)> parse,
                              std::vector<std::string> seeds) {
    return {name, [parse = std::move(parse)](Bytes bytes) { parse(text_of_bytes(bytes)); },
            [seeds = std::move(seeds)] { return seeds; }};
}

}  // namespace recon::test
