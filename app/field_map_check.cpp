#include "app/field_map_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/log.hpp"
#include "core/mri/density_compensation.hpp"
#include "core/mri/field_map.hpp"
#include "core/mri/time_segments.hpp"
#include "core/operator_algebra.hpp"
#include "core/operators/encoding.hpp"
#include "core/operators/fourier_sums_choice.hpp"
#include "core/operators/kspace_batches.hpp"
#include "core/operators/off_resonance.hpp"
#include "solver/conjugate_gradient.hpp"

namespace recon {
namespace {

constexpr Index most_coils = 4;
constexpr int iterations = 4;
constexpr double sums_tolerance = 1e-3;
constexpr double segments_tolerance = 1e-2;  // far below the differences that matter

/// The part of a frame's samples that a coarser image needs.
struct CoarseScan {
    Geometry geometry;
    std::vector<Index> samples;  ///< indices in the frame
    Trajectory trajectory;
    std::vector<float> times_s;
    std::vector<float> map_hz;
};

std::vector<Index> samples_within(const Trajectory& trajectory, const PerAxis<Index>& matrix_size) {
    std::vector<Index> inside;
    for (Index m = 0; m < trajectory.sample_count(); ++m) {
        bool within = true;
        for (int axis = 0; axis < 3; ++axis) {
            within = within && (matrix_size[axis] == 1 ||
                                std::abs(trajectory.k[axis][m]) <= static_cast<double>(matrix_size[axis]) / 2);
        }
        if (within) {
            inside.push_back(m);
        }
    }
    return inside;
}

double duration_of_samples(const Frame& frame, const std::vector<Index>& samples) {
    double first = 1e9, last = -1e9;
    for (const Index m : samples) {
        first = std::min(first, double{frame.sample_times_s[m]});
        last = std::max(last, double{frame.sample_times_s[m]});
    }
    return samples.empty() ? 0 : last - first;
}

/// Between the 5th and 95th percentile of the measured values.
double typical_range_hz(std::vector<float> map_hz) {
    std::erase(map_hz, 0.0F);
    if (map_hz.empty()) {
        return 0;
    }
    const auto percentile = [&](std::size_t p) {
        const auto at = map_hz.begin() + static_cast<std::ptrdiff_t>((map_hz.size() - 1) * p / 100);
        std::nth_element(map_hz.begin(), at, map_hz.end());
        return double{*at};
    };
    return percentile(95) - percentile(5);
}

PerAxis<Index> coarse_matrix(const Scan& scan, const Frame& frame) {
    constexpr Index smallest = 32;
    constexpr double enough_turns = 1;
    const double range_hz = typical_range_hz(scan.off_resonance_hz);
    const double whole_s = duration_of(frame.sample_times_s);
    PerAxis<Index> matrix = scan.geometry.matrix_size;
    while (true) {
        PerAxis<Index> half = matrix;
        for (Index& extent : half) {
            extent = extent == 1 ? 1 : (extent + 1) / 2;
        }
        const bool too_small =
            std::any_of(half.begin(), half.end(), [](Index extent) { return extent > 1 && extent < smallest; });
        if (too_small || half == matrix) {
            return matrix;
        }
        const double seen_s = duration_of_samples(frame, samples_within(*frame.trajectory, half));
        if (seen_s * range_hz < enough_turns && seen_s < 0.75 * whole_s) {
            return matrix;
        }
        matrix = half;
    }
}

CoarseScan coarse_scan(const Scan& scan, const Frame& frame) {
    CoarseScan coarse;
    coarse.geometry.matrix_size = coarse_matrix(scan, frame);
    coarse.geometry.field_of_view_mm = {1, 1, 1};
    Geometry fine;
    fine.matrix_size = scan.geometry.matrix_size;
    fine.field_of_view_mm = {1, 1, 1};
    coarse.map_hz = resample(std::span<const float>(scan.off_resonance_hz), fine, coarse.geometry, "field map").voxels;
    coarse.samples = samples_within(*frame.trajectory, coarse.geometry.matrix_size);
    for (const Index m : coarse.samples) {
        for (int axis = 0; axis < 3; ++axis) {
            coarse.trajectory.k[axis].push_back(frame.trajectory->k[axis][m]);
        }
        coarse.times_s.push_back(frame.sample_times_s[m]);
    }
    return coarse;
}

/// sqrt of the frame's density weights, else of Pipe and Menon's.
std::vector<double> root_weights(const Frame& frame, const CoarseScan& coarse, Backend& backend) {
    std::vector<double> weights;
    if (frame.density_weights.empty()) {
        constexpr int rough = 6;
        weights = pipe_menon_weights(backend, coarse.trajectory, coarse.geometry.matrix_size, rough);
    } else {
        for (const Index m : coarse.samples) {
            weights.push_back(frame.density_weights[m]);
        }
    }
    for (double& weight : weights) {
        weight = std::sqrt(weight);
    }
    return weights;
}

std::vector<Index> strongest_coils(const Scan& scan, const Frame& frame) {
    std::vector<double> energy(scan.coil_count, 0.0);
    for (Index coil = 0; coil < scan.coil_count; ++coil) {
        for (Index m = 0; m < frame.sample_count(); ++m) {
            energy[coil] += std::norm(cdouble(frame.kspace[coil * frame.sample_count() + m]));
        }
    }
    std::vector<Index> coils(scan.coil_count);
    std::iota(coils.begin(), coils.end(), 0);
    std::stable_sort(coils.begin(), coils.end(), [&](Index a, Index b) { return energy[a] > energy[b]; });
    coils.resize(std::min(most_coils, scan.coil_count));
    return coils;
}

/// Sum over neighbouring voxels of the squared difference of their magnitudes, over the sum of squares.
double gradient_energy(const std::vector<double>& magnitude, const PerAxis<Index>& size) {
    const PerAxis<Index> strides{1, size[0], size[0] * size[1]};
    double gradient = 0, energy = 0;
    for (Index n = 0; n < static_cast<Index>(magnitude.size()); ++n) {
        energy += magnitude[n] * magnitude[n];
        for (int axis = 0; axis < 3; ++axis) {
            if (n / strides[axis] % size[axis] + 1 < size[axis]) {
                const double step = magnitude[n + strides[axis]] - magnitude[n];
                gradient += step * step;
            }
        }
    }
    return energy > 0 ? gradient / energy : 0;
}

class Comparison {
public:
    Comparison(const Scan& scan, Backend& backend)
        : backend_(backend), frame_(scan.frames.front()), coarse_(coarse_scan(scan, frame_)) {
        const SumsOptions options{SumsMethod::automatic, sums_tolerance, Precision::single};
        const VoxelGrid grid = VoxelGrid::image(matrix_size());
        coils_ = strongest_coils(scan, frame_);
        const auto sample_count = static_cast<Index>(coarse_.samples.size());
        const SumsChoice choice = choose_sums(backend, options, sample_count, grid, 10 * coil_count());
        sums_ = make_fourier_sums(backend, coarse_.trajectory, grid, choice, options);
        weights_ = root_weights(frame_, coarse_, backend);
        Array factors(backend, Shape::samples(sample_count), Precision::single);
        upload(std::vector<cdouble>(weights_.begin(), weights_.end()), factors);
        factors_ = std::make_shared<const Array>(std::move(factors));
    }

    PerAxis<Index> matrix_size() const { return coarse_.geometry.matrix_size; }
    Index coil_count() const { return static_cast<Index>(coils_.size()); }

    FieldMapTrial try_factor(std::string name, double factor) const {
        const Encoding encoding(backend_,
                                {sums_with(factor), std::make_shared<const CoilSensitivity>(), factors_, nullptr});
        const Normal normal(encoding);
        const Shape samples = Shape::samples(sums_->sample_count()).with_axis("coil", 1);
        Array data(backend_, samples, Precision::single), image(backend_, encoding.domain(), Precision::single),
            right(backend_, encoding.domain(), Precision::single), misfit(backend_, samples, Precision::single);
        std::vector<double> squares(image.size(), 0.0);
        double misfit_energy = 0, energy = 0;
        for (const Index coil : coils_) {
            upload(weighted_data(coil), data);
            encoding.adjoint(data, right);
            backend_.fill(0, image);
            solve_cg(normal, right, image, {.iterations = iterations, .guard_vectors = 0});
            encoding.forward(image, misfit);
            backend_.axpby(-1, data, 1, misfit);
            misfit_energy += std::pow(norm(misfit), 2);
            energy += std::pow(norm(data), 2);
            const auto voxels = download<float>(image);
            for (std::size_t n = 0; n < voxels.size(); ++n) {
                squares[n] += std::norm(cdouble(voxels[n]));
            }
        }
        for (double& value : squares) {
            value = std::sqrt(value);
        }
        return {std::move(name), factor, energy > 0 ? std::sqrt(misfit_energy / energy) : 0,
                gradient_energy(squares, matrix_size())};
    }

private:
    std::shared_ptr<const FourierSums> sums_with(double factor) const {
        if (factor == 0) {
            return sums_;
        }
        std::vector<float> map(coarse_.map_hz);
        for (float& value : map) {
            value *= static_cast<float>(factor);
        }
        const OffResonanceMaps maps{map, {}};
        const TimeSegments segments = TimeSegments::fit(RateHistogram::of(maps), coarse_.times_s, segments_tolerance);
        return std::make_shared<SegmentedSums>(backend_, sums_, maps, segments);
    }

    /// sqrt(w) d of one coil
    std::vector<cdouble> weighted_data(Index coil) const {
        std::vector<cdouble> data;
        data.reserve(coarse_.samples.size());
        for (std::size_t i = 0; i < coarse_.samples.size(); ++i) {
            data.push_back(weights_[i] * cdouble(frame_.kspace[coil * frame_.sample_count() + coarse_.samples[i]]));
        }
        return data;
    }

    Backend& backend_;
    const Frame& frame_;
    CoarseScan coarse_;
    std::vector<Index> coils_;
    std::shared_ptr<const FourierSums> sums_;
    std::vector<double> weights_;
    std::shared_ptr<const Array> factors_;
};

std::string warning_of(const std::vector<FieldMapTrial>& trials) {
    constexpr double clearly_better = 0.97;
    const FieldMapTrial& given = trials.front();
    const FieldMapTrial* best = &given;
    for (const FieldMapTrial& trial : trials) {
        if (trial.residual < clearly_better * given.residual && trial.residual < best->residual) {
            best = &trial;
        }
    }
    if (best == &given) {
        return "";
    }
    const std::string advice = best->factor < 0    ? "its sign looks wrong; turn it (or the sample times) round"
                               : best->factor == 0 ? "it fits worse than no map; check its position, unit and the "
                                                     "sample times"
                                                   : "it looks as if it were in rad/s; divide it by 2 pi";
    return fmt::format("the field map {} (residual {:.3f} at low resolution, with {} {:.3f}): {}",
                       best->factor < 0 ? "fits worse than its opposite" : "does not fit the scan", given.residual,
                       best->name, best->residual, advice);
}

}  // namespace

FieldMapVerdict check_field_map(const Scan& scan, Backend& backend) {
    const Comparison comparison(scan, backend);
    FieldMapVerdict verdict{comparison.matrix_size(), comparison.coil_count(), {}, ""};
    verdict.trials = {comparison.try_factor("the map as given", 1), comparison.try_factor("the opposite sign", -1),
                      comparison.try_factor("no map", 0), comparison.try_factor("the map divided by 2 pi", 0.5 / pi)};
    for (const FieldMapTrial& trial : verdict.trials) {
        log_debug("field map check, {}: residual {:.4f}, sharpness {:.4f}", trial.name, trial.residual,
                  trial.sharpness);
    }
    verdict.warning = warning_of(verdict.trials);
    return verdict;
}

RunRecord verdict_json(const FieldMapVerdict& verdict) {
    RunRecord record = RunRecord::object();
    record["matrix_size"] = verdict.matrix_size;
    record["coil_count"] = verdict.coil_count;
    record["warning"] = verdict.warning;
    for (const char* name : {"factor", "residual", "sharpness"}) {
        record[name] = RunRecord::array();
    }
    for (const FieldMapTrial& trial : verdict.trials) {
        record["factor"].push_back(trial.factor);
        record["residual"].push_back(trial.residual);
        record["sharpness"].push_back(trial.sharpness);
    }
    return record;
}

}  // namespace recon
