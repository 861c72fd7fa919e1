#include "app/lambda_choice.hpp"

#include <algorithm>
#include <cmath>

#include "app/interrupt.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
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

NoiseLevel noise_level(const FrameProblem& problem) {
    const LambdaOptions& options = problem.context().options.regularisation.lambda;
    const Scan& scan = problem.context().scan;
    if (options.noise_sigma) {
        return {*options.noise_sigma, "--noise-sigma"};
    }
    if (!scan.noise.empty()) {
        return noise_level_of_acquisition(scan.noise);
    }
    const Frame& frame = problem.frame();
    return noise_level_of_edges(frame.kspace, *frame.trajectory, scan.geometry.matrix_size, scan.coil_count,
                                scan.samples_per_readout);
}

/// E^H of white noise with the shape of the frame's k-space: the same for any number of ranks.
std::vector<Array> make_probes(const FrameProblem& problem, Index count) {
    std::vector<Array> probes;
    for (Index probe = 0; probe < count; ++probe) {
        std::vector<cfloat> noise(problem.frame().kspace.size(), cfloat(0));
        add_noise(noise, 1, probe_seed, static_cast<std::uint64_t>(probe));
        std::vector<cfloat> buffer;
        probes.push_back(problem.adjoint_of(problem.context().division.part_of_kspace(noise, buffer)));
    }
    return probes;
}

}  // namespace

Index lambda_probe_count(Index voxel_count, LambdaMethod method) {
    return !needs_freedom(method) ? 0 : voxel_count < 10000 ? 3 : voxel_count < 300000 ? 2 : 1;
}

ChosenLambda choose_lambda(const FrameProblem& problem, const LambdaTerms& terms, ArrayView image) {
    const ReconstructionContext& context = problem.context();
    const auto stage = context.timer.stage("lambda");
    ChosenLambda chosen;
    chosen.method = context.options.regularisation.lambda.method;

    LambdaProblem task{.normal = problem.normal(), .right_side = problem.fhd()};
    task.response = terms.response;
    task.solve = terms.solve;
    task.penalty = terms.penalty;
    task.other_terms = terms.other_terms;
    task.misfit_tolerance = context.options.sums_options().tolerance;
    add_statistics(problem, task);
    task.misfit = [&](ConstArrayView x) {
        const double relative = problem.data_residual_so_far(x);
        return relative * relative * task.data_energy;
    };
    if (task.data_energy == 0) {
        throw InputError("--lambda auto: the data are all zero; nothing to choose lambda by");
    }
    if (needs_noise_variance(chosen.method) || context.options.regularisation.lambda.noise_sigma) {
        chosen.noise = noise_level(problem);
        if (chosen.noise.sigma == 0) {
            throw InputError(
                fmt::format("{}: no noise level can be told from so few samples; give --noise-sigma, or use "
                            "--lambda-method gcv",
                            context.scan.path));
        }
        log_info("noise: sigma {:.4g} a sample and coil, from {}", chosen.noise.sigma, chosen.noise.source);
        task.data.noise_variance = chosen.noise.sigma * chosen.noise.sigma;
    }
    const std::vector<Array> probes =
        make_probes(problem, lambda_probe_count(problem.image_shape().element_count(), chosen.method));
    for (const Array& probe : probes) {
        task.probes.emplace_back(probe);
    }

    const auto observe = [&](const LambdaPoint& point) {
        log_info("lambda {:.3e}: residual {:.5f}, degrees of freedom {:.0f} of {}, {} iterations", point.lambda,
                 std::sqrt(point.misfit / task.data_energy), point.freedom, problem.image_shape().element_count(),
                 point.iterations);
        const double stop = problem.ranks().rank() == 0 && interrupt_requested() ? 1 : 0;
        return problem.ranks().sum(stop) == 0;
    };
    chosen.choice = choose_lambda(task, {.method = chosen.method}, image, observe);
    chosen.data = task.data;
    chosen.seconds = stage.seconds();
    log_info("lambda: {:.3e} by {}, {} solutions, {} iterations in {:.2f} s", chosen.choice.lambda,
             name_of(chosen.method), chosen.choice.curve.size() * (1 + probes.size()), chosen.choice.iterations,
             chosen.seconds);
    if (!chosen.choice.is_inside) {
        log_warning(
            "lambda: {} finds no lambda between {:.0e} and {:.0e}: {:.1e} is the end of what was tried; look at "
            "--lambda-png, or try another --lambda-method",
            name_of(chosen.method), chosen.choice.curve.front().lambda, chosen.choice.curve.back().lambda,
            chosen.choice.lambda);
    }
    return chosen;
}

}  // namespace recon
