#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace recon {

enum class LogLevel { debug, info, warning, error, off };

/// Lines of the log bound to this thread (log_binding.hpp) below this level stay out of the terminal.
void set_log_level(LogLevel level);

/// All lines of level `info` and above of the log that is bound to this thread; the output file stores them.
std::vector<std::string> log_history();

namespace detail {
void write_log(LogLevel level, const std::string& line);
}

template <class... Args>
void log_debug(fmt::format_string<Args...> format, Args&&... args) {
    detail::write_log(LogLevel::debug, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void log_info(fmt::format_string<Args...> format, Args&&... args) {
    detail::write_log(LogLevel::info, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void log_warning(fmt::format_string<Args...> format, Args&&... args) {
    detail::write_log(LogLevel::warning, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace recon
