#include "app/reconstruction/scan_prior/scan_prior.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "app/reconstruction/scan_prior/envelope.hpp"
#include "app/reconstruction/scan_prior/local_passes.hpp"
#include "app/reconstruction/scan_prior/scan_resolution.hpp"
#include "app/reconstruction/scan_prior/spectrum_search.hpp"
#include "app/reconstruction/scan_prior/uncertainty_maps.hpp"
#include "core/base/log.hpp"
#include "core/mri/priors/unresolved_detail.hpp"

namespace recon {
namespace {

ScanPriorReport report_of(const ScanEvidence& evidence, const FoundSpectrum& found) {
    ScanPriorReport report;
    report.noise = found.level;
    report.noise_is_at_precision = is_at_precision(evidence, found.noise);
    report.model_error = std::sqrt(found.noise.relative);
    const ReconstructionContext& context = evidence.problem.context();
    const bool is_first = evidence.problem.frame().label == context.scan.frames.front().label;
    report.expected = found.expected_sigma > 0 ? NoiseLevel{found.expected_sigma, "noise acquisitions"}
                      : is_first               ? context.noise  // which was found in it
                                               : NoiseLevel();
    report.coil_count = evidence.statistics.coil_count;
    report.frame_count = found.frame_count;
    report.k_per_mm = found.power->k_per_mm();
    report.power = found.power->power();
    report.stretch = evidence.statistics.stretch;
    report.exponent = found.power->exponent(found.noise.white / evidence.statistics.signal_share());
    report.voxel_mm = evidence.voxel_mm;
    report.noise_turns = found.turns;
    return report;
}

/// In voxels. @param local  none: the image is that of the spectrum
EffectiveResolution resolution_of(const ScanEvidence& evidence, const FoundSpectrum& found,
                                  const std::optional<LocalPrior>& local, const ScanSolutions& solutions) {
    const double of_spectrum =
        equivalent_width(found.response, mean_freedom(evidence, found, found.balance->taken), evidence.axis_count);
    if (!local) {
        return {of_spectrum, of_spectrum};
    }
    const double taken = solutions.error().backend().dot(*found.noise_draw, solutions.error()).real();
    const EffectiveResolution of_pass =
        local_resolution(evidence.problem, evidence.of_data, *local->gradient, *local->differences, solutions.image(),
                         mean_freedom(evidence, found, taken), evidence.axis_count);
    const auto mixed = [&](double width) { return mixed_width(of_spectrum, width, local->share, evidence.axis_count); };
    return {mixed(of_pass.in_tissue), mixed(of_pass.at_edges)};
}

/// |.| of the detail that is finer than the voxels. The image shows it as ringing about edges, half of whose energy
/// lies at them and half in tissue; a pass takes away what its prior is stiffer than, there and there.
/// @param resolution  in voxels
double unresolved_size(const ScanEvidence& evidence, const FoundSpectrum& found, const std::optional<LocalPrior>& local,
                       const EffectiveResolution& resolution) {
    const ScanStatistics& statistics = evidence.statistics;
    const PerAxis<Index>& matrix_size = evidence.problem.context().matrix_size();
    const PerAxis<double>& factors = statistics.shells.factors();
    std::vector<double> noises;
    if (local) {
        for (const double width : {resolution.in_tissue, resolution.at_edges}) {
            const double response = std::pow(width, -static_cast<double>(evidence.axis_count));
            noises.push_back(noise_of_response(*found.power, response, matrix_size, factors));
        }
    } else {
        const double of_data = evidence.mean_of_data();
        noises = {of_data > 0 ? statistics.weighted(found.noise).white * evidence.solved_count / of_data : 0};
    }
    return std::sqrt(unresolved_detail(*found.power, noises, matrix_size, factors));
}

/// Of a sample in the mean, errors of the model among it.
double mean_noise(const ScanStatistics& statistics, const FoundSpectrum& found) {
    const KspaceShells& shells = statistics.shells;
    double sum = 0, count = 0;
    for (std::size_t s = 0; s < shells.count.size(); ++s) {
        sum += shells.count[s] * found.noise.variance(statistics.signal_of(*found.power, s));
        count += shells.count[s];
    }
    return std::sqrt(sum / count);
}

}  // namespace

ScanPriorReport solve_with_scan_prior(const FrameProblem& problem, PriorTerms& priors, ArrayView image, CgReport& cg) {
    const ReconstructOptions& options = problem.context().options;
    ScanEvidence evidence = problem.context().run.stage(Stage::start, [&] { return ScanEvidence(problem, priors); });
    if (const std::string obstacle = evidence.obstacle(); !obstacle.empty()) {
        log_warning("scan prior: {}", obstacle);
        return {};
    }
    evidence.prepare();
    ScanSolutions solutions(evidence, image, {options.iterations_asked, options.stop_asked});

    FoundSpectrum found = find_spectrum(evidence, solutions);
    std::optional<LocalPrior> local;
    if (!solutions.interrupted() && options.regularisation.scan == ScanPrior::scan) {
        find_envelope(evidence, found, solutions);
        local.emplace(find_local_prior(evidence, found, true, solutions));
        if (local->is_beyond_error) {
            log_debug("scan prior: the local pass moves the image by more than its error; anew with tighter solutions");
            local.reset();
            solutions.tighten();
            take_turns(evidence, solutions, found);
            find_envelope(evidence, found, solutions);
            local.emplace(find_local_prior(evidence, found, false, solutions));
        }
    } else {
        solutions.solve_image(image_accuracy, "spectrum prior");
    }
    const double error_size = local ? local->told_error() : norm(solutions.error());
    const double image_size = norm(image);
    if (!local && !solutions.interrupted()) {
        solutions.note_error(error_size);
    }

    ScanPriorReport report = report_of(evidence, found);
    report.used = options.regularisation.scan;
    report.local_passes = local ? local->passes : 0;
    report.local_share = local ? local->share : 1;
    cg = solutions.last_of_image();
    if (cg.stopped_by == StopReason::energy) {
        cg.stopped_by = StopReason::predicted_error;
    }
    const PriorTerm prior = solutions.prior();
    if (solutions.interrupted()) {
        cg.stopped_by = StopReason::cancelled;  // if not in the image, in a sample of its error
        report.iterations = solutions.iterations();
        priors.terms.push_back(prior);
        log_warning("scan prior: stopped; how far the image is wrong is not known");
        return report;
    }
    const EffectiveResolution resolution = resolution_of(evidence, found, local, solutions);
    report.is_unfinished = solutions.is_unfinished();
    const bool is_told = options.regularisation.tells_its_error() && options.iterations_asked != 0;
    if (image_size > 0) {
        // As parts of the object: the image is its posterior mean, smaller than it by what that lacks.
        const double unresolved = unresolved_size(evidence, found, local, resolution) / image_size;
        const auto of_object = [&](double error) {
            const double whole = std::hypot(error, unresolved);
            return whole / std::hypot(1, whole);
        };
        report.predicted_error = of_object(error_size / image_size);
        report.unresolved = unresolved / std::hypot(1, unresolved, error_size / image_size);
        for (const double error : solutions.error_course()) {
            report.error_course.push_back(of_object(error));
        }
    }
    report.error_course_iterations = solutions.error_course_iterations();
    const double voxel = report.voxel_mm > 0 ? report.voxel_mm : 1;
    report.resolution_mm = voxel * resolution.in_tissue;
    report.edge_resolution_mm = voxel * resolution.at_edges;
    report.iterations = solutions.iterations();
    if (is_told) {
        report.sd = error_map(evidence, found, solutions, error_size);
        report.noise_sd = noise_map(evidence, found, local ? &*local : nullptr, solutions);
    }
    priors.terms.push_back(prior);  // the last of all: each solution adds its own
    log_scan_prior(report, is_told);
    if (!is_told) {
        report.forget_image();
    }
    return report;
}

NoiseLevel noise_of_scan(const FrameProblem& problem) {
    const ReconstructionContext& context = problem.context();
    if (context.options.regularisation.lambda.noise_sigma) {
        return {*context.options.regularisation.lambda.noise_sigma, "given"};
    }
    if (context.scan.noise.empty()) {
        PriorTerms none;
        Array image(problem.backend(), problem.image_shape(), context.options.precision);
        ScanEvidence evidence(problem, none);
        if (evidence.obstacle().empty()) {
            evidence.prepare();
            ScanSolutions solutions(evidence, image, {});
            const FoundSpectrum found = find_spectrum(evidence, solutions);
            return {mean_noise(evidence.statistics, found), "the scan's spectrum"};
        }
    }
    return first_noise(problem);
}

}  // namespace recon
