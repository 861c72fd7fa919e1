#pragma once

#include <chrono>
#include <map>
#include <string>

namespace recon {

/// Seconds spent in each named stage of a run; a stage entered again adds up.
class StageTimer {
public:
    class Scope {
    public:
        Scope(StageTimer& timer, std::string stage) : timer_(timer), stage_(std::move(stage)) {}
        ~Scope() { timer_.seconds_[stage_] += seconds(); }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;
        double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

    private:
        using Clock = std::chrono::steady_clock;
        StageTimer& timer_;
        std::string stage_;
        Clock::time_point start_ = Clock::now();
    };

    /// The stage lasts until the returned scope ends.
    [[nodiscard]] Scope stage(std::string name) { return {*this, std::move(name)}; }
    const std::map<std::string, double>& seconds() const { return seconds_; }

private:
    std::map<std::string, double> seconds_;
};

}  // namespace recon
