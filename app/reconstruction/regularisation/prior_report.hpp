#pragma once

#include <vector>

#include "app/reconstruction/problem/frame_problem.hpp"
#include "app/reconstruction/regularisation/prior_terms.hpp"
#include "core/base/named_array.hpp"
#include "core/mri/priors/edge_leakage.hpp"
#include "core/mri/priors/reference_alignment.hpp"

namespace recon {

/// What the reference of a prior is and does: docs/priors.md.
struct PriorReport {
    double noise = 0;       ///< standard deviation of the reference's differences
    double edge_scale = 0;  ///< s of the weights
    std::optional<AlignmentReport> alignment;
    std::optional<EdgeLeakage> leakage;
};

/// Before the image: says what the reference is, and whether it lies where the scan is, by comparing it with an image
/// that the prior without it makes of the data in a few iterations. Warns in the log. All ranks do the same.
PriorReport start_prior_report(const FrameProblem& problem, const PriorTerms& priors);

/// After it: says how far the reference shows through, by comparing the image with the one that its term without
/// it, at the same lambda, gives in as many iterations.
/// @param report  gets the leakage. Without `RegularisationOptions::report` both comparisons are left out.
/// @return what the image file gets: /prior/edge_weights, /prior/reference and /prior/without_reference
std::vector<NamedArray> finish_prior_report(const FrameProblem& problem, const PriorTerms& priors, ConstArrayView image,
                                            PriorReport& report);

}  // namespace recon
