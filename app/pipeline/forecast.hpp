#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "app/pipeline/run.hpp"

namespace recon {

/// What work takes of a device's memory.
struct Forecast {
    std::size_t peak_bytes = 0;
    std::string peak_stage;  ///< name of the innermost stage that takes most
};

/// Does the work on a backend that books memory and computes nothing (core/backend/counting), without a word in the
/// log: a forecast that cannot disagree with the work. What depends on numbers must leave them alone there
/// (Device::listed).
/// @param like  the device that the forecast is for
/// @param piece_bytes  as MemoryBudget::piece_bytes
/// @param rank_count  of ranks that divide the work; the forecast is for the largest share
Forecast forecast(const Backend& like, std::size_t piece_bytes, Index rank_count,
                  const std::function<void(Run&)>& work);

}  // namespace recon
