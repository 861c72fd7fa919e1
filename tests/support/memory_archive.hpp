#pragma once

#include <map>

#include "solver/archive.hpp"

namespace recon::test {

/// An archive in host memory: saves until `load` is called, and gives back from then on, as often as asked.
class MemoryArchive final : public Archive {
public:
    void load() { loads_ = true; }

    void numbers(const std::string& name, std::vector<double>& values) override {
        if (loads_) {
            values = numbers_.at(name);
        } else {
            numbers_[name] = values;
        }
    }

    void array(const std::string& name, ArrayView values) override {
        if (loads_) {
            upload(arrays_.at(name), values);
        } else {
            arrays_[name] = download<double>(values);
        }
    }

private:
    bool loads_ = false;
    std::map<std::string, std::vector<double>> numbers_;
    std::map<std::string, std::vector<cdouble>> arrays_;  ///< double holds either precision exactly
};

}  // namespace recon::test
