#pragma once

#include <CLI/CLI.hpp>
#include <istream>
#include <vector>

namespace recon {

/// The file of --config: TOML, in which each name is set once, and lists and texts end where they should. CLI11 takes
/// two lines of one name for a list, and a list without its bracket for one without its last character.
class StrictConfig final : public CLI::ConfigTOML {
public:
    /// @param app  whose options the file sets; outlives this
    explicit StrictConfig(const CLI::App& app) : app_(app) {}

    /// @throws UsageError that tells the name whose line is wrong
    std::vector<CLI::ConfigItem> from_config(std::istream& input) const override;

private:
    const CLI::App& app_;
};

}  // namespace recon
