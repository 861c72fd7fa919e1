#pragma once

#include <functional>

#include "solver/archive.hpp"

namespace recon {

/// Where solvers leave what they have come to, so that a later run of the program takes it up: the same course in the
/// same order. What begins may hold others, which end before it does.
class SolutionKeeper {
public:
    using Visit = std::function<void(Archive&)>;

    virtual ~SolutionKeeper() = default;

    /// Something begins. @return whether an earlier run has come to its end: `result` has been visited, and it is over
    virtual bool begin(const Visit& result) = 0;
    /// It goes on by steps that depend on `state`: visited now if an earlier run stopped between two of them, and after
    /// steps to come. What it refers to lives until the end.
    virtual void go_on(Visit state) = 0;
    /// After each step.
    virtual void step_done() = 0;
    /// The end of what began last.
    virtual void end(const Visit& result) = 0;
};

}  // namespace recon
