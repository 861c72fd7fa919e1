#pragma once

#include <CLI/CLI.hpp>
#include <istream>
#include <vector>

namespace recon {

/// The file of --config: TOML, in which each name is set once. CLI11 takes two lines of one name for a list.
class OptionsOnce final : public CLI::ConfigTOML {
public:
    /// @throws UsageError that tells the name that is set twice
    std::vector<CLI::ConfigItem> from_config(std::istream& input) const override;
};

}  // namespace recon
