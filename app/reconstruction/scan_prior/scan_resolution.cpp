#include "app/reconstruction/scan_prior/scan_resolution.hpp"

#include <algorithm>
#include <cmath>

#include "app/reconstruction/scan_prior/local_term.hpp"
#include "core/base/host_pages.hpp"
#include "core/base/ordered_sum.hpp"

namespace recon {
namespace {

/// More voxels tell nothing new.
constexpr Index most_voxels = Index{1} << 19;
/// By which the prior may be found stiffer than its diagonal says.
constexpr double most_stiffening = 20;

double quantile(std::vector<double> values, double part) {
    const auto place = values.begin() + static_cast<Index>(part * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

double response_of(double of_data, double of_prior) { return of_data / std::max(of_data + of_prior, 1e-300); }

double mean_response(const std::vector<double>& of_data, const std::vector<double>& of_prior, double stiffness) {
    const double sum =
        ordered_sum(std::ssize(of_data), [&](Index i) { return response_of(of_data[i], stiffness * of_prior[i]); });
    return sum / static_cast<double>(of_data.size());
}

/// Those in the support.
double voxels_solved(const ScanEvidence& evidence) {
    const Support* const support = evidence.priors.support.get();
    if (support == nullptr) {
        return evidence.voxel_count();
    }
    const FrameProblem& problem = evidence.problem;
    Array ones(problem.backend(), problem.image_shape(), problem.context().options.precision);
    problem.backend().fill(1, ones);
    support->restrict_to_support(ones);
    return problem.backend().dot(ones, ones).real();
}

/// The mean response at some stiffnesses, between which it is smooth.
class ResponseCurve {
public:
    ResponseCurve(const std::vector<double>& of_data, const std::vector<double>& of_prior, double least, double most)
        : start_(std::log(least)), step_((std::log(most) - start_) / (points - 1)) {
        for (int i = 0; i < points; ++i) {
            responses_.push_back(mean_response(of_data, of_prior, std::exp(start_ + i * step_)));
        }
    }

    double operator()(double stiffness) const {
        const double place = step_ > 0 ? std::clamp((std::log(stiffness) - start_) / step_, 0.0, points - 1.0) : 0;
        const auto i = std::min(static_cast<std::size_t>(place), responses_.size() - 2);
        return std::lerp(responses_[i], responses_[i + 1], place - static_cast<double>(i));
    }

private:
    static constexpr int points = 24;
    double start_, step_;
    std::vector<double> responses_;
};

/// lambda Q(0) (W^H W)_rr of first differences W, [x y z]. On the wave that changes its sign from voxel to voxel each
/// difference is twice the voxel.
Array diagonal_of(const FrameProblem& problem, const PriorTerm& term) {
    const PerAxis<Index> matrix = problem.context().matrix_size();
    auto signs = vector_of_provided_pages<double>(static_cast<std::size_t>(matrix[0] * matrix[1] * matrix[2]));
#pragma omp parallel for schedule(static)
    for (std::size_t n = 0; n < signs.size(); ++n) {
        const auto i = static_cast<Index>(n);
        const Index x = i % matrix[0], y = i / matrix[0] % matrix[1], z = i / (matrix[0] * matrix[1]);
        signs[n] = (x + y + z) % 2 == 0 ? 1 : -1;
    }
    Array wave(problem.backend(), problem.image_shape(), term.w->precision());
    upload_real(signs, wave);
    Array diagonal(problem.backend(), wave.shape(), wave.precision());
    term.w->normal(wave, diagonal);
    problem.backend().multiply(Conjugate::no, wave, diagonal, Accumulate::no, diagonal);
    problem.backend().scale(0.5 * term.lambda * problem.q_centre(), diagonal);
    return diagonal;
}

/// Absolute values of voxels that are spread over the image.
std::vector<double> some_magnitudes(ConstArrayView image) {
    const std::vector<cfloat> voxels = download<float>(image);
    const Index count = std::min(std::ssize(voxels), most_voxels);
    std::vector<double> magnitudes;
    for (Index n = 0; n < count; ++n) {
        magnitudes.push_back(std::abs(voxels[static_cast<std::size_t>(n * std::ssize(voxels) / count)]));
    }
    return magnitudes;
}

/// How stiff the prior is around voxels, in units of that of differences without weights.
struct Stiffnesses {
    std::vector<double> of_image;   ///< quantiles: as many voxels have each of them
    std::vector<double> of_object;  ///< of voxels that are spread over it
};

Stiffnesses stiffnesses_of(const FrameProblem& problem, const PriorTerm& term, ConstArrayView image, double unit) {
    const std::vector<double> diagonal = some_magnitudes(diagonal_of(problem, term));
    const std::vector<double> magnitudes = some_magnitudes(image);
    const double least = 0.2 * quantile(magnitudes, 0.99);
    Stiffnesses result;
    std::vector<double> all;
    for (std::size_t n = 0; n < diagonal.size(); ++n) {
        if (diagonal[n] > 0) {  // else it is outside of the support
            all.push_back(diagonal[n] / unit);
            if (magnitudes[n] >= least) {
                result.of_object.push_back(all.back());
            }
        }
    }
    std::sort(all.begin(), all.end());
    constexpr std::size_t parts = 32;
    for (std::size_t part = 0; part < parts && !all.empty(); ++part) {
        result.of_image.push_back(all[(2 * part + 1) * (all.size() - 1) / (2 * parts)]);
    }
    return result;
}

/// The factor of all stiffnesses, at least 1, for which their responses have no larger mean.
double stiffening(const ResponseCurve& response, const std::vector<double>& stiffnesses, double mean) {
    double low = 0, high = std::log(most_stiffening);
    for (int halving = 0; halving < 40; ++halving) {
        const double middle = (low + high) / 2;
        double sum = 0;
        for (const double stiffness : stiffnesses) {
            sum += response(std::exp(middle) * stiffness);
        }
        (sum > mean * static_cast<double>(stiffnesses.size()) ? low : high) = middle;
    }
    return std::exp((low + high) / 2);
}

}  // namespace

std::optional<double> mean_freedom(const ScanEvidence& evidence, const FoundSpectrum& found, double taken) {
    if (evidence.statistics.weighting() != 1) {
        return std::nullopt;
    }
    const std::vector<double>& of_data = evidence.of_data;
    const auto response = [&](Index i) { return response_of(of_data[i], found.term.spectrum[i]); };
    const double energy = ordered_sum(std::ssize(of_data), [&](Index i) {
        return response(i) * found.term.deviations[i] * found.term.deviations[i];
    });
    const double variance = energy / ordered_sum(std::ssize(of_data), response);
    const double freedom = taken / (variance * voxels_solved(evidence));
    return freedom > 0 ? std::make_optional(freedom) : std::nullopt;
}

double equivalent_width(const std::vector<double>& of_data, const std::vector<double>& of_prior,
                        std::optional<double> freedom, Index axis_count) {
    const double unbroken = mean_response(of_data, of_prior, 1);
    const double mean = std::min(freedom.value_or(unbroken), unbroken);
    const double centre = response_of(of_data[0], of_prior[0]);
    return mean > 0 && axis_count > 0 ? std::pow(centre / mean, 1 / static_cast<double>(axis_count)) : 0;
}

double mixed_width(double first, double second, double share, Index axis_count) {
    const auto axes = static_cast<double>(axis_count);
    return std::pow((1 - share) * std::pow(first, -axes) + share * std::pow(second, -axes), -1 / axes);
}

EffectiveResolution local_resolution(const FrameProblem& problem, const std::vector<double>& of_data,
                                     const PriorTerm& term, ConstArrayView image, std::optional<double> freedom,
                                     Index axis_count) {
    const std::vector<double> of_unit = gradient_spectrum(problem);
    const double unit_diagonal =
        ordered_sum(std::ssize(of_unit), [&](Index i) { return of_unit[i]; }) / static_cast<double>(of_unit.size());
    const Stiffnesses found = stiffnesses_of(problem, term, image, unit_diagonal);
    if (found.of_object.empty()) {
        return {1, 1};
    }
    const ResponseCurve response(of_data, of_unit, found.of_image.front() / most_stiffening,
                                 found.of_image.back() * most_stiffening);
    const double factor = freedom ? stiffening(response, found.of_image, *freedom) : 1;
    const auto width = [&](double part) {
        return std::pow(response(factor * quantile(found.of_object, part)), -1 / static_cast<double>(axis_count));
    };
    return {width(0.5), width(0.05)};
}

}  // namespace recon
