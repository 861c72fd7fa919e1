#include "app/reconstruction/scan_prior/scan_prior.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>

#include "app/reconstruction/problem/coil_energy.hpp"
#include "app/reconstruction/scan_prior/deviation_map.hpp"
#include "app/reconstruction/scan_prior/noise_balance.hpp"
#include "app/reconstruction/scan_prior/noise_draws.hpp"
#include "app/reconstruction/scan_prior/scan_resolution.hpp"
#include "app/reconstruction/scan_prior/scan_statistics.hpp"
#include "app/reconstruction/scan_prior/scan_system.hpp"
#include "app/reconstruction/scan_prior/scan_term.hpp"
#include "app/reconstruction/scan_prior/visible_support.hpp"
#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/base/ordered_sum.hpp"
#include "core/mri/priors/local_variance.hpp"
#include "core/operators/preconditioners/circulant_preconditioner.hpp"

namespace recon {
namespace {

constexpr int most_turns = 5;
constexpr double settled_noise = 0.06;   ///< relative change of sigma^2 that ends the turns
constexpr double settled_errors = 0.25;  ///< and of that of the errors where the signal is largest
/// What is left of the energy (x - x*)^H A (x - x*), in units of that of the posterior error, where a solution stops.
/// That of the image adds half a per cent to its error.
constexpr double turn_accuracy = 0.1;
constexpr double image_accuracy = 0.01;
constexpr double sample_accuracy = 0.1;
/// And of its square norm: directions that the data hardly see weigh nothing in the energy, and are the largest part of
/// the error where there are too few samples.
constexpr double image_size_accuracy = 0.001;
constexpr double sample_size_accuracy = 0.25;
constexpr double noise_size_accuracy = 0.01;
constexpr int most_local_passes = 4;
constexpr double settled_image = 0.1;    ///< change of the image by a pass that ends them, in units of its error
constexpr double trusted_edges = 0.15;   ///< error of an image whose edges may be read once more, as a part of it
constexpr double least_of_change = 0.8;  ///< energy of the error, in units of that of what the local pass changed
/// Below this part of |d|^2 an energy is rounding. Found for single precision, where its solutions part from those in
/// double (docs/default-image.md); in double the square of the transforms' least tolerance.
constexpr double least_energy(Precision precision) { return precision == Precision::single ? 1e-9 : 1e-12; }
/// Fewer numbers tell neither noise nor spectrum.
constexpr double least_values = 64;

class ScanPriorCourse {
public:
    ScanPriorCourse(const FrameProblem& problem, PriorTerms& priors, ArrayView image, const AskedLimits& asked)
        : problem_(problem),
          priors_(priors),
          backend_(problem.backend()),
          image_(image),
          asked_(asked),
          on_host_(backend_.claim_on_host(host_bytes())),
          coil_energy_(coil_energy(problem)),
          statistics_(scan_statistics(problem, *coil_energy_)) {
        report_.coil_count = statistics_.coil_count;
        const PerAxis<double> voxel = problem.context().scan.geometry.voxel_size_mm();
        const PerAxis<Index> matrix = problem.context().matrix_size();
        double product = 1;
        for (int axis = 0; axis < 3; ++axis) {
            if (matrix[axis] > 1) {
                ++axis_count_;
                product *= voxel[axis];
            }
        }
        report_.voxel_mm = axis_count_ > 0 ? std::pow(product, 1 / static_cast<double>(axis_count_)) : 0;
    }

    /// Why there is nothing to tell noise and spectrum by; empty if there is.
    std::string obstacle() const {
        if (statistics_.data_energy == 0) {
            return "the data are all zero, and so is the image";
        }
        return statistics_.value_count < least_values || axis_count_ == 0
                   ? fmt::format("{} numbers tell neither noise nor spectrum; plain least squares instead",
                                 statistics_.value_count)
                   : "";
    }

    /// As noise_of_scan, where there is enough to tell it by.
    NoiseLevel noise() {
        prepare();
        CgReport cg;
        find_spectrum(cg);
        const KspaceShells& shells = statistics_.shells;
        double sum = 0, count = 0;
        for (std::size_t s = 0; s < shells.count.size(); ++s) {
            sum += shells.count[s] * noise_.variance(statistics_.signal_of(*spectrum_, s));
            count += shells.count[s];
        }
        return {std::sqrt(sum / count), "the scan's spectrum"};
    }

    ScanPriorReport run(ScanPrior kind, CgReport& cg) {
        prepare();
        std::unique_ptr<ScanSystem> system = find_spectrum(cg);
        report_.used = kind;
        error_size_ = norm(*error_);
        if (!interrupted_) {
            if (kind == ScanPrior::scan) {
                local_passes(system, cg);
            } else {
                solve(*system, image_accuracy, "spectrum prior", cg);
            }
        }
        const double of_image = norm(image_);
        report_.predicted_error = of_image > 0 ? error_size_ / of_image : 0;
        if (cg.stopped_by == StopReason::energy) {
            cg.stopped_by = StopReason::predicted_error;
        }
        priors_.terms.push_back(system->terms().back());
        if (!interrupted_) {
            describe_uncertainty(*system);
            describe_noise(*system);
        }
        return std::move(report_);
    }

private:
    Index grid_size() const { return Shape::image(circulant_grid(problem_.context().matrix_size())).element_count(); }
    /// Spectra, their deviations and shells; what is shown of voxels; energies, weights and shells of samples.
    std::size_t host_bytes() const {
        const auto voxels = static_cast<std::size_t>(problem_.image_shape().element_count());
        const auto samples = static_cast<std::size_t>(problem_.plans().trajectory().sample_count());
        return (9 * static_cast<std::size_t>(grid_size()) + 4 * voxels + 3 * samples) * sizeof(double);
    }
    double voxel_count() const { return static_cast<double>(problem_.image_shape().element_count()); }
    double energy_stop(double accuracy) const {
        return std::max(accuracy * voxel_count() * statistics_.weighting() * noise_.white, rounding_energy());
    }
    double rounding_energy() const {
        return least_energy(problem_.context().options.precision) * statistics_.data_energy;
    }
    /// The least sigma for which a solution comes to the image's accuracy before its energy is rounding. With less the
    /// iterations go on in what rounding makes, and where samples are few that becomes the image.
    double least_sigma() const {
        return std::sqrt(rounding_energy() / (image_accuracy * voxel_count() * statistics_.weighting()));
    }
    Array zero_image() const {
        Array zero(backend_, problem_.image_shape(), problem_.context().options.precision);
        backend_.fill(0, zero);
        return zero;
    }

    double squared_distance(ConstArrayView a, ConstArrayView b) const {
        Array difference = copy_of(a);
        backend_.axpby(-1, b, 1, difference);
        return std::pow(norm(difference), 2);
    }

    Array copy_of(ConstArrayView x) const {
        Array copy(backend_, x.shape(), x.precision());
        backend_.copy(x, copy);
        return copy;
    }

    /// The noise to start with, and what all solutions share.
    void prepare() {
        const auto stage = problem_.context().run.stage(Stage::start);
        start_noise();
        const TrajectoryPlans& plans = problem_.plans();
        if (plans.q()) {
            of_data_ = circulant_spectrum(backend_, *plans.q(), problem_.normal_coils(),
                                          problem_.context().matrix_size(), problem_.ranks());
        } else {
            of_data_.assign(static_cast<std::size_t>(backend_.listed(grid_size())),
                            problem_.q_centre() * statistics_.coil_gain);
        }
        priors_.support = visible_support(problem_, *coil_energy_, priors_.support);
        coil_energy_.reset();
        k_of_grid_ = k_of_grid(problem_, statistics_.shells);
        shell_of_grid_ = statistics_.shells.shells_of(k_of_grid_);
        draws_.emplace(problem_, statistics_);
        backend_.fill(0, image_);
        error_.emplace(zero_image());
    }

    void start_noise() {
        const LambdaOptions& options = problem_.context().options.regularisation.lambda;
        const bool is_given = options.noise_sigma.has_value();
        report_.noise = is_given ? NoiseLevel{*options.noise_sigma, "given"} : first_noise(problem_);
        if (!is_given && !problem_.context().scan.noise.empty()) {
            report_.expected_sigma = report_.noise.sigma;
        }
        const double least = std::max(1e-5 * statistics_.rms_of_data(), least_sigma());  // the sums are no better
        noise_.white = std::pow(
            report_.noise.sigma > 0 ? std::max(report_.noise.sigma, least) : 0.1 * statistics_.rms_of_data(), 2);
        bounds_.least = is_given ? noise_.white : std::pow(std::max(report_.expected_sigma, least), 2);
        bounds_.most = is_given ? noise_.white : std::pow(statistics_.rms_of_data(), 2);
    }

    /// The image of a system, from the one that is there.
    void solve(const ScanSystem& system, double accuracy, const char* name, CgReport& cg) {
        const auto stage = problem_.context().run.stage(Stage::solve);
        cg = system.solve(image_, energy_stop(accuracy), image_size_accuracy, name);
        report_.iterations += cg.iterations;
        interrupted_ = cg.stopped_by == StopReason::cancelled;
    }

    /// z = A^-1 (E^H sqrt(w) sigma n + W^H (sigma_model w)): an error as the image's own.
    /// z starts from what is there.  @param noise  E^H sqrt(w) sigma n
    void sample(const ScanSystem& system, Index draw, ConstArrayView noise) {
        Array right_side = copy_of(noise);
        system.add_draw_of_priors(draw, right_side);
        solve_for_error(system, right_side, sample_accuracy, sample_size_accuracy);
    }

    /// A^-1 of a right side, which is overwritten, from the error that is there.
    void solve_for_error(const ScanSystem& system, ArrayView right_side, double accuracy, double size_accuracy) {
        const auto stage = problem_.context().run.stage(Stage::solve);
        system.restrict_to_support(right_side);
        const CgReport report = system.sample(right_side, *error_, energy_stop(accuracy), size_accuracy);
        report_.iterations += report.iterations;
        interrupted_ = interrupted_ || report.stopped_by == StopReason::cancelled;
    }

    /// Of the noise's energy the image takes 2 Re <n, E z> - |E z|^2 with it.
    double noise_taken() const {
        Array product(backend_, problem_.image_shape(), error_->precision());
        problem_.normal().forward(*error_, product);
        return 2 * backend_.dot(*noise_draw_, *error_).real() - backend_.dot(*error_, product).real();
    }

    NoiseBalance noise_balance() const {
        return {statistics_, residual_of_shells(problem_, statistics_, image_), noise_taken()};
    }

    std::unique_ptr<ScanSystem> system_of(const ScanTerm& term) const {
        return std::make_unique<ScanSystem>(problem_, priors_, term, of_data_,
                                            std::sqrt(statistics_.weighting() * noise_.white), asked_);
    }

    /// Of the noise as it is now. @param last  is gone before there is another
    void find_system(std::unique_ptr<ScanSystem>& last) {
        const auto stage = problem_.context().run.stage(Stage::start);
        last.reset();
        of_prior_.term.w.reset();
        FrameSpectrum found = spectrum_of(statistics_, noise_.white);
        report_.frame_count = found.frame_count;
        spectrum_ = std::move(found.power);
        of_prior_ = spectrum_term(problem_, k_of_grid_, *spectrum_,
                                  {statistics_.weighting() * noise_.white, statistics_.weighting() * noise_.relative},
                                  statistics_.signal_share());
        last = system_of(of_prior_);
        noise_draw_.emplace(draws_->of_data(0, noise_, *spectrum_));
    }

    ScanNoise find_noise() {
        const auto stage = problem_.context().run.stage(Stage::start);
        const NoiseBalance balance = noise_balance();
        noise_explained_ = balance.energy();
        return found_noise(
            balance, taken_in_shells(statistics_.shells, shell_of_grid_, of_data_, of_prior_.spectrum, voxel_count()),
            noise_, *spectrum_, bounds_);
    }

    std::unique_ptr<ScanSystem> find_spectrum(CgReport& cg) {
        std::unique_ptr<ScanSystem> system;
        for (report_.noise_turns = 1;; ++report_.noise_turns) {
            find_system(system);
            solve(*system, turn_accuracy, "spectrum prior", cg);
            if (interrupted_) {
                break;
            }
            sample(*system, 0, *noise_draw_);
            if (interrupted_) {
                break;
            }
            const ScanNoise found = find_noise();
            log_debug(
                "scan prior: turn {}: sigma {:.4g}, found {:.4g} and {:.2g} of the signal, {} iterations, "
                "predicted error {:.4f}",
                report_.noise_turns, std::sqrt(noise_.white), std::sqrt(found.white), std::sqrt(found.relative),
                report_.iterations, norm(*error_) / norm(image_));
            const auto of_all = [&](const ScanNoise& noise) {
                return noise.variance(statistics_.signal_share() * spectrum_->power().front());
            };
            const bool settled = std::abs(found.white / noise_.white - 1) < settled_noise &&
                                 std::abs(of_all(found) / of_all(noise_) - 1) < settled_errors;
            if ((settled && backend_.computes()) || report_.noise_turns == most_turns) {
                break;
            }
            backend_.scale(std::sqrt(found.white / noise_.white), *error_);
            noise_ = found;
        }
        if (noise_.white <= std::pow(least_sigma(), 2) * (1 + 1e-9)) {
            const Precision precision = problem_.context().options.precision;
            log_info("scan prior: noise below {:.3g} is taken for that, as {} precision tells no less{}", least_sigma(),
                     name_of(precision), precision == Precision::single ? "; see `precision` double" : "");
        }
        report_.noise.sigma = std::sqrt(noise_.white);
        report_.model_error = std::sqrt(noise_.relative);
        report_.k_per_mm = spectrum_->k_per_mm();
        report_.power = spectrum_->power();
        report_.exponent = spectrum_->exponent(noise_.white / statistics_.signal_share());
        return system;
    }

    /// sigma^2 where the spectrum prior decides: between frequencies that the data give, and those that they do not.
    double deciding_variance() const {
        const auto weight = [&](Index i) {
            const double response = of_data_[i] / (of_data_[i] + of_prior_.spectrum[i]);
            return response * (1 - response);
        };
        const double weights = ordered_sum(std::ssize(of_data_), weight);
        const double sum = ordered_sum(std::ssize(of_data_), [&](Index i) {
            return weight(i) * of_prior_.deviations[i] * of_prior_.deviations[i];
        });
        return weights > 0 ? sum / weights : statistics_.weighting() * noise_.white;
    }

    /// [x y z axis]
    Array differences_of(ConstArrayView x) const {
        const FiniteDifferences gradient = plain_gradient(problem_);
        Array differences(backend_, gradient.codomain(), gradient.precision());
        gradient.forward(x, differences);
        return differences;
    }

    LocalVariance variance_now() const {
        Array of_image = differences_of(image_), of_error = differences_of(*error_);
        return local_variance(of_image, of_error);
    }

    /// Passes in which gradients have the variance that the last image shows where they are. One, but where the data
    /// leave much open: an image that is nearly right, and lets the noise be what it was, may be read once more.
    void local_passes(std::unique_ptr<ScanSystem>& system, CgReport& cg) {
        const Array of_spectrum = copy_of(image_);
        const double of_spectrum_error = error_size_;
        local_noise_ = deciding_variance();
        of_prior_.term.w.reset();
        for (report_.local_passes = 1;; ++report_.local_passes) {
            {
                const auto stage = problem_.context().run.stage(Stage::start);
                variance_.reset();
                variance_.emplace(variance_now());
                system.reset();
                system = system_of(local_term(problem_, priors_.support.get(), *variance_, local_noise_));
            }
            const Array before = copy_of(image_);
            solve(*system, image_accuracy, "local pass", cg);
            // The spectrum is that of the image on the average, and so is the error that it tells. The better one of
            // two images of the same data is nearer to the truth by what they differ in, unless they differ by more
            // than the first one's error: then neither is right (docs/default-image.md).
            const double changed = squared_distance(image_, of_spectrum);
            error_size_ = std::sqrt(std::max(std::pow(of_spectrum_error, 2) - changed, least_of_change * changed));
            if (interrupted_) {
                return;
            }
            sample(*system, 0, *noise_draw_);
            log_debug("scan prior: local pass {}: error {:.4g} by the spectrum, {:.4g} changed, {:.4g} by a sample",
                      report_.local_passes, of_spectrum_error, std::sqrt(changed), norm(*error_));
            const bool is_certain = norm(*error_) >= error_size_;
            const bool is_doubtful = error_size_ > trusted_edges * norm(image_);
            const bool is_settled = squared_distance(image_, before) < std::pow(settled_image * error_size_, 2);
            const bool ends = (is_certain || is_doubtful || is_settled) && backend_.computes();
            if (interrupted_ || ends || report_.local_passes == most_local_passes) {
                return;
            }
            const bool is_wrong =
                problem_.context().run.stage(Stage::start, [&] { return noise_balance().energy() > noise_explained_; });
            if (is_wrong && backend_.computes()) {
                return;
            }
        }
    }

    void describe_uncertainty(const ScanSystem& system) {
        describe_resolution();
        const Index samples = problem_.context().options.regularisation.uncertainty_samples;
        if (samples == 0) {
            return;
        }
        DeviationMap deviations(*error_, norm(*error_) / std::sqrt(voxel_count()));
        for (Index draw = 0; draw < samples && !interrupted_; ++draw) {
            if (draw > 0) {  // the first is there
                backend_.fill(0, *error_);
                sample(system, draw, draws_->of_data(draw, noise_, *spectrum_));
            }
            deviations.add(*error_);
        }
        // The sample says where the error is, the predicted error how large it is.
        report_.sd = deviations.take("uncertainty/sd", error_size_ * error_size_, priors_.support.get());
    }

    /// By how much noise alone moves the image while the prior stays where it is: what repeated scans show.
    void describe_noise(const ScanSystem& system) {
        const Index draws = problem_.context().options.regularisation.noise_sd_draws;
        if (draws == 0) {
            return;
        }
        DeviationMap deviations(*error_, std::sqrt(statistics_.weighting() * noise_.white));
        double energy = 0;
        for (Index draw = 0; draw < draws && !interrupted_; ++draw) {
            Array right_side = draws_->of_data(draw, noise_, *spectrum_);
            backend_.fill(0, *error_);
            solve_for_error(system, right_side, image_accuracy, noise_size_accuracy);
            energy += std::pow(norm(*error_), 2) / static_cast<double>(draws);
            deviations.add(*error_);
        }
        report_.noise_sd = deviations.take("uncertainty/noise_sd", energy, priors_.support.get());
    }

    void describe_resolution() {
        EffectiveResolution voxels;
        if (!variance_) {
            voxels.in_tissue = voxels.at_edges = equivalent_width(of_data_, of_prior_.spectrum, axis_count_);
        } else {
            voxels = local_resolution(problem_, of_data_, *variance_, local_noise_, image_, axis_count_);
        }
        const double unit = report_.voxel_mm > 0 ? report_.voxel_mm : 1;
        report_.resolution_mm = unit * voxels.in_tissue;
        report_.edge_resolution_mm = unit * voxels.at_edges;
    }

    const FrameProblem& problem_;
    PriorTerms& priors_;
    Backend& backend_;
    ArrayView image_;
    AskedLimits asked_;
    MemoryClaim on_host_;
    std::optional<Array> coil_energy_;  ///< until all is read off it
    ScanStatistics statistics_;
    ScanPriorReport report_;
    Index axis_count_ = 0;
    ScanNoise noise_;
    NoiseBounds bounds_;
    double error_size_ = 0;       ///< |z| as it is told to the user
    double noise_explained_ = 0;  ///< energy of the noise by the image of the spectrum
    double local_noise_ = 0;      ///< sigma^2 in the local pass
    std::optional<PowerSpectrum> spectrum_;
    bool interrupted_ = false;
    std::vector<double> k_of_grid_;
    std::vector<std::uint32_t> shell_of_grid_;
    std::vector<double> of_data_;  ///< eigenvalues of the circulant approximation of E^H E
    ScanTerm of_prior_;
    std::optional<LocalVariance> variance_;  ///< without the local pass none
    std::optional<NoiseDraws> draws_;
    std::optional<Array> noise_draw_;  ///< the first, of noise_
    std::optional<Array> error_;       ///< z
};

}  // namespace

ScanPriorReport solve_with_scan_prior(const FrameProblem& problem, PriorTerms& priors, ArrayView image, CgReport& cg) {
    const ReconstructOptions& options = problem.context().options;
    ScanPriorCourse course = problem.context().run.stage(Stage::start, [&] {
        return ScanPriorCourse(problem, priors, image, {options.iterations_asked, options.stop_asked});
    });
    if (const std::string obstacle = course.obstacle(); !obstacle.empty()) {
        log_warning("scan prior: {}", obstacle);
        return {};
    }
    ScanPriorReport report = course.run(options.regularisation.scan, cg);
    log_scan_prior(report);
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
        ScanPriorCourse course(problem, none, image, {});
        if (course.obstacle().empty()) {
            return course.noise();
        }
    }
    return first_noise(problem);
}

}  // namespace recon
