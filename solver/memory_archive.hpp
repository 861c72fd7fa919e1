#pragma once

#include <complex>
#include <map>

#include "solver/archive.hpp"

namespace recon {

/// An archive in host memory: saves until `load` is called, and gives back from then on, as often as asked.
class MemoryArchive final : public Archive {
public:
    void load() { loads_ = true; }

    /// @throws Error when loading if there is nothing of that name, or if the array has another size
    void numbers(const std::string& name, std::vector<double>& values) override;
    void array(const std::string& name, ArrayView values) override;

private:
    bool loads_ = false;
    std::map<std::string, std::vector<double>> numbers_;
    std::map<std::string, std::vector<cdouble>> arrays_;  ///< double holds either precision exactly
};

}  // namespace recon
