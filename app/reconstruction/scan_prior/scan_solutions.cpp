#include "app/reconstruction/scan_prior/scan_solutions.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/reconstruction/scan_prior/evidence/first_image.hpp"
#include "core/base/log.hpp"

namespace recon {
namespace {

constexpr double least_accuracy = 0.01;       ///< of energies that are rounding
constexpr SolutionAccuracy tight{0.1, 0.03};  ///< of what is usual

/// Below this part of |d|^2 an energy is rounding. Found for single precision, where its solutions part from those in
/// double (docs/default-image.md); in double the square of the transforms' least tolerance.
constexpr double least_energy(Precision precision) { return precision == Precision::single ? 1e-9 : 1e-12; }

double rounding_energy(const ScanEvidence& evidence) {
    return least_energy(evidence.problem.context().options.precision) * evidence.statistics.data_energy;
}

/// Moves `above` towards `below` until |above| is the geometric mean of both. Nothing where it is no larger.
void go_half_way(const Array& below, Array& above) {
    Backend& backend = above.backend();
    const double least = norm(below), most = norm(above);
    if (!(most > least)) {
        return;
    }
    const double together = backend.dot(below, above).real();
    // |below + t (above - below)|^2 = least * most
    const double a = least * least + most * most - 2 * together, b = together - least * least;
    const double c = least * (least - most);
    const double t = (std::sqrt(b * b - a * c) - b) / a;
    backend.axpby(1 - t, below, t, above);
}

}  // namespace

ScanSolutions::ScanSolutions(const ScanEvidence& evidence, ArrayView image, const AskedLimits& asked)
    : evidence_(evidence),
      asked_(asked),
      image_(image),
      error_(evidence.problem.backend(), evidence.problem.image_shape(), evidence.problem.context().options.precision) {
    const auto stage = evidence.problem.context().run.stage(Stage::start);
    image.backend().fill(0, image);
    forget_error();
}

void ScanSolutions::begin_prior(const ScanTerm& term, double white_noise) {
    noise_variance_ = evidence_.statistics.weighting() * white_noise;
    system_.emplace(evidence_.problem, evidence_.priors, term, *evidence_.preconditioning, std::sqrt(noise_variance_),
                    asked_);
}

void ScanSolutions::start_image() {
    const auto stage = evidence_.problem.context().run.stage(Stage::start);
    image_.backend().copy(first_image(evidence_), image_);
    system_->restrict_to_support(image_);
    system_->scale_to_fit(image_);
}

void ScanSolutions::solve_image(const SolutionAccuracy& accuracy, const char* name) {
    if (interrupted_) {
        return;
    }
    const auto stage = evidence_.problem.context().run.stage(Stage::solve);
    const bool is_the_last = accuracy.energy <= image_accuracy.energy;
    cg_ = system_->solve(image_, {energy_left(accuracy), size_left(accuracy), is_the_last}, name);
    log_debug("scan prior: {} iterations for the image", cg_.iterations);
    iterations_ += cg_.iterations;
    interrupted_ = cg_.stopped_by == StopReason::cancelled;
}

void ScanSolutions::sample_error(Index draw, const Array& noise, const SolutionAccuracy& accuracy) {
    if (interrupted_) {
        return;
    }
    Array right_side = noise.clone();
    system_->add_draw_of_priors(draw, right_side);
    if (!std::exchange(next_from_both_sides_, false)) {
        solve_for_error(right_side, accuracy);
        return;
    }
    const Array from_below = error_.clone();
    start_error_from_above(draw);
    solve_for_error(right_side, accuracy);
    go_half_way(from_below, error_);
}

void ScanSolutions::start_error_from_above(Index draw) {
    const auto stage = evidence_.problem.context().run.stage(Stage::start);
    system_->set_to_prior_draw(draw, error_);
    Array gridded = first_image_of(evidence_, error_);
    system_->restrict_to_support(gridded);
    system_->take_off(gridded, error_);
}

void ScanSolutions::solve_repetition(Array& right_side, const SolutionAccuracy& accuracy) {
    if (!interrupted_) {
        solve_for_error(right_side, accuracy);
    }
}

void ScanSolutions::note_error(double size) {
    const double image_size = norm(image_);
    if (image_size > 0) {
        error_course_.push_back(size / image_size);
        error_course_iterations_.push_back(iterations_);
    }
}

void ScanSolutions::go_back_to(const Array& image, const Array& error) {
    image_.backend().copy(image, image_);
    image_.backend().copy(error, error_);
}

Array ScanSolutions::copy_of_image() const {
    Array copy(image_.backend(), image_.shape(), image_.precision());
    image_.backend().copy(image_, copy);
    return copy;
}

double ScanSolutions::energy_left(const SolutionAccuracy& accuracy) const {
    const double part = is_tight_ ? tight.energy * accuracy.energy : accuracy.energy;
    return std::max(part * evidence_.solved_count * noise_variance_, rounding_energy(evidence_));
}

double ScanSolutions::size_left(const SolutionAccuracy& accuracy) const {
    return is_tight_ ? tight.size * accuracy.size : accuracy.size;
}

bool ScanSolutions::is_unfinished() const {
    return !asked_.iterations && (cg_.stopped_by == StopReason::iterations || sample_is_unfinished_);
}

void ScanSolutions::solve_for_error(Array& right_side, const SolutionAccuracy& accuracy) {
    const auto stage = evidence_.problem.context().run.stage(Stage::solve);
    system_->restrict_to_support(right_side);
    const CgReport report = system_->sample(right_side, error_, {energy_left(accuracy), size_left(accuracy), false});
    log_debug("scan prior: {} iterations for a sample of the error", report.iterations);
    iterations_ += report.iterations;
    growth_of_sample_ = report.growth_after_rest;
    sample_is_unfinished_ = report.stopped_by == StopReason::iterations;
    interrupted_ = report.stopped_by == StopReason::cancelled;
}

double least_sigma(const ScanEvidence& evidence) {
    return std::sqrt(rounding_energy(evidence) /
                     (least_accuracy * evidence.solved_count * evidence.statistics.weighting()));
}

}  // namespace recon
