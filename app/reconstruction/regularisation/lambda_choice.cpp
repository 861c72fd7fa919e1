#include "app/reconstruction/regularisation/lambda_choice.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/base/number_text.hpp"
#include "data/simulation/noise.hpp"

namespace recon {
namespace {

constexpr std::uint64_t probe_seed = 20;

/// Of the samples of this rank, weighted as the fit is, then of all ranks.
void add_statistics(const FrameProblem& problem, LambdaProblem& task) {
    const std::vector<double>& root_weights = problem.plans().root_weights();
    const std::span<const cfloat> kspace = problem.own_kspace();
    const std::size_t sample_count = static_cast<std::size_t>(problem.plans().trajectory().sample_count());
    double sums[2] = {0, 0};
    for (std::size_t i = 0; i < kspace.size(); ++i) {
        const double root = root_weights.empty() ? 1 : root_weights[i % sample_count];
        sums[0] += root * root * std::norm(cdouble(kspace[i]));
        sums[1] += root * root;
    }
    problem.ranks().all_reduce_sum(std::span<double>(sums));
    task.data_energy = sums[0];
    task.data.count = sums[1];
}

/// White noise with the shape of the frame's k-space, [sample coil] of this rank: the same for any number of ranks.
class NoiseDraw {
public:
    NoiseDraw(const FrameProblem& problem, Index draw)
        : claim_(problem.backend().claim_on_host(2 * sizeof(cfloat) * static_cast<std::size_t>(size(problem)))),
          whole_(static_cast<std::size_t>(problem.backend().listed(size(problem))), cfloat(0)) {
        add_noise(whole_, 1, probe_seed, static_cast<std::uint64_t>(draw));
        own_ = problem.context().division.part_of_kspace(whole_, buffer_);
    }
    std::span<const cfloat> own() const { return own_; }

private:
    static Index size(const FrameProblem& problem) {
        return problem.frame().sample_count() * problem.context().scan.coil_count;
    }

    MemoryClaim claim_;  ///< whole, and the part of this rank
    std::vector<cfloat> whole_;
    std::vector<cfloat> buffer_;
    std::span<const cfloat> own_;
};

/// E and the data with samples weighted by their density, D, which the image's error is measured with.
class DensityWeighted {
public:
    explicit DensityWeighted(const FrameProblem& problem)
        : problem_(problem),
          weights_(problem.plans().density_weights()),
          encoding_(problem.encoding().with_factors(factors())),
          kspace_(problem.kspace(roots_)) {
        const std::span<const cfloat> kspace = problem.own_kspace();
        double sums[2] = {0, 0};
        for (std::size_t i = 0; i < kspace.size(); ++i) {
            const double weight = weights_[i % weights_.size()];
            sums[0] += weight * std::norm(cdouble(kspace[i]));
            sums[1] += weight;
        }
        problem.ranks().all_reduce_sum(std::span<double>(sums));
        data_energy_ = sums[0];
        count_ = sums[1];
    }

    double count() const { return count_; }
    double misfit(ConstArrayView image) const {
        const double relative = relative_data_residual(encoding_, image, kspace_, problem_.ranks());
        return relative * relative * data_energy_;
    }
    double energy(ConstArrayView image) const { return predicted_energy(encoding_, image, problem_.ranks()); }
    /// E^H D n
    Array adjoint_of(std::span<const cfloat> own_noise) const {
        const ReconstructionContext& context = problem_.context();
        Array image(context.backend, problem_.image_shape(), context.options.precision);
        encoding_adjoint(
            encoding_,
            {context.backend, own_noise, kspace_.shape(), roots_, context.options.precision, context.memory.kspace},
            image);
        problem_.ranks().all_reduce_sum(image);
        return image;
    }

private:
    /// sqrt(D) phi
    std::shared_ptr<const Array> factors() {
        std::vector<cdouble> values;
        const std::vector<double>& phi = problem_.plans().sample_factors();
        for (std::size_t m = 0; m < weights_.size(); ++m) {
            roots_.push_back(std::sqrt(weights_[m]));
            values.emplace_back(roots_[m] * (phi.empty() ? 1 : phi[m]));
        }
        Array array(problem_.backend(), Shape::samples(problem_.plans().trajectory().sample_count()),
                    problem_.context().options.precision);
        upload(values, array);
        return std::make_shared<const Array>(std::move(array));
    }

    const FrameProblem& problem_;
    std::vector<double> weights_;  ///< D, [sample]
    std::vector<double> roots_;
    Encoding encoding_;
    KspaceBatches kspace_;
    double data_energy_ = 0;
    double count_ = 0;
};

std::vector<ConstArrayView> views_of(const std::vector<Array>& arrays) { return {arrays.begin(), arrays.end()}; }

}  // namespace

bool lambda_needs_noise(const LambdaOptions& options) {
    return needs_noise_variance(options.method) || options.noise_sigma;
}

ChosenLambda choose_lambda(const FrameProblem& problem, const LambdaTerms& terms, const NoiseLevel& noise,
                           ArrayView image) {
    const ReconstructionContext& context = problem.context();
    const auto stage = context.run.stage(Stage::lambda);
    ChosenLambda chosen;
    chosen.method = context.options.regularisation.lambda.method;

    LambdaProblem task{.normal = problem.normal(), .right_side = problem.fhd()};
    task.response = terms.response;
    task.solve = terms.solve;
    task.penalty = terms.penalty;
    task.other_terms = terms.other_terms;
    task.misfit_tolerance = context.options.tolerance_beside_noise();
    add_statistics(problem, task);
    task.misfit = [&](ConstArrayView x) {
        const double relative = problem.data_residual_so_far(x);
        return relative * relative * task.data_energy;
    };
    if (task.data_energy == 0) {
        throw InputError("`lambda` auto: the data are all zero; nothing to choose lambda by");
    }
    if (lambda_needs_noise(context.options.regularisation.lambda)) {
        chosen.noise = noise;
        if (chosen.noise.sigma == 0) {
            throw InputError(
                fmt::format("{}: no noise level can be told from so few samples; give `noise_sigma`, or use "
                            "`lambda_method` gcv",
                            context.scan.path));
        }
        log_info("noise: sigma {:.4g} a sample and coil, from {}", chosen.noise.sigma, chosen.noise.source);
        task.data.noise_variance = chosen.noise.sigma * chosen.noise.sigma;
    }
    task.data.image_count = task.data.count;
    std::optional<DensityWeighted> weighted;
    if (chosen.method == LambdaMethod::image && context.options.weighting == SampleWeighting::none) {
        weighted.emplace(problem);
        task.data.image_count = weighted->count();
        task.image_misfit = [&](ConstArrayView x) { return weighted->misfit(x); };
        task.image_energy = [&](ConstArrayView x) { return weighted->energy(x); };
    }
    std::vector<Array> probes;
    std::vector<Array> image_probes;
    const Index probe_count = lambda_probe_count(problem.image_shape().element_count(), chosen.method, terms.response);
    for (Index draw = 0; draw < probe_count; ++draw) {
        const NoiseDraw noise(problem, draw);
        probes.push_back(problem.adjoint_of(noise.own()));
        if (weighted) {
            image_probes.push_back(weighted->adjoint_of(noise.own()));
        }
    }
    task.probes = views_of(probes);
    task.image_probes = views_of(image_probes);

    const auto observe = [&](const LambdaPoint& point) {
        log_info("lambda {:.3e}: residual {:.5f}, degrees of freedom {:.0f} of {}, {}", point.lambda,
                 std::sqrt(point.misfit / task.data_energy), point.freedom, problem.image_shape().element_count(),
                 counted(point.iterations, "iteration"));
        context.run.cancel().check();
        return context.backend.computes();  // or one point is as good as all
    };
    LambdaSearch search{.method = chosen.method};
    if (terms.response == LambdaProblem::Response::nonlinear) {  // lambda is a part of the image's amplitude
        search.first = 1e-1;
        search.largest = 1e2;
        search.smallest = 1e-6;
    }
    chosen.choice = choose_lambda(task, search, image, observe);
    chosen.seconds = stage.seconds();
    log_info("lambda: {:.3e} by {}, {} solutions, {} iterations in {:.2f} s", chosen.choice.lambda,
             name_of(chosen.method), chosen.choice.curve.size() * (1 + probes.size()), chosen.choice.iterations,
             chosen.seconds);
    if (!chosen.choice.is_inside) {
        log_warning(
            "lambda: {} finds no lambda between {:.0e} and {:.0e}: {:.1e} is the end of what was tried; look at "
            "`lambda_png`, or try another `lambda_method`",
            name_of(chosen.method), chosen.choice.curve.front().lambda, chosen.choice.curve.back().lambda,
            chosen.choice.lambda);
    }
    return chosen;
}

}  // namespace recon
