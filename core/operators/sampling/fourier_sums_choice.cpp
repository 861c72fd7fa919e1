#include "core/operators/sampling/fourier_sums_choice.hpp"

#include <fmt/format.h>

#include <limits>

#include "core/base/error.hpp"
#include "core/operators/sampling/nufft.hpp"

namespace recon {
namespace {

/// None where exact sums are asked for, or a NUFFT cannot reach the tolerance in this precision and need not.
std::optional<NufftDesign> design_for(const SumsOptions& options, Index sample_count, const VoxelGrid& grid) {
    if (options.method == SumsMethod::exact) {
        return std::nullopt;
    }
    try {
        return NufftDesign::best(grid, sample_count, options.tolerance, options.precision);
    } catch (const UsageError&) {
        if (options.method == SumsMethod::nufft) {
            throw;
        }
        return std::nullopt;
    }
}

std::string reason_for(const SumsOptions& options, const SumsChoice& choice) {
    const std::string name = choice.method == SumsMethod::exact ? "exact sums" : "NUFFT";
    if (options.method != SumsMethod::automatic) {
        return fmt::format("{}, as asked for", name);
    }
    return fmt::format("{}: predicted {:.2g} s by exact sums, {:.2g} s by NUFFT at tolerance {:.0e}", name,
                       choice.exact_seconds, choice.nufft_seconds, options.tolerance);
}

}  // namespace

SumsChoice choose_sums(const Backend& backend, const SumsOptions& options, Index sample_count, const VoxelGrid& grid,
                       Index transform_count) {
    SumsChoice choice{};
    choice.exact_seconds = backend.predicted_exact_seconds(grid, sample_count, transform_count, options.precision);
    choice.design = design_for(options, sample_count, grid);
    choice.nufft_seconds = choice.design ? backend.predicted_nufft_seconds(*choice.design, sample_count,
                                                                           transform_count, options.precision)
                                         : std::numeric_limits<double>::infinity();
    choice.method = options.method;
    if (choice.method == SumsMethod::automatic) {
        choice.method = choice.exact_seconds <= choice.nufft_seconds ? SumsMethod::exact : SumsMethod::nufft;
    }
    choice.reason = reason_for(options, choice);
    return choice;
}

FourierSumsSizes::FourierSumsSizes(const Backend& backend, const SumsChoice& choice, const SumsOptions& options,
                                   const VoxelGrid& grid, Index sample_count)
    : backend_(backend), precision_(options.precision), grid_(grid), sample_count_(sample_count) {
    if (choice.method == SumsMethod::nufft) {
        design_ = choice.design;
    }
}

PlanBytes FourierSumsSizes::bytes(Index image_count, std::size_t piece_bytes) const {
    return design_ ? Nufft::bytes(backend_, grid_, *design_, sample_count_, image_count, precision_, piece_bytes)
                   : backend_.plan_sizes().exact_sums(grid_, sample_count_, image_count, precision_, piece_bytes);
}

std::unique_ptr<FourierSums> make_fourier_sums(Backend& backend, const Trajectory& trajectory, const VoxelGrid& grid,
                                               const SumsChoice& choice, const SumsOptions& options) {
    if (choice.method == SumsMethod::exact) {
        return backend.make_exact_sums(trajectory, grid, options.precision);
    }
    return std::make_unique<Nufft>(backend, trajectory, grid, choice.design.value(), options.precision);
}

}  // namespace recon
