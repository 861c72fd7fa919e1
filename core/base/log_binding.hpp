#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/log.hpp"

namespace recon {

/// The lines of one run: to the terminal from a level on, and from `info` on kept. Threads may share it.
class Log {
public:
    /// @param terminal  lines below it stay out of stderr
    explicit Log(LogLevel terminal = LogLevel::off);
    ~Log();
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;

    void set_level(LogLevel terminal);
    /// What becomes of every line: the program makes its options of the settings that a line names in backticks.
    /// To be called before there are lines.
    void set_wording(std::function<std::string(const std::string& line)> wording);
    void write(LogLevel level, const std::string& line);
    /// To the history alone, as of level `info`.
    void keep(const std::string& line);
    std::vector<std::string> history() const;

    /// One line on stderr that is written over and over, until a line of the log takes its place or it is empty.
    void show_live(const std::string& line);

private:
    struct Sinks;
    std::unique_ptr<Sinks> sinks_;
};

/// As long as it lives, `log_info` and its kind write to `log` on this thread; null: nowhere. Ranks write where the
/// thread that starts them does. (docs/decisions/0009-what-a-run-binds.md)
class LogBinding {
public:
    explicit LogBinding(Log* log);
    ~LogBinding();
    LogBinding(const LogBinding&) = delete;
    LogBinding& operator=(const LogBinding&) = delete;

private:
    Log* before_;
};

/// null: none
Log* log_of_this_thread();

}  // namespace recon
