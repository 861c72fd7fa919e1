#include "core/base/log.hpp"

#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <mutex>

namespace recon {
namespace {

class HistorySink final : public spdlog::sinks::base_sink<std::mutex> {
public:
    std::vector<std::string> lines() {
        const std::lock_guard lock(mutex_);
        return lines_;
    }

private:
    void sink_it_(const spdlog::details::log_msg& message) override {
        spdlog::memory_buf_t line;
        formatter_->format(message, line);
        lines_.emplace_back(line.data(), line.size() - 1);  // without the line end
    }
    void flush_() override {}

    std::vector<std::string> lines_;
};

struct Sinks {
    std::shared_ptr<spdlog::sinks::stderr_color_sink_mt> terminal =
        std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
    std::shared_ptr<HistorySink> history = std::make_shared<HistorySink>();
    spdlog::logger logger{"recon", {terminal, history}};

    Sinks() {
        logger.set_level(spdlog::level::debug);
        terminal->set_level(spdlog::level::info);
        history->set_level(spdlog::level::info);
        terminal->set_pattern("%^%L%$ %T.%e %v");
        history->set_pattern("%Y-%m-%dT%T%z %l %v");
    }
};

Sinks& sinks() {
    static Sinks instance;
    return instance;
}

thread_local bool this_thread_is_muted = false;

spdlog::level::level_enum to_spdlog(LogLevel level) {
    switch (level) {
        case LogLevel::debug: return spdlog::level::debug;
        case LogLevel::info: return spdlog::level::info;
        case LogLevel::warning: return spdlog::level::warn;
        case LogLevel::error: return spdlog::level::err;
        case LogLevel::off: break;
    }
    return spdlog::level::off;
}

}  // namespace

void set_log_level(LogLevel level) { sinks().terminal->set_level(to_spdlog(level)); }

std::vector<std::string> log_history() { return sinks().history->lines(); }

void mute_log_of_this_thread(bool muted) { this_thread_is_muted = muted; }

void detail::write_log(LogLevel level, const std::string& line) {
    if (!this_thread_is_muted) {
        sinks().logger.log(to_spdlog(level), line);
    }
}

}  // namespace recon
