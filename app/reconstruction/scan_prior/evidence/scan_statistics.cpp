#include "app/reconstruction/scan_prior/evidence/scan_statistics.hpp"

#include <algorithm>
#include <optional>

#include "app/reconstruction/scan_prior/evidence/series_shells.hpp"
#include "core/base/host_pages.hpp"
#include "core/base/ordered_sum.hpp"
#include "core/mri/noise/certain_noise.hpp"
#include "core/mri/priors/spectrum_stretch.hpp"

namespace recon {
namespace {

/// Coils below this part of the largest energy measured nothing.
constexpr double least_coil_energy = 1e-12;

/// Squared moduli of the voxel basis, phi^2, [sample], 0 where the weight is; empty means 1
std::vector<double> basis_gains(const TrajectoryPlans& plans) {
    std::vector<double> gains = plans.sample_factors();
    const std::vector<double>& roots = plans.root_weights();
#pragma omp parallel for schedule(static)
    for (std::size_t m = 0; m < gains.size(); ++m) {
        const double root = roots.empty() ? 1 : roots[m];
        gains[m] = root > 0 ? std::pow(gains[m] / root, 2) : 0;
    }
    return gains;
}

/// [sample]; those of the coils are added to `of_coils`, in an order that does not depend on how many threads there
/// are.
std::vector<double> energies_of_samples(std::span<const cfloat> kspace, std::size_t samples,
                                        std::span<double> of_coils) {
    constexpr std::size_t piece_length = std::size_t{1} << 12;
    const std::size_t pieces = (samples + piece_length - 1) / piece_length;
    auto of_samples = unwritten_vector<double>(samples);
    std::vector<double> of_pieces(pieces * of_coils.size());
#pragma omp parallel for schedule(static)
    for (std::size_t piece = 0; piece < pieces; ++piece) {
        const std::size_t first = piece * piece_length, end = std::min(first + piece_length, samples);
        std::fill(of_samples.begin() + static_cast<Index>(first), of_samples.begin() + static_cast<Index>(end), 0.0);
        for (std::size_t coil = 0; coil < of_coils.size(); ++coil) {
            double sum = 0;
            for (std::size_t m = first; m < end; ++m) {
                const double energy = std::norm(cdouble(kspace[coil * samples + m]));
                of_samples[m] += energy;
                sum += energy;
            }
            of_pieces[piece * of_coils.size() + coil] = sum;
        }
    }
    for (std::size_t i = 0; i < of_pieces.size(); ++i) {
        of_coils[i % of_coils.size()] += of_pieces[i];
    }
    return of_samples;
}

/// The mean of sum_c |S_c|^2 over the sum-of-squares image, |E^H d| over its root: noise is the same in all of it, and
/// voxels beside the object that coils see best, as those next to an element, do not weigh more than what is in them.
double coil_gain(const FrameProblem& problem, ConstArrayView map_energy) {
    Backend& backend = problem.backend();
    Array image(backend, problem.image_shape(), map_energy.precision());
    backend.divide(problem.fhd(), map_energy, image);
    const double energy = backend.dot(problem.fhd(), problem.fhd()).real();
    const double of_image = backend.dot(problem.fhd(), image).real();
    return energy > 0 && of_image > 0 ? energy / of_image : 1;
}

/// Null where the frame is not one of several.
const SeriesShells::Group* group_of(const FrameProblem& problem) {
    const SeriesShells* const series = problem.context().series;
    return series != nullptr ? series->of(problem.frame()) : nullptr;
}

/// The shells of a frame as those of its series, where it is one of several.
void add_series(const FrameProblem& problem, ScanStatistics& statistics) {
    const SeriesShells::Group* const group = group_of(problem);
    if (group == nullptr) {
        return;
    }
    KspaceShells shells = statistics.shells;
    const auto frames = static_cast<double>(group->frame_count);
    for (std::vector<double>* sums : {&shells.count, &shells.k_sum, &shells.gain}) {
        std::transform(sums->begin(), sums->end(), sums->begin(), [&](double sum) { return sum * frames; });
    }
    shells.energy = group->energy;
    statistics.series = std::move(shells);
    statistics.frame_count = group->frame_count;
}

/// By the energies of all ranks, or as that of the series, whose shells were added up with it.
PerAxis<double> stretch_of(const FrameProblem& problem, std::span<const double> energies, std::span<const double> gains,
                           double coil_count) {
    if (const SeriesShells::Group* const group = group_of(problem); group != nullptr) {
        return group->stretch;
    }
    const ReconstructionContext& context = problem.context();
    const KspaceShells shells(*problem.frame().trajectory, context.matrix_size(),
                              context.scan.geometry.field_of_view_mm);
    KspaceCells cells(context.matrix_size(), shells.factors());
    cells.add(problem.plans().trajectory(), energies, gains);
    Communicator& samples_divided = context.division.along_samples();
    for (std::vector<double>* sums :
         {&cells.count, &cells.gain, &cells.k_squared[0], &cells.k_squared[1], &cells.k_squared[2]}) {
        samples_divided.all_reduce_sum(std::span<double>(*sums));
    }
    problem.ranks().all_reduce_sum(std::span<double>(cells.energy));
    return spectrum_stretch(cells, coil_count);
}

/// As if all k-space were one sample: where nothing is computed, there are no others.
ScanStatistics statistics_of_one_sample(const FrameProblem& problem, ConstArrayView map_energy) {
    const ReconstructionContext& context = problem.context();
    const Trajectory one{{{{1}, {1}, {1}}}};
    ScanStatistics result{KspaceShells(one, context.matrix_size(), context.scan.geometry.field_of_view_mm)};
    result.shell_of_sample = result.shells.shells_of(one);
    result.shells.add(one, result.shell_of_sample, std::vector<double>{1}, {});
    result.data_energy = result.weight_sum = result.weight_square_sum = 1;
    result.coil_count = context.scan.coil_count;
    result.value_count = static_cast<double>(context.scan.coil_count * problem.frame().sample_count());
    result.coil_gain = coil_gain(problem, map_energy);
    return result;
}

}  // namespace

double ScanStatistics::signal_of(const PowerSpectrum& spectrum, std::size_t shell) const {
    return shells.count[shell] > 0
               ? signal_share() * shells.gain[shell] / shells.count[shell] * spectrum(shells.mean_k(shell))
               : 0;
}

ScanStatistics scan_statistics(const FrameProblem& problem, ConstArrayView map_energy) {
    if (!problem.backend().computes()) {
        return statistics_of_one_sample(problem, map_energy);
    }
    const ReconstructionContext& context = problem.context();
    const Frame& frame = problem.frame();
    const Trajectory& own = problem.plans().trajectory();
    const Share coils = context.division.coils();
    const auto samples = static_cast<std::size_t>(own.sample_count());
    const std::vector<double>& roots = problem.plans().root_weights();
    std::vector<double> of_coils(static_cast<std::size_t>(context.scan.coil_count), 0.0);
    const std::vector<double> of_samples =
        energies_of_samples(problem.own_kspace(), samples, std::span(of_coils).subspan(coils.first, coils.count));
    problem.ranks().all_reduce_sum(std::span<double>(of_coils));
    const double largest = *std::max_element(of_coils.begin(), of_coils.end());
    const Index live_coils = std::count_if(of_coils.begin(), of_coils.end(),
                                           [&](double energy) { return energy > least_coil_energy * largest; });
    const std::vector<double> gains = basis_gains(problem.plans());
    const PerAxis<double> field_of_view = context.scan.geometry.field_of_view_mm;
    const PerAxis<double> stretch = stretch_of(problem, of_samples, gains, static_cast<double>(live_coils));
    ScanStatistics result{KspaceShells(*frame.trajectory, context.matrix_size(), field_of_view, stretch)};
    result.stretch = stretch;
    result.coil_count = live_coils;
    result.shell_of_sample = result.shells.shells_of(own);
    result.shells.add(own, result.shell_of_sample, of_samples, gains);
    const auto sum_over_samples = [&](auto&& term) {  // of the weight and the number of a sample
        return ordered_sum(static_cast<Index>(samples), [&](Index m) {
            const auto sample = static_cast<std::size_t>(m);
            return term(roots.empty() ? 1 : roots[sample] * roots[sample], sample);
        });
    };
    std::vector<double> sums{sum_over_samples([&](double weight, std::size_t m) { return weight * of_samples[m]; }),
                             sum_over_samples([](double weight, std::size_t) { return weight; }),
                             sum_over_samples([](double weight, std::size_t) { return weight * weight; })};
    // Ranks that divide the coils have all samples each.
    Communicator& samples_divided = context.division.along_samples();
    samples_divided.all_reduce_sum(std::span<double>(sums).subspan(1));
    problem.ranks().all_reduce_sum(std::span<double>(sums).first(1));
    for (std::vector<double>* shells : {&result.shells.count, &result.shells.k_sum, &result.shells.gain}) {
        samples_divided.all_reduce_sum(std::span<double>(*shells));
    }
    problem.ranks().all_reduce_sum(std::span<double>(result.shells.energy));
    add_series(problem, result);
    const auto live = static_cast<double>(result.coil_count);
    result.data_energy = sums[0];
    result.weight_sum = live * sums[1];
    result.weight_square_sum = live * sums[2];
    result.value_count = live * static_cast<double>(frame.sample_count());
    result.coil_gain = coil_gain(problem, map_energy);
    return result;
}

FrameSpectrum spectrum_of(const ScanStatistics& statistics, double variance) {
    const ShellNoise noise{variance, static_cast<double>(statistics.coil_count), statistics.coil_gain};
    const KspaceShells& shells = statistics.shells;
    PowerSpectrum own = fit_power_spectrum(shells, noise);
    if (!statistics.series) {
        return {std::move(own)};
    }
    PowerSpectrum of_series = fit_power_spectrum(*statistics.series, noise);
    of_series = of_series.times(brightness(shells, noise, of_series));
    // Ten knots fit a frame better than the truth does by 5 nats on the average, and by 20 in one of a million.
    constexpr double by_chance_nats = 20;
    if (misfit(shells, noise, of_series) > misfit(shells, noise, own) + by_chance_nats) {
        return {std::move(own)};
    }
    return {std::move(of_series), statistics.frame_count};
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
    constexpr Index excerpt_samples = 1 << 16;
    const AllCoils kspace(context.scan, frame.kspace);
    const Index length = context.scan.samples_per_readout;
    const auto excerpt = KspaceExcerpt::of(kspace, *frame.trajectory, length, excerpt_samples);
    NoiseLevel noise = certain_noise(kspace, *frame.trajectory, excerpt, context.matrix_size());
    if (!(noise.sigma > 0)) {
        noise = noise_level_of_edges(kspace, *frame.trajectory, context.matrix_size(), length);
    }
    noise.source = "the scan";
    return noise;
}

std::vector<double> residual_of_shells(const FrameProblem& problem, const ScanStatistics& statistics,
                                       ConstArrayView image) {
    // Squares of the data may leave the range of single precision.
    const double unit = statistics.rms_of_data();
    Backend& backend = problem.backend();
    const Encoding& encoding = problem.encoding_beside_noise();
    const Shape samples = Shape::samples(problem.plans().trajectory().sample_count());
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
    std::vector<double> result = statistics.shells.sums(statistics.shell_of_sample, [&](std::size_t m) {
        const double weight = roots.empty() ? 1 : roots[m] * roots[m];
        return weight > 0 ? unit * unit * static_cast<double>(of_samples[m].real()) / weight : 0;
    });
    problem.ranks().all_reduce_sum(std::span<double>(result));
    return result;
}

Array adjoint_of_white_noise(const FrameProblem& problem, Index draw, std::span<const double> deviations) {
    const ReconstructionContext& context = problem.context();
    Backend& backend = problem.backend();
    const Encoding& encoding = problem.encoding();
    const Share coils = context.division.coils();
    const Share samples = context.division.samples(problem.frame().sample_count());
    const std::vector<double>& roots = problem.plans().root_weights();
    std::optional<Array> factors;  // [sample]
    if (!roots.empty() || !deviations.empty()) {
        std::vector<double> values(roots.empty() ? deviations.size() : roots.size());
#pragma omp parallel for schedule(static)
        for (std::size_t m = 0; m < values.size(); ++m) {
            values[m] = (roots.empty() ? 1 : roots[m]) * (deviations.empty() ? 1 : deviations[m]);
        }
        factors.emplace(backend, Shape::samples(samples.count), context.options.precision);
        upload_real(values, *factors);
    }
    Array image(backend, problem.image_shape(), context.options.precision);
    backend.fill(0, image);
    for_each_batch(encoding, [&](Index first, Index count) {
        Array noise(backend, Shape::samples(samples.count).with_axis("coil", count), context.options.precision);
        for (Index coil = 0; coil < count; ++coil) {
            const ArrayView of_coil = noise.slice(coil);
            backend.fill_white(static_cast<std::uint64_t>(draw * context.scan.coil_count + coils.first + first + coil),
                               samples.first, of_coil);
            if (factors) {
                backend.multiply(Conjugate::no, *factors, of_coil, Accumulate::no, of_coil);
            }
        }
        encoding.accumulate_adjoint_coils(noise, first, image);
    });
    problem.ranks().all_reduce_sum(image);
    return image;
}

}  // namespace recon
