#include "app/reconstruction/scan_prior/scan_statistics.hpp"

#include <algorithm>
#include <numeric>

#include "app/reconstruction/problem/coil_energy.hpp"
#include "core/mri/priors/white_draw.hpp"

namespace recon {
namespace {

/// Coils below this part of the largest energy measured nothing.
constexpr double least_coil_energy = 1e-12;

/// Squared moduli of the voxel basis, phi^2, [sample]; empty means 1
std::vector<double> basis_gains(const TrajectoryPlans& plans) {
    std::vector<double> gains = plans.sample_factors();
    const std::vector<double>& roots = plans.root_weights();
    for (std::size_t m = 0; m < gains.size(); ++m) {
        const double root = roots.empty() ? 1 : roots[m];
        gains[m] = root > 0 ? std::pow(gains[m] / root, 2) : 1;
    }
    return gains;
}

double coil_gain(const FrameProblem& problem) {
    Backend& backend = problem.backend();
    Array squares = coil_energy(problem);
    backend.multiply(Conjugate::no, squares, problem.fhd(), Accumulate::no, squares);
    const double energy = backend.dot(problem.fhd(), problem.fhd()).real();
    const double gain = energy > 0 ? backend.dot(problem.fhd(), squares).real() / energy : 1;
    return gain > 0 ? gain : 1;
}

/// As if all k-space were one sample: where nothing is computed, there are no others.
ScanStatistics statistics_of_one_sample(const FrameProblem& problem) {
    const ReconstructionContext& context = problem.context();
    const Trajectory one{{{{1}, {1}, {1}}}};
    ScanStatistics result{KspaceShells(one, context.matrix_size(), context.scan.geometry.field_of_view_mm)};
    result.shells.add(one, std::vector<double>{1}, {});
    result.data_energy = result.weight_sum = result.weight_square_sum = 1;
    result.coil_count = context.scan.coil_count;
    result.value_count = static_cast<double>(context.scan.coil_count * problem.frame().sample_count());
    result.coil_gain = coil_gain(problem);
    return result;
}

}  // namespace

double ScanStatistics::signal_of(const PowerSpectrum& spectrum, std::size_t shell) const {
    return shells.count[shell] > 0
               ? signal_share() * shells.gain[shell] / shells.count[shell] * spectrum(shells.mean_k(shell))
               : 0;
}

ScanStatistics scan_statistics(const FrameProblem& problem) {
    if (!problem.backend().computes()) {
        return statistics_of_one_sample(problem);
    }
    const ReconstructionContext& context = problem.context();
    const Frame& frame = problem.frame();
    const Trajectory& own = problem.plans().trajectory();
    const Share coils = context.division.coils();
    const auto samples = static_cast<std::size_t>(own.sample_count());
    const std::vector<double>& roots = problem.plans().root_weights();
    ScanStatistics result{
        KspaceShells(*frame.trajectory, context.matrix_size(), context.scan.geometry.field_of_view_mm)};

    std::vector<double> of_coils(static_cast<std::size_t>(context.scan.coil_count), 0.0);
    std::vector<double> of_samples(samples, 0.0);
    double weighted_energy = 0;
    for (Index coil = 0; coil < coils.count; ++coil) {
        const std::span<const cfloat> kspace =
            problem.own_kspace().subspan(static_cast<std::size_t>(coil) * samples, samples);
        std::vector<double> energies(samples);
#pragma omp parallel for schedule(static)
        for (std::size_t m = 0; m < samples; ++m) {
            energies[m] = std::norm(cdouble(kspace[m]));
            of_samples[m] += energies[m];
        }
        of_coils[static_cast<std::size_t>(coils.first + coil)] = std::accumulate(energies.begin(), energies.end(), 0.0);
    }
    problem.ranks().all_reduce_sum(std::span<double>(of_coils));
    const double largest = *std::max_element(of_coils.begin(), of_coils.end());
    result.coil_count = std::count_if(of_coils.begin(), of_coils.end(),
                                      [&](double energy) { return energy > least_coil_energy * largest; });

    for (std::size_t m = 0; m < samples; ++m) {
        weighted_energy += roots.empty() ? of_samples[m] : roots[m] * roots[m] * of_samples[m];
    }
    result.shells.add(own, of_samples, basis_gains(problem.plans()));
    std::vector<double> sums{weighted_energy, 0, 0};
    for (std::size_t m = 0; m < samples; ++m) {
        const double weight = roots.empty() ? 1 : roots[m] * roots[m];
        sums[1] += weight;
        sums[2] += weight * weight;
    }
    // Ranks that divide the coils have all samples each.
    Communicator& samples_divided = context.division.along_samples();
    samples_divided.all_reduce_sum(std::span<double>(sums).subspan(1));
    problem.ranks().all_reduce_sum(std::span<double>(sums).first(1));
    for (std::vector<double>* shells : {&result.shells.count, &result.shells.k_sum, &result.shells.gain}) {
        samples_divided.all_reduce_sum(std::span<double>(*shells));
    }
    problem.ranks().all_reduce_sum(std::span<double>(result.shells.energy));
    const auto live = static_cast<double>(result.coil_count);
    result.data_energy = sums[0];
    result.weight_sum = live * sums[1];
    result.weight_square_sum = live * sums[2];
    result.value_count = live * static_cast<double>(frame.sample_count());
    result.coil_gain = coil_gain(problem);
    return result;
}

NoiseLevel first_noise(const FrameProblem& problem) {
    const ReconstructionContext& context = problem.context();
    const Frame& frame = problem.frame();
    if (!context.scan.noise.empty()) {
        return noise_level_of_acquisition(context.scan.noise);
    }
    if (!problem.backend().computes()) {
        return {1, "none"};
    }
    NoiseLevel noise = noise_level_of_edges(frame.kspace, *frame.trajectory, context.matrix_size(),
                                            context.scan.coil_count, context.scan.samples_per_readout);
    noise.source = "the scan";
    return noise;
}

std::vector<double> residual_of_shells(const FrameProblem& problem, const KspaceShells& shells, ConstArrayView image,
                                       double unit) {
    Backend& backend = problem.backend();
    const Encoding& encoding = problem.encoding();
    const Trajectory& own = problem.plans().trajectory();
    const Shape samples = Shape::samples(own.sample_count());
    Array energies(backend, samples, image.precision());
    backend.fill(0, energies);
    for_each_batch(encoding, [&](Index first, Index count) {
        Array predicted(backend, samples.with_axis("coil", count), image.precision());
        encoding.forward_coils(image, first, predicted);
        backend.axpby(-1 / unit, problem.weighted_kspace().coils(first, count), 1 / unit, predicted);
        for (Index coil = 0; coil < count; ++coil) {
            backend.multiply(Conjugate::yes, predicted.slice(coil), predicted.slice(coil), Accumulate::yes, energies);
        }
    });
    const std::vector<double>& roots = problem.plans().root_weights();
    const std::vector<cfloat> of_samples = download<float>(energies);
    std::vector<double> result(shells.count.size(), 0.0);
    for (std::size_t m = 0; m < of_samples.size(); ++m) {
        const double weight = roots.empty() ? 1 : roots[m] * roots[m];
        if (weight > 0) {
            result[shells.shell_of(own, static_cast<Index>(m))] +=
                unit * unit * static_cast<double>(of_samples[m].real()) / weight;
        }
    }
    problem.ranks().all_reduce_sum(std::span<double>(result));
    return result;
}

Array adjoint_of_white_noise(const FrameProblem& problem, Index draw, const std::vector<double>& deviations) {
    const ReconstructionContext& context = problem.context();
    Backend& backend = problem.backend();
    const Encoding& encoding = problem.encoding();
    const Share coils = context.division.coils();
    const Share samples = context.division.samples(problem.frame().sample_count());
    const std::vector<double>& roots = problem.plans().root_weights();
    const Index batch = std::min(coils.count, encoding.coils_at_once());
    std::vector<float> factors;  // [sample]
    const Index listed_count = backend.listed(samples.count);
    for (Index m = 0; m < listed_count && !(roots.empty() && deviations.empty()); ++m) {
        const double root = roots.empty() ? 1 : roots[static_cast<std::size_t>(m)];
        factors.push_back(
            static_cast<float>(deviations.empty() ? root : root * deviations[static_cast<std::size_t>(m)]));
    }
    Array image(backend, problem.image_shape(), context.options.precision);
    backend.fill(0, image);
    for (Index first = 0; first < coils.count; first += batch) {
        const Index count = std::min(batch, coils.count - first);
        const MemoryClaim on_host =
            backend.claim_on_host(static_cast<std::size_t>(samples.count * count) * sizeof(cfloat));
        std::vector<cfloat> noise(static_cast<std::size_t>(listed_count * count));
#pragma omp parallel for schedule(static)
        for (Index coil = 0; coil < count; ++coil) {
            const std::span<cfloat> of_coil =
                std::span(noise).subspan(static_cast<std::size_t>(coil * listed_count), listed_count);
            fill_white(static_cast<std::uint64_t>(draw * context.scan.coil_count + coils.first + first + coil),
                       samples.first, of_coil);
            for (std::size_t m = 0; m < factors.size(); ++m) {
                of_coil[m] *= factors[m];
            }
        }
        Array on_backend(backend, Shape::samples(samples.count).with_axis("coil", count), context.options.precision);
        upload(noise, on_backend);
        encoding.accumulate_adjoint_coils(on_backend, first, image);
    }
    problem.ranks().all_reduce_sum(image);
    return image;
}

}  // namespace recon
