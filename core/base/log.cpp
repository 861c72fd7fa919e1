#include "core/base/log.hpp"

#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <mutex>

#include "core/base/log_binding.hpp"

namespace recon {
namespace {

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

thread_local Log* log_of_thread = nullptr;

}  // namespace

struct Log::Sinks {
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

    std::shared_ptr<spdlog::sinks::stderr_color_sink_mt> terminal =
        std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
    std::shared_ptr<HistorySink> history = std::make_shared<HistorySink>();
    spdlog::logger logger{"recon", {terminal, history}};
    std::function<std::string(const std::string&)> wording;
    std::mutex mutex;
    bool has_live_line = false;

    Sinks() {
        logger.set_level(spdlog::level::debug);
        history->set_level(spdlog::level::info);
        terminal->set_pattern("%^%L%$ %T.%e %v");
        history->set_pattern("%Y-%m-%dT%T%z %l %v");
    }

    void clear_live_line() {
        if (has_live_line) {
            fmt::print(stderr, "\r\033[K");
            has_live_line = false;
        }
    }
};

Log::Log(LogLevel terminal) : sinks_(std::make_unique<Sinks>()) { set_level(terminal); }

Log::~Log() = default;

void Log::set_level(LogLevel terminal) { sinks_->terminal->set_level(to_spdlog(terminal)); }

void Log::set_wording(std::function<std::string(const std::string&)> wording) { sinks_->wording = std::move(wording); }

void Log::write(LogLevel level, const std::string& line) {
    const std::lock_guard lock(sinks_->mutex);
    sinks_->clear_live_line();
    sinks_->logger.log(to_spdlog(level), sinks_->wording ? sinks_->wording(line) : line);
}

void Log::keep(const std::string& line) {
    const std::lock_guard lock(sinks_->mutex);
    sinks_->history->log({"recon", spdlog::level::info, line});
}

std::vector<std::string> Log::history() const { return sinks_->history->lines(); }

void Log::show_live(const std::string& line) {
    const std::lock_guard lock(sinks_->mutex);
    sinks_->clear_live_line();
    if (!line.empty()) {
        fmt::print(stderr, "{}", line);
        sinks_->has_live_line = true;
    }
    std::fflush(stderr);
}

LogBinding::LogBinding(Log* log) : before_(log_of_thread) { log_of_thread = log; }

LogBinding::~LogBinding() { log_of_thread = before_; }

Log* log_of_this_thread() { return log_of_thread; }

void set_log_level(LogLevel level) {
    if (log_of_thread) {
        log_of_thread->set_level(level);
    }
}

std::vector<std::string> log_history() { return log_of_thread ? log_of_thread->history() : std::vector<std::string>(); }

void detail::write_log(LogLevel level, const std::string& line) {
    if (Log* const log = log_of_this_thread()) {
        log->write(level, line);
    }
}

}  // namespace recon
