#pragma once

#include "core/base/stopwatch.hpp"

namespace recon {

/// How long there may be something looked for, from now on.
class TimeLimit {
public:
    explicit TimeLimit(double most_seconds) : most_seconds_(most_seconds) {}

    bool is_over() const { return watch_.seconds() > most_seconds_; }

private:
    Stopwatch watch_;
    double most_seconds_;
};

}  // namespace recon
