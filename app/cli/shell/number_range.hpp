#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace recon {

/// Every option that takes a number says by one of these which it takes: NaN, infinities and what cannot be meant are
/// refused with the range. tests/app/cli/number_options_test.cpp goes through all options.

/// A number from `least` to `most`.
CLI::Validator number_from(double least, double most);
/// A number of that kind, or one of the words.
CLI::Validator number_or(const CLI::Validator& number, const std::vector<std::string>& words);
/// A number above `limit`, up to `most`.
CLI::Validator number_above(double limit, double most);
/// The same, or "inf", which means that there is no such thing.
CLI::Validator number_above_or_infinite(double limit, double most);
/// A whole number from `least` to `most`.
CLI::Validator whole_number(double least, double most);
/// Threads: as many as make sense on this machine.
CLI::Validator threads();
/// Seeds of random numbers.
CLI::Validator seeds();

}  // namespace recon
