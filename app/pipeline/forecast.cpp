#include "app/pipeline/forecast.hpp"

#include "core/backend/counting/counting_backend.hpp"
#include "core/base/log_binding.hpp"
#include "core/parallel/first_rank.hpp"

namespace recon {

Forecast forecast(const Backend& like, std::size_t piece_bytes, Index rank_count,
                  const std::function<void(Run&)>& work) {
    const LogBinding silent(nullptr);
    const std::unique_ptr<Backend> books = make_counting_backend(like);
    books->memory().set_piece_bytes(piece_bytes);
    FirstRank rank(rank_count);
    RunControl control;
    Run run(*books, rank, control);
    work(run);
    Forecast result{books->memory().peak(), {}};
    std::size_t most = 0;
    for (const auto& [stage, cost] : control.stages.costs()) {
        if (cost.peak_bytes > most) {
            most = cost.peak_bytes;
            result.peak_stage = name_of(stage);
        }
    }
    return result;
}

}  // namespace recon
