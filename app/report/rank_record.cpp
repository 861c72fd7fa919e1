#include "app/report/rank_record.hpp"

#include <algorithm>

#include "app/report/run_record.hpp"
#include "core/base/log.hpp"

namespace recon {
namespace {

double work_of(const RunRecord& rank) { return rank.at("seconds").get<double>() - rank.at("waited").get<double>(); }

void log_balance(const RunRecord& ranks) {
    double sum = 0, waited = 0, total = 0;
    std::size_t busiest = 0;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        sum += work_of(ranks[i]);
        waited += ranks[i].at("waited").get<double>();
        total += ranks[i].at("seconds").get<double>();
        busiest = work_of(ranks[i]) > work_of(ranks[busiest]) ? i : busiest;
    }
    const double mean = sum / static_cast<double>(ranks.size());
    const double most = work_of(ranks[busiest]);
    log_info("ranks: {} worked {:.2f} s on average, {:.0f} % of their time was waiting and messages", ranks.size(),
             mean, total > 0 ? 100 * waited / total : 0);
    constexpr double uneven = 1.15;
    constexpr double worth_a_word_s = 1;
    if (most > uneven * mean && most - mean > worth_a_word_s) {
        log_info("ranks: uneven: rank {} (of {}) worked {:.2f} s, {:.0f} % more than the average", busiest,
                 ranks[busiest].at("host").get<std::string>(), most, 100 * (most / mean - 1));
    }
}

}  // namespace

RunRecord ranks_record(const Team& team, const RankWork& work) {
    ProcessGroup& group = *team.processes;
    const RunRecord own = {{"rank", group.rank()},
                           {"group", team.group()},
                           {"part", group.rank() - team.groups.ranks_of(team.group()).first},
                           {"host", group.place().host},
                           {"device", team.first().description()},
                           {"threads", work.thread_count},
                           {"seconds", work.seconds},
                           {"waited", work.waited_seconds},
                           {"memory_booked_peak_bytes", team.first().memory().peak()},
                           {"memory_peak_bytes", memory_peak_bytes()}};
    RunRecord all = RunRecord::array();
    for (const std::string& text : group.texts_of_ranks(own.dump())) {
        all.push_back(RunRecord::parse(text));
    }
    if (group.rank() == 0) {
        log_balance(all);
    }
    return all;
}

}  // namespace recon
