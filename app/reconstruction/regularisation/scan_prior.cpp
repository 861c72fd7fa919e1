#include "app/reconstruction/regularisation/scan_prior.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "app/pipeline/iteration_monitor.hpp"
#include "app/pipeline/shared_decision.hpp"
#include "app/reconstruction/regularisation/regularised_system.hpp"
#include "app/reconstruction/regularisation/scan_statistics.hpp"
#include "app/reconstruction/regularisation/scan_term.hpp"
#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/mri/priors/local_variance.hpp"
#include "core/mri/priors/white_draw.hpp"
#include "core/operators/preconditioners/circulant_preconditioner.hpp"
#include "core/operators/preconditioners/stencil_projection.hpp"

namespace recon {
namespace {

constexpr int most_turns = 5;
constexpr double settled_noise = 0.06;   ///< relative change of sigma^2 that ends the turns
constexpr double settled_errors = 0.25;  ///< and of that of the errors where the signal is largest
/// What is left of the energy (x - x*)^H A (x - x*), in units of that of the posterior error, where a solution stops.
constexpr double turn_accuracy = 1e-2;
constexpr double image_accuracy = 2e-3;
constexpr double sample_accuracy = 1e-2;
constexpr int most_iterations = 200;
/// Below this part of |d|^2 an energy is rounding.
constexpr double least_energy = 1e-9;
/// Fewer numbers tell neither noise nor spectrum.
constexpr double least_values = 64;
/// Streams of white_draw: those of a draw's coils come first.
constexpr std::uint64_t prior_stream = std::uint64_t{1} << 40;

/// Ends a solver when the run is to stop, and shows nothing.
class QuietMonitor final : public IterationObserver {
public:
    explicit QuietMonitor(const Run& run) : run_(run) {}
    bool iteration_done(int, double, ConstArrayView) override { return !run_.stops_with_image(); }

private:
    const Run& run_;
};

/// A x = b for one regularised system, many right sides.
class System {
public:
    /// @param deviation  sigma of the data, for terms that are not the scan's
    System(const FrameProblem& problem, const PriorTerms& priors, const ScanTerm& scan,
           const std::vector<double>& of_data, double deviation)
        : problem_(problem),
          support_(priors.support.get()),
          terms_(priors.terms),
          deviations_(scan.deviations),
          deviation_(deviation) {
        terms_.push_back(scan.term);
        regularised_.emplace(problem, terms_, support_);
        std::vector<double> values = of_data;
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] += scan.spectrum[i];
        }
        for (const PriorTerm& term : priors.terms) {
            const std::vector<double> projection = project_stencil(Normal(*term.w)).spectrum;
            for (std::size_t i = 0; i < values.size(); ++i) {
                values[i] += term.lambda * problem.q_centre() * projection[i];
            }
        }
        const double largest = *std::max_element(values.begin(), values.end());
        for (double& value : values) {
            value = std::max(value, 1e-7 * largest);
        }
        circulant_.emplace(problem.backend(), problem.image_shape(), values, problem.context().options.precision);
        if (support_ != nullptr) {
            supported_.emplace(*circulant_, *support_);
        }
    }

    const std::vector<PriorTerm>& terms() const { return terms_; }
    ConstArrayView right_side() const { return regularised_->right_side(); }

    /// @param name  for the log; none: no lines
    CgReport solve(ConstArrayView right_side, ArrayView x, double energy_stop, const char* name = nullptr) const {
        const ReconstructOptions& options = problem_.context().options;
        CgOptions cg = options.cg;
        cg.iterations = options.iterations_asked.value_or(most_iterations);
        cg.stop = options.stop_asked.value_or(0);
        cg.energy_stop = options.iterations_asked || options.stop_asked ? 0 : energy_stop;
        QuietMonitor quiet(problem_.context().run);
        std::optional<IterationMonitor> monitor;
        if (name != nullptr) {
            monitor.emplace(problem_.context().run, cg.iterations, name);
        }
        SharedDecision decision(problem_.ranks(), monitor ? static_cast<IterationObserver&>(*monitor) : quiet);
        return solve_cg(regularised_->system(), right_side, x, cg, &decision,
                        supported_ ? static_cast<const LinearOperator*>(&*supported_) : &*circulant_);
    }

    /// image += sum_i sqrt(lambda_i Q(0)) W_i^H (sigma w), w white, [x y z]: what the priors take off a draw of theirs.
    void add_draw_of_priors(Index draw, ArrayView image) const {
        std::uint64_t stream = prior_stream + 16 * static_cast<std::uint64_t>(draw);
        Array part(image.backend(), image.shape(), image.precision());
        for (const PriorTerm& term : terms_) {
            std::vector<cfloat> white(static_cast<std::size_t>(term.w->codomain().element_count()));
            fill_white(stream++, 0, white);
            const bool is_scan = &term == &terms_.back();
            for (std::size_t i = 0; i < white.size(); ++i) {
                white[i] *= static_cast<float>(is_scan && !deviations_.empty() ? deviations_[i] : deviation_);
            }
            Array on_backend(image.backend(), term.w->codomain(), image.precision());
            upload(white, on_backend);
            term.w->adjoint(on_backend, part);
            image.backend().axpby(std::sqrt(term.lambda * problem_.q_centre()), part, 1, image);
        }
    }

    void restrict_to_support(ArrayView image) const {
        if (support_ != nullptr) {
            support_->restrict_to_support(image);
        }
    }

private:
    const FrameProblem& problem_;
    const Support* support_;
    std::vector<PriorTerm> terms_;
    std::vector<double> deviations_;
    double deviation_;
    std::optional<RegularisedSystem> regularised_;
    std::optional<CirculantPreconditioner> circulant_;
    std::optional<Supported> supported_;
};

/// How wide a voxel is that holds as many degrees of freedom as the data leave: (H(0) / mean H)^(1/d) voxels, where H
/// = c / (c + p) is the response to the data. @param of_data c, @param of_prior p, eigenvalues
double equivalent_width(const std::vector<double>& of_data, const std::vector<double>& of_prior, Index axis_count) {
    double sum = 0;
    for (std::size_t i = 0; i < of_data.size(); ++i) {
        sum += of_data[i] / std::max(of_data[i] + of_prior[i], 1e-300);
    }
    const double centre = of_data[0] / std::max(of_data[0] + of_prior[0], 1e-300);
    const double mean = sum / static_cast<double>(of_data.size());
    return mean > 0 && axis_count > 0 ? std::pow(centre / mean, 1 / static_cast<double>(axis_count)) : 0;
}

double quantile(std::vector<double> values, double part) {
    const auto place = values.begin() + static_cast<Index>(part * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

class ScanPriorCourse {
public:
    ScanPriorCourse(const FrameProblem& problem, PriorTerms& priors, ArrayView image)
        : problem_(problem),
          priors_(priors),
          backend_(problem.backend()),
          image_(image),
          statistics_(scan_statistics(problem)) {
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

    /// Whether there is anything to tell a prior by.
    bool is_possible() {
        if (statistics_.data_energy == 0) {
            log_warning("scan prior: the data are all zero, and so is the image");
            return false;
        }
        if (statistics_.value_count < least_values || axis_count_ == 0) {
            log_warning("scan prior: {} numbers tell neither noise nor spectrum; plain least squares instead",
                        statistics_.value_count);
            return false;
        }
        return true;
    }

    ScanPriorReport run(ScanPrior kind, CgReport& cg) {
        prepare();
        std::unique_ptr<System> system = find_spectrum(cg);
        report_.used = ScanPrior::spectrum;
        report_.predicted_error = relative(error_->view());
        if (kind == ScanPrior::scan && !interrupted_) {
            local_pass(system, cg);
        }
        if (cg.stopped_by == StopReason::energy) {
            cg.stopped_by = StopReason::predicted_error;
        }
        priors_.terms.push_back(system->terms().back());
        if (!interrupted_) {
            describe_uncertainty(*system);
        }
        return std::move(report_);
    }

private:
    double voxel_count() const { return static_cast<double>(problem_.image_shape().element_count()); }
    /// What weights make of the variance of a sample: sum w^2 / sum w.
    double weighting() const { return statistics_.weight_square_sum / statistics_.weight_sum; }
    double energy_stop(double accuracy) const {
        return std::max(accuracy * voxel_count() * weighting() * noise_.white, least_energy * statistics_.data_energy);
    }
    /// A sample's energy of signal in one coil, as a part of P.
    double signal_share() const { return statistics_.coil_gain / static_cast<double>(statistics_.coil_count); }
    double rms_of_data() const { return std::sqrt(statistics_.data_energy / statistics_.weight_sum); }
    double relative(ConstArrayView error) const {
        const double of_image = norm(image_);
        return of_image > 0 ? norm(error) / of_image : 0;
    }
    Array zero_image() const {
        Array zero(backend_, problem_.image_shape(), problem_.context().options.precision);
        backend_.fill(0, zero);
        return zero;
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
            const PerAxis<Index> grid = circulant_grid(problem_.context().matrix_size());
            of_data_.assign(static_cast<std::size_t>(grid[0] * grid[1] * grid[2]),
                            problem_.q_centre() * statistics_.coil_gain);
        }
        white_data_.emplace(adjoint_of_white_noise(problem_, 0, statistics_.shells));
        backend_.fill(0, image_);
        error_.emplace(zero_image());
    }

    void start_noise() {
        const ReconstructionContext& context = problem_.context();
        const LambdaOptions& options = context.options.regularisation.lambda;
        const Frame& frame = problem_.frame();
        if (options.noise_sigma) {
            report_.noise = {*options.noise_sigma, "--noise-sigma"};
            noise_is_given_ = true;
        } else if (!context.scan.noise.empty()) {
            report_.noise = noise_level_of_acquisition(context.scan.noise);
            report_.expected_sigma = report_.noise.sigma;
        } else {
            report_.noise = noise_level_of_edges(frame.kspace, *frame.trajectory, context.matrix_size(),
                                                 context.scan.coil_count, context.scan.samples_per_readout);
            report_.noise.source = "the scan";
        }
        const double least = 1e-5 * rms_of_data();  // the sums are no better
        noise_.white =
            std::pow(report_.noise.sigma > 0 ? std::max(report_.noise.sigma, least) : 0.1 * rms_of_data(), 2);
        least_white_ = noise_is_given_ ? noise_.white : std::pow(std::max(report_.expected_sigma, least), 2);
        most_white_ = noise_is_given_ ? noise_.white : std::pow(rms_of_data(), 2);
    }

    /// x and z of a system. @return whether to go on
    bool solve(const System& system, double image_accuracy, const char* name, CgReport& cg) {
        const auto stage = problem_.context().run.stage(Stage::solve);
        cg = system.solve(system.right_side(), image_, energy_stop(image_accuracy), name);
        report_.iterations += cg.iterations;
        interrupted_ = cg.stopped_by == StopReason::cancelled;
        if (!interrupted_) {
            sample(system, 0, data_draw(0), *error_);
        }
        return !interrupted_;
    }

    /// E^H sqrt(w) sigma n, [x y z], sigma that of the sample.
    Array data_draw(Index draw) const {
        if (noise_.relative > 0) {
            std::vector<double> deviations;
            for (std::size_t shell = 0; shell < statistics_.shells.count.size(); ++shell) {
                deviations.push_back(std::sqrt(noise_.variance(signal_of(shell))));
            }
            return adjoint_of_white_noise(problem_, draw, statistics_.shells, deviations);
        }
        Array noise = draw == 0 ? white_data_->clone() : adjoint_of_white_noise(problem_, draw, statistics_.shells);
        backend_.scale(std::sqrt(noise_.white), noise);
        return noise;
    }

    /// z = A^-1 (E^H sqrt(w) sigma n + W^H (sigma_model w)): an error as the image's own. @param noise  overwritten
    void sample(const System& system, Index draw, Array noise, ArrayView error) {
        noise_energy_ = 0;
        Array right_side = noise.clone();
        system.add_draw_of_priors(draw, right_side);
        system.restrict_to_support(right_side);
        const CgReport report = system.solve(right_side, error, energy_stop(sample_accuracy));
        report_.iterations += report.iterations;
        interrupted_ = interrupted_ || report.stopped_by == StopReason::cancelled;
        // Of the noise's energy the image takes 2 Re <n, E z> - |E z|^2 with it.
        problem_.normal().forward(error, right_side);
        noise_energy_ = 2 * backend_.dot(noise, error).real() - backend_.dot(error, right_side).real();
    }

    /// Energy of the signal in a sample of one coil.
    double signal_of(std::size_t shell) const {
        const KspaceShells& shells = statistics_.shells;
        return shells.count[shell] > 0
                   ? signal_share() * shells.gain[shell] / shells.count[shell] * (*spectrum_)(shells.mean_k(shell))
                   : 0;
    }

    std::unique_ptr<System> find_spectrum(CgReport& cg) {
        std::unique_ptr<System> system;
        for (report_.noise_turns = 1;; ++report_.noise_turns) {
            spectrum_ = fit_power_spectrum(
                statistics_.shells, {noise_.white, static_cast<double>(statistics_.coil_count), statistics_.coil_gain});
            system.reset();
            of_prior_ = spectrum_term(problem_, statistics_.shells, *spectrum_,
                                      {weighting() * noise_.white, weighting() * noise_.relative}, signal_share());
            system =
                std::make_unique<System>(problem_, priors_, of_prior_, of_data_, std::sqrt(weighting() * noise_.white));
            if (!solve(*system, turn_accuracy, "spectrum prior", cg)) {
                break;
            }
            const ScanNoise found = found_noise();
            log_debug(
                "scan prior: turn {}: sigma {:.4g}, found {:.4g} and {:.2g} of the signal, {} iterations, "
                "predicted error {:.4f}",
                report_.noise_turns, std::sqrt(noise_.white), std::sqrt(found.white), std::sqrt(found.relative),
                report_.iterations, relative(*error_));
            const auto of_all = [&](const ScanNoise& noise) {
                return noise.variance(signal_share() * spectrum_->power().front());
            };
            const bool settled = std::abs(found.white / noise_.white - 1) < settled_noise &&
                                 std::abs(of_all(found) / of_all(noise_) - 1) < settled_errors;
            if (settled || report_.noise_turns == most_turns) {
                break;
            }
            backend_.scale(std::sqrt(found.white / noise_.white), *error_);
            noise_ = found;
        }
        report_.noise.sigma = std::sqrt(noise_.white);
        report_.model_error = std::sqrt(noise_.relative);
        report_.k_per_mm = spectrum_->k_per_mm();
        report_.power = spectrum_->power();
        report_.exponent = spectrum_->exponent(noise_.white / signal_share());
        return system;
    }

    /// From what is left over in the shells of k-space: the residual, and the degrees of freedom that the image has
    /// taken there, by the response of the circulant approximation, in all as many as the sample of the error tells.
    ScanNoise found_noise() const {
        const KspaceShells& shells = statistics_.shells;
        const std::vector<double> residuals = residual_of_shells(problem_, shells, image_, rms_of_data());
        std::vector<double> taken(shells.count.size(), 0.0);
        const std::vector<double> k = k_of_grid(problem_.context().matrix_size(), shells);
        const double share = voxel_count() / static_cast<double>(k.size());
        for (std::size_t i = 0; i < k.size(); ++i) {
            taken[shells.shell_at(k[i])] += share * of_data_[i] / (of_data_[i] + of_prior_.spectrum[i]);
        }
        const auto coils = static_cast<double>(statistics_.coil_count);
        double energy_taken = 0;
        for (std::size_t s = 0; s < taken.size(); ++s) {
            taken[s] = std::min(taken[s], coils * shells.count[s]);
            energy_taken += taken[s] * noise_.variance(signal_of(s));
        }
        const double correction =
            energy_taken > 0 && weighting() == 1 ? std::clamp(noise_energy_ / energy_taken, 0.2, 2.0) : 1;
        std::vector<ShellResidual> left;
        constexpr double least_left = 0.03;
        for (std::size_t s = 0; s < taken.size(); ++s) {
            const double numbers = coils * shells.count[s];
            if (numbers > 0) {
                const double freedom = std::max(numbers - correction * taken[s], least_left * numbers);
                left.push_back({freedom, residuals[s] / freedom, signal_of(s)});
            }
        }
        return split_noise(left, noise_, least_white_, most_white_);
    }

    /// sigma^2 where the spectrum prior decides: between frequencies that the data give, and those that they do not.
    double deciding_variance() const {
        double sum = 0, weights = 0;
        for (std::size_t i = 0; i < of_data_.size(); ++i) {
            const double response = of_data_[i] / (of_data_[i] + of_prior_.spectrum[i]);
            const double weight = response * (1 - response);
            sum += weight * of_prior_.deviations[i] * of_prior_.deviations[i];
            weights += weight;
        }
        return weights > 0 ? sum / weights : weighting() * noise_.white;
    }

    std::vector<double> energy_of_gradient(ConstArrayView x) const {
        const FiniteDifferences gradient = plain_gradient(problem_);
        Array differences(backend_, gradient.codomain(), gradient.precision());
        gradient.forward(x, differences);
        return gradient_energy(download<float>(differences), static_cast<std::size_t>(x.size()));
    }

    void local_pass(std::unique_ptr<System>& system, CgReport& cg) {
        std::vector<double> variance;
        {
            const auto stage = problem_.context().run.stage(Stage::start);
            variance = local_variance(problem_.context().matrix_size(), energy_of_gradient(image_),
                                      energy_of_gradient(*error_));
        }
        system.reset();
        of_prior_.term.w.reset();
        local_noise_ = deciding_variance();
        const ScanTerm term = local_term(problem_, priors_.support.get(), variance, local_noise_);
        auto local = std::make_unique<System>(problem_, priors_, term, of_data_, std::sqrt(weighting() * noise_.white));
        if (solve(*local, image_accuracy, "local pass", cg)) {
            report_.predicted_error = relative(*error_);
        }
        report_.used = ScanPrior::scan;
        system = std::move(local);
        variance_field_ = std::move(variance);
    }

    void describe_uncertainty(const System& system) {
        const auto stage = problem_.context().run.stage(Stage::solve);
        describe_resolution();
        const Index samples = problem_.context().options.regularisation.uncertainty_samples;
        if (samples == 0) {
            return;
        }
        std::vector<double> squares(static_cast<std::size_t>(image_.size()), 0.0);
        for (Index draw = 0; draw < samples && !interrupted_; ++draw) {
            if (draw > 0) {
                backend_.fill(0, *error_);
                sample(system, draw, data_draw(draw), *error_);
            }
            const std::vector<cfloat> error = download<float>(*error_);
            for (std::size_t n = 0; n < error.size(); ++n) {
                squares[n] += std::norm(cdouble(error[n])) / static_cast<double>(samples);
            }
        }
        // So wide that about 50 numbers stand behind each voxel: their root mean square is good to 7 %.
        constexpr double numbers_wanted = 50;
        const double volume = std::max(1.0, numbers_wanted / static_cast<double>(samples));
        const double width =
            volume > 1 ? std::pow(volume, 1 / static_cast<double>(axis_count_)) / std::sqrt(4 * pi) : 0;
        smooth(problem_.context().matrix_size(), width, squares);
        std::vector<float> sd;
        for (const double square : squares) {
            sd.push_back(static_cast<float>(std::sqrt(square)));
        }
        const auto [x, y, z] = problem_.context().matrix_size();
        report_.sd = {"uncertainty/sd", {"z", "y", "x"}, {z, y, x}, std::move(sd), ""};
    }

    /// By the response of the circulant approximation to the data: that of the spectrum, or of the local variance at
    /// the median voxel of the object and at its upper twentieth.
    void describe_resolution() {
        const double unit = report_.voxel_mm > 0 ? report_.voxel_mm : 1;
        if (variance_field_.empty()) {
            report_.resolution_mm = unit * equivalent_width(of_data_, of_prior_.spectrum, axis_count_);
            report_.edge_resolution_mm = report_.resolution_mm;
            return;
        }
        const std::vector<cfloat> voxels = download<float>(image_);
        std::vector<double> magnitudes(voxels.size());
        std::transform(voxels.begin(), voxels.end(), magnitudes.begin(), [](cfloat v) { return std::abs(v); });
        const double least = 0.2 * quantile(magnitudes, 0.99);
        std::vector<double> inside;
        for (std::size_t n = 0; n < magnitudes.size(); ++n) {
            if (magnitudes[n] >= least) {
                inside.push_back(variance_field_[n]);
            }
        }
        const auto width = [&](double part) {
            return unit * equivalent_width(of_data_, gradient_spectrum(problem_, local_noise_, quantile(inside, part)),
                                           axis_count_);
        };
        report_.resolution_mm = width(0.5);
        report_.edge_resolution_mm = width(0.95);
    }

    const FrameProblem& problem_;
    PriorTerms& priors_;
    Backend& backend_;
    ArrayView image_;
    ScanStatistics statistics_;
    ScanPriorReport report_;
    Index axis_count_ = 0;
    ScanNoise noise_;
    double least_white_ = 0;  ///< that of noise acquisitions, or what the sums are good to
    double most_white_ = 0;
    double noise_energy_ = 0;  ///< that the last sample's image takes off the noise
    double local_noise_ = 0;   ///< sigma^2 in the local pass
    std::optional<PowerSpectrum> spectrum_;
    bool noise_is_given_ = false;
    bool interrupted_ = false;
    std::vector<double> of_data_;  ///< eigenvalues of the circulant approximation of E^H E
    ScanTerm of_prior_;
    std::vector<double> variance_field_;  ///< v, [x y z]; empty without the local pass
    std::optional<Array> white_data_;     ///< E^H sqrt(w) n
    std::optional<Array> error_;          ///< z
};

std::string unit_text(const ScanPriorReport& report) { return report.voxel_mm > 0 ? "mm" : "voxels"; }

void log_report(const ScanPriorReport& report) {
    log_info(
        "scan prior: noise {:.3g}, spectrum |k|^{:.1f} from {} coil{}, effective resolution {:.2g} {} ({:.2g} at "
        "edges) at {:.2g} {} voxels, predicted error {:.2g} %; {} turns, {} iterations",
        report.noise.sigma, report.exponent, report.coil_count, report.coil_count == 1 ? "" : "s", report.resolution_mm,
        unit_text(report), report.edge_resolution_mm, report.voxel_mm > 0 ? report.voxel_mm : 1.0, unit_text(report),
        100 * report.predicted_error, report.noise_turns, report.iterations);
    constexpr double clearly_more = 1.2;
    if (report.expected_sigma > 0 && report.noise.sigma > clearly_more * report.expected_sigma) {
        log_warning(
            "scan prior: what the model leaves over is {:.2g} times the noise of the noise acquisitions; coil maps, "
            "trajectory or field map may be wrong, or the object moved",
            report.noise.sigma / report.expected_sigma);
    }
    constexpr double clearly_wrong = 0.1;
    if (report.model_error > clearly_wrong) {
        log_warning(
            "scan prior: {:.0f} % of the signal in k-space is neither image nor noise; coil maps, trajectory or field "
            "map may be wrong, the signal decays or the object moves",
            100 * report.model_error);
    }
    constexpr double no_signal = 0.7;
    if (report.predicted_error > no_signal) {
        log_warning("scan prior: predicted error {:.0f} %: there is hardly any signal above the noise",
                    100 * report.predicted_error);
    }
}

}  // namespace

ScanPriorReport solve_with_scan_prior(const FrameProblem& problem, PriorTerms& priors, ArrayView image, CgReport& cg) {
    ScanPriorCourse course(problem, priors, image);
    if (!course.is_possible()) {
        return {};
    }
    ScanPriorReport report = course.run(problem.context().options.regularisation.scan, cg);
    log_report(report);
    return report;
}

RunRecord scan_prior_record(const ScanPriorReport& report) {
    const auto name = [&] {
        return report.used == ScanPrior::scan ? "scan" : report.used == ScanPrior::spectrum ? "spectrum" : "none";
    };
    RunRecord record = {{"prior", name()}};
    if (report.used == ScanPrior::none) {
        return record;
    }
    record["noise_sigma"] = report.noise.sigma;
    record["model_error"] = report.model_error;
    record["noise_source"] = report.noise.source;
    record["noise_turns"] = report.noise_turns;
    record["spectrum"] = {{"k_per_mm", report.k_per_mm}, {"power", report.power}, {"exponent", report.exponent}};
    record["predicted_error"] = report.predicted_error;
    record[report.voxel_mm > 0 ? "effective_resolution_mm" : "effective_resolution_voxels"] = report.resolution_mm;
    record[report.voxel_mm > 0 ? "effective_resolution_edges_mm" : "effective_resolution_edges_voxels"] =
        report.edge_resolution_mm;
    record["iterations_in_all"] = report.iterations;
    return record;
}

}  // namespace recon
