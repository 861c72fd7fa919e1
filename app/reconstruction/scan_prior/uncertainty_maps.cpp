#include "app/reconstruction/scan_prior/uncertainty_maps.hpp"

#include <cmath>
#include <optional>

#include "app/reconstruction/scan_prior/deviation_map.hpp"

namespace recon {
namespace {

/// The scan repeated: by how much other noise moves the image.
class Repetitions {
public:
    /// @param local  null: the prior is that of the spectrum, and stays where it is
    Repetitions(const ScanEvidence& evidence, FoundSpectrum& found, LocalPrior* local, ScanSolutions& solutions)
        : evidence_(evidence), found_(found), local_(local), solutions_(solutions) {
        if (local_ == nullptr) {
            return;
        }
        image_.emplace(solutions_.copy_of_image());
        error_of_pass_.emplace(solutions_.error().clone());
        Array object = image_->clone();
        object.backend().axpby(1, *error_of_pass_, 1, object);
        data_.emplace(object.backend(), object.shape(), object.precision());
        evidence_.problem.normal().forward(object, *data_);
        begin_spectrum(evidence_, found_, solutions_);
        solutions_.sample_error(0, *found_.noise_draw);
        error_of_spectrum_.emplace(solutions_.error().clone());
        without_noise_.emplace(image_of(*data_));
    }

    /// @param noise  E^H sqrt(w) sigma n; overwritten
    Array moved_by(Array& noise) const {
        if (local_ == nullptr) {
            solutions_.forget_error();
            solutions_.solve_repetition(noise, noise_accuracy);
            return solutions_.error().clone();
        }
        noise.backend().axpby(1, *data_, 1, noise);
        Array moved = image_of(noise);
        moved.backend().axpby(-1, *without_noise_, 1, moved);
        return moved;
    }

private:
    static constexpr SolutionAccuracy noise_accuracy{0.003, 0.01};

    /// By the passes that the scan's own image took.
    Array image_of(Array& right_side) const {
        begin_spectrum(evidence_, found_, solutions_);
        solutions_.set_error(*image_);
        solutions_.solve_repetition(right_side, turn_accuracy);
        const Array of_spectrum = solutions_.error().clone();
        for (int pass = 1; pass <= local_->passes; ++pass) {
            const Array& error = pass == 1 ? *error_of_spectrum_ : *error_of_pass_;
            begin_pass(evidence_, found_, solutions_.error(), error, solutions_, *local_);
            solutions_.solve_repetition(right_side, pass < local_->passes ? turn_accuracy : noise_accuracy);
        }
        Array image = solutions_.error().clone();
        image.backend().axpby(1 - local_->share, of_spectrum, local_->share, image);
        return image;
    }

    const ScanEvidence& evidence_;
    FoundSpectrum& found_;
    LocalPrior* local_;
    ScanSolutions& solutions_;
    std::optional<Array> image_;
    std::optional<Array> error_of_spectrum_, error_of_pass_;  ///< samples, whatever the noise
    std::optional<Array> data_;           ///< E^H E of an object that the posterior takes for likely
    std::optional<Array> without_noise_;  ///< what the image of that is
};

}  // namespace

NamedArray error_map(const ScanEvidence& evidence, const FoundSpectrum& found, ScanSolutions& solutions,
                     double error_size) {
    const Index samples = evidence.problem.context().options.regularisation.uncertainty_samples;
    if (samples == 0) {
        return {};
    }
    DeviationMap deviations(solutions.error(), norm(solutions.error()) / std::sqrt(evidence.voxel_count()));
    deviations.add(solutions.error());
    for (Index draw = 1; draw < samples; ++draw) {
        solutions.forget_error();
        solutions.sample_error(draw, evidence.draws->of_data(draw, found.noise, *found.power));
        if (solutions.interrupted()) {
            break;
        }
        deviations.add(solutions.error());
    }
    return deviations.take("uncertainty/sd", error_size * error_size, evidence.priors.support.get());
}

NamedArray noise_map(const ScanEvidence& evidence, FoundSpectrum& found, LocalPrior* local, ScanSolutions& solutions) {
    const Index draws = evidence.problem.context().options.regularisation.noise_sd_draws;
    if (draws == 0) {
        return {};
    }
    const Repetitions repetitions(evidence, found, local, solutions);
    DeviationMap deviations(solutions.error(), std::sqrt(evidence.statistics.weighted(found.noise).white));
    double energy = 0;
    Index done = 0;
    for (; done < draws; ++done) {
        Array noise = evidence.draws->of_data(done, found.noise, *found.power);
        const Array moved = repetitions.moved_by(noise);
        if (solutions.interrupted()) {
            break;
        }
        energy += std::pow(norm(moved), 2);
        deviations.add(moved);
    }
    if (done == 0) {
        return {};
    }
    return deviations.take("uncertainty/noise_sd", energy / static_cast<double>(done), evidence.priors.support.get());
}

}  // namespace recon
