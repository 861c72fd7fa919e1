#include "app/reconstruction/regularisation/prior_report.hpp"

#include <algorithm>

#include "app/reconstruction/regularisation/regularised_system.hpp"
#include "core/base/log.hpp"
#include "solver/conjugate_gradient.hpp"

namespace recon {
namespace {

/// Of the image that the reference is compared with: enough to see anatomy through noise, too little to blur it.
constexpr double check_lambda = 0.1;
constexpr int check_iterations = 12;

/// The problem with `terms` in place of its own.
void solve_with(const FrameProblem& problem, const std::vector<PriorTerm>& terms, const Support* support,
                const CgOptions& options, ArrayView image) {
    const RegularisedSystem system(problem, terms, support);
    problem.backend().fill(0, image);
    solve_cg(system.system(), system.right_side(), image, options);
}

AlignmentReport check_reference(const FrameProblem& problem, const PriorTerms& priors) {
    const auto stage = problem.context().run.stage(Stage::check);
    const ReferenceUse& use = *priors.reference_use();
    Array image(problem.backend(), problem.image_shape(), problem.context().options.precision);
    CgOptions options = problem.context().options.cg;
    options.iterations = check_iterations;
    solve_with(problem, {{check_lambda, use.without}}, priors.support.get(), options, image);
    if (!problem.backend().computes()) {
        return {};
    }
    const std::vector<cfloat> voxels = download<float>(image);
    std::vector<float> magnitudes(voxels.size());
    std::transform(voxels.begin(), voxels.end(), magnitudes.begin(), [](cfloat v) { return std::abs(v); });
    const AlignmentReport report =
        check_alignment(magnitudes, use.reference.magnitudes, problem.context().matrix_size());
    if (report.verdict == Alignment::agrees) {
        log_info("prior image: {}", report.text());
    } else {
        log_warning("prior image: {}. Check that it shows this object, its orientation and its registration",
                    report.text());
    }
    return report;
}

EdgeLeakage measure_leakage(const FrameProblem& problem, const PriorTerms& priors, ConstArrayView image,
                            ArrayView without_reference) {
    const auto stage = problem.context().run.stage(Stage::check);
    std::vector<PriorTerm> terms = priors.terms;
    for (PriorTerm& term : terms) {
        if (term.reference_use) {
            term = {term.lambda, term.reference_use->without};
        }
    }
    solve_with(problem, terms, priors.support.get(), problem.context().options.cg, without_reference);
    if (!problem.backend().computes()) {
        return {};
    }
    const PlacedReference& reference = priors.reference_use()->reference;
    const EdgeLeakage found = edge_leakage(download<float>(image), download<float>(without_reference),
                                           reference.weights, problem.context().matrix_size(), reference.factors);
    log_info(
        "prior image: {:.1f} % of the image's edge energy lies on its edges ({:.1f} % without it, {:.1f} % by chance); "
        "leakage, the part of it that the image without it does not have: {:.1f} %",
        100 * found.edge_share, 100 * found.edge_share_without, 100 * found.edge_share_chance, 100 * found.leakage);
    return found;
}

}  // namespace

PriorReport start_prior_report(const FrameProblem& problem, const PriorTerms& priors) {
    PriorReport report;
    report.noise = priors.reference_use()->reference.noise;
    report.edge_scale = priors.reference_use()->reference.edge_scale;
    if (problem.context().options.regularisation.report) {
        report.alignment = check_reference(problem, priors);
    }
    return report;
}

std::vector<NamedArray> finish_prior_report(const FrameProblem& problem, const PriorTerms& priors, ConstArrayView image,
                                            PriorReport& report) {
    std::vector<cfloat> without_reference;
    if (problem.context().options.regularisation.report) {
        Array array(problem.backend(), problem.image_shape(), image.precision());
        report.leakage = measure_leakage(problem, priors, image, array);
        without_reference = download<float>(array);
    }
    const PlacedReference& reference = priors.reference_use()->reference;
    const auto [x, y, z] = problem.context().matrix_size();
    const auto axis_count = static_cast<Index>(reference.weights.size()) / (x * y * z);
    std::vector<NamedArray> arrays;
    arrays.push_back({"prior/edge_weights", {"axis", "z", "y", "x"}, {axis_count, z, y, x}, reference.weights, ""});
    arrays.push_back({"prior/reference", {"z", "y", "x"}, {z, y, x}, reference.magnitudes, ""});
    if (!without_reference.empty()) {
        arrays.push_back({"prior/without_reference", {"z", "y", "x"}, {z, y, x}, std::move(without_reference), ""});
    }
    return arrays;
}

}  // namespace recon
