#include "app/reconstruction/scan_prior/local_passes.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "app/reconstruction/scan_prior/error_beside_image.hpp"
#include "app/reconstruction/scan_prior/hardly_seen.hpp"
#include "app/reconstruction/scan_prior/terms/local_term.hpp"
#include "core/base/log.hpp"

namespace recon {
namespace {

constexpr int most_local_passes = 6;
constexpr double trusted_edges = 0.25;  ///< error of an image whose edges may be read once more, as a part of it
constexpr double some_of_error = 0.5;   ///< by which the first pass moves an image that is read once more
constexpr double most_of_error = 1.0;   ///< that the first pass moves the image by; 0.2 to 0.9 is usual
constexpr double not_believed = 2.2;    ///< by any pass; up to 2.1 where the model is right

std::shared_ptr<const SharpenedGradient> gradient_of(const ScanEvidence& evidence, const FoundSpectrum& found) {
    const auto stage = evidence.problem.context().run.stage(Stage::start);
    return std::make_shared<const SharpenedGradient>(evidence.problem, found.term);
}

Array difference(ConstArrayView a, const Array& b) {
    Array result = b.clone();
    b.backend().axpby(1, a, -1, result);
    return result;
}

/// Between two estimates of the error, their geometric mean: what is left of that of the spectrum, as the better one
/// of two images of the same data is nearer to the truth by what they differ in; and the sample of the pass, which is
/// surer than it should be, as v was read off the image that it is the prior of. Where that image shows no edges, what
/// is left (docs/default-image.md).
/// @param error_of_spectrum, sample  size_beside_image, of the spectrum and of the pass
/// @param changed  |image - image of the spectrum|
double error_told(double error_of_spectrum, double changed, double sample) {
    constexpr double no_less = 0.6, no_edges = 0.25;
    const double of_pass = std::max(sample, no_less * error_of_spectrum);
    const double squared = error_of_spectrum * error_of_spectrum - changed * changed;
    const double left = std::sqrt(std::max(squared, of_pass * of_pass));
    return changed < no_edges * error_of_spectrum ? left : std::sqrt(left * of_pass);
}

/// Takes as much of the pass as brings the image nearest to what the data would be without noise.
/// @param balance  of the image of the pass
void mix(const ScanEvidence& evidence, const FoundSpectrum& found, const Array& of_spectrum,
         const NoiseBalance& balance, ScanSolutions& solutions, LocalPrior& local) {
    local.share =
        share_of_least_risk(evidence.problem, *found.balance, balance, difference(solutions.image(), of_spectrum));
    solutions.mix_image(local.share, of_spectrum);
    log_debug("scan prior: the noise doubts the local pass; {:.2f} of it", local.share);
}

/// What the noise says of an image of a pass, and by how much that differs from the one of the spectrum.
struct JudgedPass {
    NoiseBalance balance;
    bool is_doubted;
    double changed;
    double sample;  ///< size_beside_image
};

/// Of the image as it is. Sets the error that is told.
/// @param left_over  energy by which the image may miss the solution of the pass
JudgedPass judge(const ScanEvidence& evidence, const FoundSpectrum& found, const Array& of_spectrum,
                 double error_of_spectrum, double left_over, const ScanSolutions& solutions, LocalPrior& local) {
    const double changed = norm(difference(solutions.image(), of_spectrum));
    const double sample = size_beside_image(solutions.error(), solutions.image());
    local.error_size = error_told(error_of_spectrum, changed, sample);
    log_debug("scan prior: local pass {}: error {:.4g} by the spectrum, {:.4g} changed, {:.4g} by a sample",
              local.passes, error_of_spectrum, changed, sample);
    Run& run = evidence.problem.context().run;
    const auto stage = run.stage(Stage::start);
    NoiseBalance balance = balance_of(evidence, found, of_spectrum, solutions);
    const bool is_doubted = run.decided("local pass is doubted", [&] {
        return balance.energy() > found.energy + left_over || !evidence.problem.backend().computes();
    });
    return {std::move(balance), is_doubted, changed, sample};
}

/// @param part  of the image
bool is_within(double part, double error_size, ConstArrayView image) { return error_size < part * norm(image); }

}  // namespace

void begin_pass(const ScanEvidence& evidence, const FoundSpectrum& found, ConstArrayView image, ConstArrayView error,
                ScanSolutions& solutions, LocalPrior& local) {
    const auto stage = evidence.problem.context().run.stage(Stage::start);
    local.differences.reset();
    solutions.end_prior();
    Array of_image = local.gradient->of(image), of_error = local.gradient->of(error);
    const LocalVariance variance = local_variance(of_image, of_error);
    LocalTerm term = local_term(evidence.problem, *local.gradient, evidence.priors.support.get(), variance,
                                local.noise_variance, evidence.sensitivity_or_null());
    local.differences = term.differences;
    solutions.begin_prior(term.scan, found.noise.white);
}

double LocalPrior::told_error() const {
    constexpr double too_small = 2;  // of the sample's energy, where hardly anything is seen
    return std::sqrt((1 - hardly_seen) * error_size * error_size +
                     hardly_seen * too_small * error_of_spectrum * error_of_spectrum);
}

LocalPrior find_local_prior(const ScanEvidence& evidence, const FoundSpectrum& found, bool may_start_anew,
                            ScanSolutions& solutions) {
    Run& run = evidence.problem.context().run;
    const bool decides = evidence.problem.backend().computes();  // else it takes the memory of all that may come
    const Array of_spectrum = solutions.copy_of_image();
    const double error_of_spectrum = norm(solutions.error());
    LocalPrior local;
    local.error_of_spectrum = error_of_spectrum;
    double told_of_spectrum = 0;
    {
        const auto stage = run.stage(Stage::start);
        told_of_spectrum = size_beside_image(solutions.error(), of_spectrum);
        local.hardly_seen = part_hardly_seen(evidence, solutions);
        log_debug("scan prior: {:.3f} of the error lies where the object is hardly seen", local.hardly_seen);
    }
    local.noise_variance = found.response.deciding_variance > 0 ? found.response.deciding_variance
                                                                : evidence.statistics.weighted(found.noise).white;
    local.gradient = gradient_of(evidence, found);
    // What creeps up in a pass although nothing did before is no more than what the pass believes of the corners of
    // k-space, half of it in 3-D, where it believes too much.
    const bool rests =
        run.decided("rest is true", [&] { return evidence.axis_count == 3 && solutions.rest_is_true(); });
    std::optional<JudgedPass> pass;  // none once the run is to stop
    const auto solve = [&](const SolutionAccuracy& of_image, const SolutionAccuracy& of_sample, double left_over) {
        solutions.solve_image(of_image, "local pass");
        solutions.sample_error(0, *found.noise_draw, rests ? of_sample.energy_alone() : of_sample);
        pass.reset();
        if (!solutions.interrupted()) {
            pass.emplace(judge(evidence, found, of_spectrum, told_of_spectrum, left_over, solutions, local));
        }
    };
    // Of a nearly right image the edges are read once more in any case, and the first pass is not solved to the end.
    bool is_rough =
        run.decided("first pass is rough", [&] { return is_within(nearly_right, error_of_spectrum, of_spectrum); });
    std::optional<Array> last;  // image of the pass before
    bool last_is_rough = false;
    const auto may_move = [&] {  // without being read again; part of what a rough pass left undone is no new reading
        if (last) {
            return last_is_rough ? error_of_spectrum : local.error_size;
        }
        return is_rough ? 0 : some_of_error * local.error_size;
    };
    double error_before = told_of_spectrum;
    for (local.passes = 1;; ++local.passes) {
        if (local.passes > 1) {
            last.reset();  // one of them at a time, as the forecast has it
            last.emplace(solutions.copy_of_image());
        }
        begin_pass(evidence, found, solutions.image(), solutions.error(), solutions, local);
        if (is_rough) {
            solve(turn_accuracy, rough_sample_accuracy, solutions.energy_left(turn_accuracy));
            is_rough = pass && run.decided("rough pass is enough", [&] {
                return !pass->is_doubted && is_within(trusted_edges, local.error_size, solutions.image());
            });
        }
        if (!is_rough) {
            solve(image_accuracy, sample_accuracy, 0);
        }
        if (!pass) {
            return local;
        }
        local.is_beyond_error = decides && may_start_anew && local.passes == 1 &&
                                run.decided("local pass is beyond the error",
                                            [&] { return pass->changed > most_of_error * error_of_spectrum; });
        if (local.is_beyond_error) {
            return local;
        }
        if (decides &&
            run.decided("local passes run away", [&] { return pass->changed > not_believed * error_of_spectrum; })) {
            log_debug("scan prior: the local pass runs away, and is not taken");
            solutions.mix_image(0, last ? *last : of_spectrum);
            local.error_size = error_before;
            local.share = last ? 1 : 0;
            local.passes -= last ? 1 : 0;
            return local;
        }
        if (pass->is_doubted) {
            const auto stage = run.stage(Stage::start);
            mix(evidence, found, of_spectrum, pass->balance, solutions, local);
            local.error_size = error_told(told_of_spectrum, local.share * pass->changed, pass->sample);
        }
        solutions.note_error(local.told_error());
        error_before = local.error_size;
        const bool goes_on = run.decided("image is read again", [&] {
            if (!decides) {
                return !last;
            }
            const double moved = last ? norm(difference(solutions.image(), *last)) : pass->changed;
            return local.share == 1 && moved > may_move() && local.passes < most_local_passes &&
                   is_within(trusted_edges, local.error_size, solutions.image());
        });
        if (!goes_on) {
            return local;
        }
        last_is_rough = std::exchange(is_rough, false);
    }
}

}  // namespace recon
