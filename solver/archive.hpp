#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/backend/array.hpp"

namespace recon {

/// Takes what a solver knows in the middle of its work, or gives it back: one visit serves both, so that they cannot
/// disagree. Values come back with the same bytes.
class Archive {
public:
    virtual ~Archive() = default;

    /// A list of any length. @param name  unique in the visit, such as "cg/residuals"
    virtual void numbers(const std::string& name, std::vector<double>& values) = 0;
    /// An array on its backend, whose shape and precision are known to both sides.
    virtual void array(const std::string& name, ArrayView values) = 0;

    void number(const std::string& name, double& value) {
        std::vector<double> one{value};
        numbers(name, one);
        value = one.at(0);
    }
    /// An integer up to 2^53, a truth value or an enumerator.
    template <class Integer>
    void count(const std::string& name, Integer& value) {
        auto exact = static_cast<double>(value);
        number(name, exact);
        value = static_cast<Integer>(exact);
    }
    void text(const std::string& name, std::string& value) {
        std::vector<double> codes(value.begin(), value.end());
        numbers(name, codes);
        value.assign(codes.begin(), codes.end());
    }
    template <class T>
    void optional(const std::string& name, std::optional<T>& value) {
        bool is_there = value.has_value();
        count(name, is_there);
        if (is_there) {
            visit(*this, value ? *value : value.emplace());
        } else {
            value.reset();
        }
    }
};

}  // namespace recon
