#include "core/operators/sampling/fourier_sums_choice.hpp"

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace recon {
namespace {

SumsChoice choice_of(const Backend& backend, const SamplingKind& kind, const SamplingSite& site) {
    std::shared_ptr<const SamplingDesign> design = kind.design(backend, site);
    const double seconds = design->predicted_seconds(backend);
    return {SumsMethod::named(kind.name), std::move(design), seconds, std::string(kind.title)};
}

}  // namespace

SumsChoice choose_sums(const Backend& backend, const SumsOptions& options, Index sample_count, const VoxelGrid& grid,
                       Index transform_count) {
    const SamplingSite site{grid, sample_count, transform_count, options.tolerance, options.precision};
    if (options.method != SumsMethod::automatic) {
        SumsChoice choice = choice_of(backend, sampling_kinds().get(options.method.name()), site);
        choice.reason += ", as asked for";
        return choice;
    }
    SumsChoice best;
    std::string predictions;
    for (const SamplingKind* kind : sampling_kinds().all()) {
        try {
            SumsChoice choice = choice_of(backend, *kind, site);
            predictions +=
                fmt::format("{}{:.2g} s by {}", predictions.empty() ? "" : ", ", choice.seconds, kind->title);
            if (!best.design || choice.seconds < best.seconds) {
                best = std::move(choice);
            }
        } catch (const UsageError&) {  // not as accurate as that
        }
    }
    if (!best.design) {
        throw UsageError(fmt::format("no way to sum is accurate to {:.0e} in {} precision", options.tolerance,
                                     name_of(options.precision)));
    }
    best.reason += fmt::format(": predicted {} at tolerance {:.0e}", predictions, options.tolerance);
    return best;
}

std::unique_ptr<FourierSums> make_fourier_sums(Backend& backend, const Trajectory& trajectory,
                                               const SumsChoice& choice) {
    return choice.design->make(backend, trajectory);
}

}  // namespace recon
