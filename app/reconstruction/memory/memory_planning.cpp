#include "app/reconstruction/memory/memory_planning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include "app/reconstruction/memory/memory_prediction.hpp"
#include "core/base/available_memory.hpp"
#include "core/base/error.hpp"

namespace recon {
namespace {

/// Pieces below this do not keep a device busy: before that, what can be on the host goes there.
constexpr std::size_t smallest_good_piece = std::size_t{64} << 20;
constexpr std::size_t largest_piece = std::size_t{1} << 30;
constexpr std::size_t smallest_piece = std::size_t{64} << 10;

/// Ways to divide the work, the ones that cost least first. K-space is needed a few times a frame, coil maps in every
/// iteration.
std::vector<MemoryPieces> ways_to_divide(bool has_coil_maps) {
    using enum Residency;
    std::vector<MemoryPieces> ways{{MemoryBudget::unlimited, resident, resident}};
    for (std::size_t piece = largest_piece; piece >= smallest_good_piece; piece /= 2) {
        ways.push_back({piece, resident, resident});
        ways.push_back({piece, streamed, resident});
    }
    for (std::size_t piece = largest_piece; piece >= smallest_piece; piece /= 2) {
        if (has_coil_maps) {
            ways.push_back({piece, streamed, streamed});
        } else if (piece < smallest_good_piece) {
            ways.push_back({piece, streamed, resident});
        }
    }
    return ways;
}

/// What the reconstruction may occupy in all: below the limit, and no more than there is. What the host holds already
/// is part of both.
std::size_t available_bytes(const Backend& backend, std::size_t already) {
    const std::size_t free_bytes = backend.memory_free_bytes();
    const std::size_t left = backend.memory().left();
    // Room for libraries that allocate by themselves, and for memory in pieces that do not fit.
    constexpr double usable = 0.97;
    return left <= free_bytes
               ? left
               : std::min(left, static_cast<std::size_t>(usable * static_cast<double>(free_bytes)) + already);
}

MemoryPlan plan_of(const MemoryPrediction& prediction, const MemoryPieces& pieces) {
    MemoryPlan plan;
    static_cast<MemoryPieces&>(plan) = pieces;
    plan.stages = prediction.stages(pieces);
    const auto peak = std::ranges::max_element(plan.stages, {}, &MemoryStage::bytes);
    plan.peak_bytes = peak->bytes;
    plan.peak_stage = peak->name;
    plan.coil_count = prediction.coil_count();
    plan.coils_at_once = prediction.coils_at_once(pieces);
    plan.map_coils_at_once = prediction.streamed_coils_at_once(pieces);
    return plan;
}

}  // namespace

MemoryPlan plan_memory(const Scan& scan, const Backend& backend, const ReconstructOptions& options, Index rank_count) {
    const MemoryPrediction prediction(scan, backend, options, rank_count);
    const std::size_t host_bytes = backend.memory_is_host() ? prediction.host_bytes() : 0;
    const std::size_t available = available_bytes(backend, prediction.held_bytes());
    std::optional<MemoryPlan> smallest;
    for (const MemoryPieces& pieces : ways_to_divide(prediction.has_coil_maps())) {
        MemoryPlan plan = plan_of(prediction, pieces);
        plan.host_bytes = host_bytes;
        plan.available_bytes = available;
        plan.sums = prediction.sums();
        if (plan.peak_bytes <= available) {
            return plan;
        }
        if (!smallest || plan.peak_bytes < smallest->peak_bytes) {
            smallest = std::move(plan);
        }
    }
    const bool limited = backend.memory().limit() < MemoryBudget::unlimited;
    const std::string there_is = limited                    ? "is the `memory_limit`"
                                 : backend.memory_is_host() ? "is free (" + available_memory().limited_by + ")"
                                                            : "is free";
    throw DeviceError(fmt::format(
        "{}: the reconstruction needs at least {} ({}), {} {}; {}reconstruct a smaller "
        "`matrix`{}",
        backend.name(), memory_text(smallest->peak_bytes), smallest->peak_stage, memory_text(available), there_is,
        limited ? "raise `memory_limit`, or " : "", backend.memory_is_host() ? "" : ", or use `device` cpu"));
}

std::size_t parse_memory_size(const std::string& text, const std::string& option) {
    const auto refuse = [&] {
        throw UsageError(
            option + " " + text +
            ": expected a size in bytes such as 500M, 2G or 1.5GiB (units k, M, G, T; KiB, MiB, GiB, TiB)");
    };
    double number = 0;
    std::size_t end = 0;
    try {
        number = std::stod(text, &end);
    } catch (const std::exception&) {
        refuse();
    }
    std::string unit;
    for (; end < text.size(); ++end) {
        if (text[end] != ' ') {
            unit += static_cast<char>(std::tolower(static_cast<unsigned char>(text[end])));
        }
    }
    double factor = 1;
    if (!unit.empty() && unit != "b") {
        const std::size_t power = std::string("kmgt").find(unit[0]);
        const std::string rest = unit.substr(1);
        if (power == std::string::npos || (rest != "" && rest != "b" && rest != "ib")) {
            refuse();
        }
        factor = std::pow(rest == "ib" ? 1024.0 : 1000.0, static_cast<double>(power + 1));
    }
    const double bytes = number * factor;
    if (!(bytes >= 1) || bytes > 1e18) {
        refuse();
    }
    return static_cast<std::size_t>(bytes);
}

}  // namespace recon
