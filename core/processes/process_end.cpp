// The last meeting of the processes (process_group.hpp).
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <csignal>
#include <optional>

#include "core/base/error.hpp"
#include "core/base/stopwatch.hpp"
#include "core/processes/patience.hpp"
#include "core/processes/process_group.hpp"

namespace recon {
namespace {

using Kind = MessageTransport::Kind;
using How = ProcessEnding::How;

/// All processes are over so long after the first of them has failed.
constexpr double longest_end_s = 8;
/// So long an MPI may take to finish that has lost some of its processes.
constexpr unsigned longest_finish_s = 1;
constexpr int exit_code_of_fault = 4;

/// Written by several threads where these stand for processes.
std::atomic<int> code_of_late_finish = 0;
static_assert(std::atomic<int>::is_always_lock_free);  // so that a signal handler may read it

extern "C" void finish_is_late(int) { _exit(code_of_late_finish); }

std::string packed(const ProcessEnding& ending) {
    return fmt::format("{} {} {}", static_cast<int>(ending.how), ending.exit_code, ending.text);
}

ProcessEnding unpacked(const std::string& text) {
    int how = 0, code = 0;
    const char* const end = text.data() + text.size();
    const char* next = std::from_chars(text.data(), end, how).ptr;
    next = std::from_chars(std::min(next + 1, end), end, code).ptr;
    return {static_cast<How>(how), code, std::string(std::min(next + 1, end), end)};
}

/// The message of that kind, or none within the time.
std::optional<MessageTransport::Message> wait_for(MessageTransport& transport, Kind kind, double seconds) {
    const Stopwatch watch;
    Patience patience;
    while (true) {
        if (auto message = transport.look(kind)) {
            return message;
        }
        if (watch.seconds() > seconds) {
            return std::nullopt;
        }
        patience.pause();
    }
}

}  // namespace

int ProcessGroup::end(ProcessEnding mine, const Say& say) {
    if (mine.how != How::done) {
        announce_failure();
        mine.exit_code = work_begun_ ? exit_code_of_fault : mine.exit_code;
    }
    ended_ = true;
    return rank() == 0 ? end_as_root(mine, say) : end_as_other(mine, say);
}

int ProcessGroup::end_as_root(const ProcessEnding& mine, const Say& say) {
    std::vector<std::optional<ProcessEnding>> endings(static_cast<std::size_t>(size()));
    endings.front() = mine;
    const bool said = mine.how == How::stopped;
    if (said) {
        say(mine.text);  // at once: a launcher may end this process before the others have answered
    }
    const Stopwatch watch;
    const auto is_there = [](const std::optional<ProcessEnding>& ending) { return ending.has_value(); };
    while (!std::ranges::all_of(endings, is_there)) {
        const auto report = wait_for(*transport_, Kind::report, longest_end_s - watch.seconds());
        if (!report) {
            break;
        }
        endings.at(static_cast<std::size_t>(report->from)) = unpacked(report->text);
    }
    const auto first_that = [&](How how) {
        return std::ranges::find_if(endings, [&](const auto& ending) { return ending && ending->how == how; });
    };
    const auto failed = first_that(How::failed);
    const auto stopped = first_that(How::stopped);
    const auto missing = std::ranges::find_if_not(endings, is_there);
    const auto rank_of = [&](auto ending) { return ending - endings.begin(); };
    int exit_code = mine.exit_code;
    if (failed != endings.end()) {
        exit_code = (*failed)->exit_code;
        const bool alike =
            std::ranges::all_of(endings, [&](const auto& ending) { return ending && ending->text == (*failed)->text; });
        say("error: " +
            (alike ? (*failed)->text : fmt::format("rank {} of {}: {}", rank_of(failed), size(), (*failed)->text)));
    } else if (stopped != endings.end()) {
        exit_code = (*stopped)->exit_code;
        if (!said) {
            say((*stopped)->text);
        }
    } else if (missing != endings.end()) {
        exit_code = exit_code_of_fault;
        say(fmt::format("error: rank {} of {} does not answer", rank_of(missing), size()));
    }
    for (int other = 1; other < size(); ++other) {
        transport_->post(other, Kind::verdict, std::to_string(exit_code));
    }
    if (missing != endings.end()) {
        transport_->end_all(exit_code);
    }
    finish(exit_code);
    return exit_code;
}

int ProcessGroup::end_as_other(const ProcessEnding& mine, const Say& say) {
    // Whoever was only dragged along waits for those who know why; whoever is done, for rank 0 to write the image.
    const bool knows = mine.how == How::failed || mine.how == How::stopped;
    transport_->post(0, Kind::report, packed(mine));
    constexpr double for_ever_s = 1e9;
    const auto verdict = wait_for(*transport_, Kind::verdict, knows ? longest_end_s : for_ever_s);
    if (!verdict) {
        say(fmt::format("{}rank {} of {}: {}", mine.how == How::failed ? "error: " : "", rank(), size(), mine.text));
        transport_->end_all(mine.exit_code);
    }
    const int exit_code = std::atoi(verdict->text.c_str());
    finish(exit_code);
    return exit_code;
}

void ProcessGroup::finish(int exit_code) {
    if (announced_ || others_failed_) {
        code_of_late_finish = exit_code;
        std::signal(SIGALRM, finish_is_late);
        alarm(longest_finish_s);
    }
    transport_->finish();
    alarm(0);
}

}  // namespace recon
