#include "app/reconstruction/scan_prior/terms/enveloped_term.hpp"

#include <memory>
#include <utility>

#include "app/reconstruction/scan_prior/terms/term_levels.hpp"
#include "core/operators/diagonal.hpp"
#include "core/operators/operator_algebra.hpp"

namespace recon {
namespace {

/// x -> F (x / m), whole.
struct EnvelopedFilter {
    EnvelopedFilter(std::shared_ptr<const LinearOperator> filter_of_even, Array reciprocal_envelope)
        : filter(std::move(filter_of_even)), reciprocal(std::move(reciprocal_envelope)), whole(*filter, reciprocal) {}

    std::shared_ptr<const LinearOperator> filter;
    Diagonal reciprocal;
    Composition whole;
};

}  // namespace

ScanTerm enveloped(const FrameProblem& problem, ScanTerm term, const Support* support, const Array& squared_envelope,
                   const Array* sensitivity) {
    Backend& backend = problem.backend();
    Array steepness(backend, squared_envelope.shape(), squared_envelope.precision());
    backend.fill(1, steepness);
    if (support != nullptr) {
        support->restrict_to_support(steepness);
    }
    backend.divide(steepness, squared_envelope, steepness);  // 0 outside
    term.levels = levels_of(problem, steepness, support, 1, sensitivity);
    backend.square_root(steepness);
    const auto whole = std::make_shared<const EnvelopedFilter>(std::move(term.term.w), std::move(steepness));
    term.term.w = std::shared_ptr<const LinearOperator>(whole, &whole->whole);
    return term;
}

}  // namespace recon
