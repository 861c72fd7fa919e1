#include "app/reconstruction/scan_prior/scan_resolution.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>

#include "app/reconstruction/scan_prior/evidence/grid_frequencies.hpp"
#include "core/base/quantile.hpp"

namespace recon {
namespace {

/// More voxels tell nothing new.
constexpr Index most_voxels = Index{1} << 17;
/// By which the prior may be found stiffer than its diagonal says.
constexpr double most_stiffening = 20;

/// The ratios p / c of eigenvalues, which are all that responses know of them, counted in classes of 2 to 3 %. Inside
/// of a class they are taken for its middle: mean responses are then good to 1e-4 of themselves.
class RatioCounts {
public:
    RatioCounts(const std::vector<float>& of_data, const EvenGrid& grid, const std::vector<double>& of_prior)
        : total_(of_data.size()) {
        std::vector<Index> counts(class_of(most_ratio) + 1);
        const Index count = std::ssize(of_data);
        constexpr Index run_length = Index{1} << 14;
#pragma omp parallel
        {
            std::vector<Index> own(counts.size());
#pragma omp for schedule(static)
            for (Index first = 0; first < count; first += run_length) {
                grid.visit(first, std::min(first + run_length, count), [&](Index i, Index at) {
                    const double c = of_data[static_cast<std::size_t>(i)], p = of_prior[static_cast<std::size_t>(at)];
                    ++own[class_of(std::min(most_ratio, p / c))];  // most_ratio also for 0 / 0
                });
            }
#pragma omp critical
            std::transform(own.begin(), own.end(), counts.begin(), counts.begin(), std::plus<>());
        }
        for (std::size_t i = 0; i < counts.size(); ++i) {
            if (counts[i] > 0) {
                classes_.push_back({std::bit_cast<double>((std::uint64_t{2} * i + 1) << (bits_left_out - 1)),
                                    static_cast<double>(counts[i])});
            }
        }
    }

    double mean_response(double stiffness) const {
        double sum = 0;
        for (const Class& part : classes_) {
            sum += part.count / (1 + stiffness * part.ratio);
        }
        return sum / static_cast<double>(total_);
    }

private:
    struct Class {
        double ratio, count;
    };
    static constexpr int bits_left_out = 52 - 5;  ///< of the mantissa: 32 classes an octave
    static constexpr double most_ratio = 1e300;

    static std::size_t class_of(double ratio) { return std::bit_cast<std::uint64_t>(ratio) >> bits_left_out; }

    std::size_t total_;
    std::vector<Class> classes_;
};

/// The mean response at some stiffnesses, between which it is smooth.
class ResponseCurve {
public:
    ResponseCurve(const RatioCounts& ratios, double least, double most)
        : start_(std::log(least)), step_((std::log(most) - start_) / (points - 1)) {
        for (int i = 0; i < points; ++i) {
            responses_.push_back(ratios.mean_response(std::exp(start_ + i * step_)));
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

/// Q(0) (W^H W)_rr of first differences W, [x y z]. On the wave that changes its sign from voxel to voxel each
/// difference is twice the voxel.
Array diagonal_of(const FrameProblem& problem, const FiniteDifferences& differences) {
    Array cell(problem.backend(), Shape::image({2, 2, 2}), differences.precision());
    upload_real(std::vector<double>{1, -1, -1, 1, -1, 1, 1, -1}, cell);
    PerAxis<std::vector<Index>> places;
    for (int axis = 0; axis < 3; ++axis) {
        for (Index i = 0; i < problem.context().matrix_size()[axis]; ++i) {
            places[axis].push_back(i % 2);
        }
    }
    Array wave(problem.backend(), problem.image_shape(), differences.precision());
    problem.backend().image_primitives().pick(places, cell, wave);
    Array diagonal(problem.backend(), wave.shape(), wave.precision());
    differences.normal(wave, diagonal);
    problem.backend().multiply(Conjugate::no, wave, diagonal, Accumulate::no, diagonal);
    problem.backend().scale(0.5 * problem.q_centre(), diagonal);
    return diagonal;
}

/// Absolute values of voxels that are spread over the image, in step with none of its axes.
std::vector<double> some_magnitudes(ConstArrayView image) {
    const Index step = image.size() <= most_voxels ? 1 : image.size() / most_voxels | 1;
    PerAxis<std::vector<Index>> places{{{}, {0}, {0}}};
    for (Index place = 0; place < image.size(); place += step) {
        places[0].push_back(place);
    }
    Array some(image.backend(), Shape::image({std::ssize(places[0]), 1, 1}), image.precision());
    image.backend().image_primitives().pick(places, image.reshaped(Shape::image({image.size(), 1, 1})), some);
    std::vector<double> magnitudes;
    for (const cfloat voxel : download<float>(some)) {
        magnitudes.push_back(std::abs(voxel));
    }
    return magnitudes;
}

/// How stiff the prior is around voxels, in units of that of differences without weights.
struct Stiffnesses {
    std::vector<double> of_image;   ///< quantiles: as many voxels have each of them
    std::vector<double> of_object;  ///< of voxels that are spread over it
};

Stiffnesses stiffnesses_of(const FrameProblem& problem, const FiniteDifferences& differences, ConstArrayView image,
                           double unit) {
    const std::vector<double> diagonal = some_magnitudes(diagonal_of(problem, differences));
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
    constexpr std::size_t parts = 32;
    auto from = all.begin();
    for (std::size_t part = 0; part < parts && !all.empty(); ++part) {
        const auto place = all.begin() + static_cast<Index>((2 * part + 1) * (all.size() - 1) / (2 * parts));
        std::nth_element(from, place, all.end());
        result.of_image.push_back(*place);
        from = place;
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
    const double freedom = taken / (found.response.variance * evidence.solved_count);
    return freedom > 0 ? std::make_optional(freedom) : std::nullopt;
}

double equivalent_width(const ResponseMoments& response, std::optional<double> freedom, Index axis_count) {
    const double mean = std::min(freedom.value_or(response.mean), response.mean);
    return mean > 0 && axis_count > 0 ? std::pow(response.peak / mean, 1 / static_cast<double>(axis_count)) : 0;
}

double mixed_width(double first, double second, double share, Index axis_count) {
    const auto axes = static_cast<double>(axis_count);
    return std::pow((1 - share) * std::pow(first, -axes) + share * std::pow(second, -axes), -1 / axes);
}

EffectiveResolution local_resolution(const FrameProblem& problem, const std::vector<float>& of_data,
                                     const SharpenedGradient& gradient, const FiniteDifferences& differences,
                                     ConstArrayView image, std::optional<double> freedom, Index axis_count) {
    double unit_diagonal = 0;
    for (const int axis : differences.axes()) {
        unit_diagonal += 2 * std::pow(gradient.axis_factors()[axis], 2);
    }
    const Stiffnesses found = stiffnesses_of(problem, differences, image, unit_diagonal);
    if (found.of_object.empty()) {
        return {1, 1};
    }
    const ResponseCurve response(RatioCounts(of_data, even_grid(problem), *gradient.spectrum()),
                                 found.of_image.front() / most_stiffening, found.of_image.back() * most_stiffening);
    const double factor = freedom ? stiffening(response, found.of_image, *freedom) : 1;
    const auto width = [&](double part) {
        return std::pow(response(factor * quantile(found.of_object, part)), -1 / static_cast<double>(axis_count));
    };
    return {width(0.5), width(0.05)};
}

}  // namespace recon
