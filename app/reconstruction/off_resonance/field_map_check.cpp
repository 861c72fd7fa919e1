#include "app/reconstruction/off_resonance/field_map_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/reconstruction/off_resonance/coarse_scan.hpp"
#include "app/reconstruction/off_resonance/trial_coils.hpp"
#include "core/base/available_memory.hpp"
#include "core/base/log.hpp"
#include "core/base/shape.hpp"
#include "core/fourier/time_segments.hpp"
#include "core/mri/coils/unit_maps.hpp"
#include "core/mri/density_compensation.hpp"
#include "core/mri/off_resonance/field_map.hpp"
#include "core/mri/off_resonance/field_maps_of_slices.hpp"
#include "core/mri/sample_times.hpp"
#include "core/operators/encoding.hpp"
#include "core/operators/kspace_batches.hpp"
#include "core/operators/operator_algebra.hpp"
#include "core/operators/sampling/fourier_sums_choice.hpp"
#include "core/operators/toeplitz_of_samples.hpp"
#include "solver/conjugate_gradient.hpp"

namespace recon {
namespace {

constexpr int trial_iterations = 8, iterations_of_second_trial = 24;
constexpr SumsOptions trial_sums{SumsMethod::automatic, 1e-3, Precision::single};
constexpr Index most_of_second_trial = Index{1} << 17;  ///< voxels: 50^3, 362^2
constexpr double segments_tolerance = 1e-3;             // both ways: where they differ, no image fits

/// Those of the frame, else Pipe and Menon's.
std::vector<double> density_weights(const Frame& frame, const CoarseScan& coarse, Backend& backend) {
    if (frame.density_weights.empty()) {
        constexpr int rough = 6;
        return pipe_menon_weights(backend, coarse.trajectory, coarse.matrix_size, rough);
    }
    std::vector<double> weights;
    for (const Index m : coarse.samples) {
        weights.push_back(frame.density_weights[m]);
    }
    return weights;
}

/// N sum |rho|^4 / (sum |rho|^2)^2: blurring spreads energy and lowers it.
double energy_concentration(std::span<const cfloat> image) {
    double second = 0, fourth = 0;
    for (const cfloat& value : image) {
        const double square = std::norm(cdouble(value));
        second += square;
        fourth += square * square;
    }
    return second > 0 ? static_cast<double>(image.size()) * fourth / (second * second) : 0;
}

/// The first of the slice whose map has the widest range.
const Frame& telling_frame(const Scan& scan) {
    double widest_hz = 0;
    std::optional<Index> telling;
    for_each_field_map(scan, [&](std::span<const float> map_hz, std::optional<Index> slice) {
        if (const double range_hz = typical_range_hz(map_hz); range_hz > widest_hz) {
            widest_hz = range_hz;
            telling = slice;
        }
    });
    const auto found = std::ranges::find_if(
        scan.frames, [&](const Frame& frame) { return !telling || frame.label.slice == *telling; });
    return found != scan.frames.end() ? *found : scan.frames.front();
}

/// A frame with its k-space, if that is not in memory.
std::optional<Frame> loaded_if_on_demand(const Frame& on_demand) {
    if (!on_demand.kspace.empty()) {
        return std::nullopt;
    }
    Frame frame = on_demand;
    frame.load();
    return frame;
}

class Comparison {
public:
    /// @param frame, coarse  outlive this
    Comparison(const Scan& scan, const Frame& frame, const CoarseScan& coarse, int iterations, Backend& backend)
        : backend_(backend), frame_(frame), coarse_(coarse), iterations_(iterations) {
        const VoxelGrid grid = VoxelGrid::image(matrix_size());
        const auto sample_count = static_cast<Index>(coarse_.samples.size());
        coils_ = strongest_coils(scan, frame_);
        given_maps_ = maps_of_trial(scan, frame_, coils_, matrix_size());
        constexpr Index transforms_of_a_coil = 40;  // segments of four trials, three of each
        const SumsChoice choice =
            choose_sums(backend, trial_sums, sample_count, grid, transforms_of_a_coil * coil_count());
        sums_ = make_fourier_sums(backend, coarse_.trajectory, choice);
        weights_ = density_weights(frame_, coarse_, backend);
        std::vector<cdouble> roots(weights_.begin(), weights_.end());
        for (cdouble& root : roots) {
            root = std::sqrt(root);
        }
        Array factors(backend, Shape::samples(sample_count), Precision::single);
        upload(roots, factors);
        factors_ = std::make_shared<const Array>(std::move(factors));
    }

    const PerAxis<Index>& matrix_size() const { return coarse_.matrix_size; }
    Index coil_count() const { return static_cast<Index>(coils_.size()); }

    FieldMapTrial try_factor(std::string name, double factor) const {
        const std::vector<float> map_hz = map_times(factor);
        const OffResonanceMaps maps{map_hz, {}};
        const auto sums = factor == 0 ? sums_ : sums_with(maps);
        const auto toeplitz =
            factor == 0 ? std::shared_ptr<const ToeplitzPlan>(toeplitz_of_samples(backend_, weighted_samples()))
                        : toeplitz_with(maps);
        const Encoding encoding(backend_, {sums, coil_maps(*sums), factors_, toeplitz});
        const Normal normal(encoding);
        const Array data = kspace([this](Index sample) { return std::sqrt(weights_[sample]); });
        Array image(backend_, encoding.domain(), Precision::single),
            right(backend_, encoding.domain(), Precision::single);
        Array misfit(backend_, encoding.codomain(), Precision::single);
        encoding.adjoint(data, right);
        backend_.fill(0, image);
        solve_cg(normal, right, image, {.iterations = iterations_, .guard_vectors = 0});
        encoding.forward(image, misfit);
        backend_.axpby(-1, data, 1, misfit);
        const double energy = norm(data);
        return {std::move(name), factor, energy > 0 ? norm(misfit) / energy : 0,
                energy_concentration(download<float>(image))};
    }

private:
    std::shared_ptr<const FourierSums> sums_with(const OffResonanceMaps& maps) const {
        const TimeSegments segments = TimeSegments::fit(RateHistogram::of(maps), coarse_.times_s, segments_tolerance);
        return std::make_shared<SegmentedSums>(backend_, sums_, maps, segments);
    }

    /// F^H W F of one coil.
    std::shared_ptr<const ToeplitzPlan> toeplitz_with(const OffResonanceMaps& maps) const {
        const TimeSegments segments =
            TimeSegments::fit(RateHistogram::of_pairs(maps), coarse_.times_s, segments_tolerance);
        return toeplitz_of_samples(backend_, weighted_samples(), maps, segments);
    }

    ToeplitzSamples weighted_samples() const {
        return {coarse_.trajectory, matrix_size(), weights_, trial_sums, trial_sums.precision};
    }

    std::vector<float> map_times(double factor) const {
        std::vector<float> map_hz(coarse_.map_hz);
        for (float& value : map_hz) {
            value *= static_cast<float>(factor);
        }
        return map_hz;
    }

    /// Samples of the chosen coils times a weight, [sample coil].
    template <class Weight>
    Array kspace(Weight&& weight) const {
        const auto sample_count = static_cast<Index>(coarse_.samples.size());
        std::vector<cdouble> values(sample_count * coil_count());
        for (Index c = 0; c < coil_count(); ++c) {
            for (Index i = 0; i < sample_count; ++i) {
                values[c * sample_count + i] =
                    weight(i) * cdouble(frame_.kspace[coils_[c] * frame_.sample_count() + coarse_.samples[i]]);
            }
        }
        Array array(backend_, Shape::samples(sample_count).with_axis("coil", coil_count()), Precision::single);
        upload(values, array);
        return array;
    }

    /// Those of the scan, else S_c = m_c / sqrt(sum |m|^2), m the density weighted adjoint (docs/conventions.md) of the
    /// Hann windowed echo; 1 for one coil.
    std::shared_ptr<const CoilSensitivity> coil_maps(const FourierSums& sums) const {
        if (coil_count() == 1) {
            return std::make_shared<const CoilSensitivity>();
        }
        if (!given_maps_.empty()) {
            Array given(backend_, Shape::image(matrix_size()).with_axis("coil", coil_count()), Precision::single);
            upload(std::span<const cfloat>(given_maps_), given);
            return std::make_shared<const CoilSensitivity>(std::move(given));
        }
        double radius = 16;
        for (const Index extent : matrix_size()) {
            radius = extent > 1 ? std::min(radius, static_cast<double>(extent) / 4) : radius;
        }
        const Array centre = kspace([&](Index i) {
            const double k =
                std::hypot(coarse_.trajectory.k[0][i], coarse_.trajectory.k[1][i], coarse_.trajectory.k[2][i]);
            const double hann = k < radius ? std::cos(pi * k / (2 * radius)) : 0;
            return hann * hann * weights_[i];
        });
        Array maps(backend_, Shape::image(matrix_size()).with_axis("coil", coil_count()), Precision::single);
        sums.adjoint(centre, maps);
        std::vector<cfloat> host = download<float>(maps);
        divide_by_root_sum_of_squares(host, coil_count());
        upload(std::span<const cfloat>(host), maps);
        return std::make_shared<const CoilSensitivity>(std::move(maps));
    }

    Backend& backend_;
    const Frame& frame_;
    const CoarseScan& coarse_;
    int iterations_;
    std::vector<Index> coils_;
    std::vector<cfloat> given_maps_;  ///< [x y z coil]
    std::shared_ptr<const FourierSums> sums_;
    std::vector<double> weights_;
    std::shared_ptr<const Array> factors_;  ///< sqrt(w)
};

/// Whether time and distance from the centre of k-space grow together, as on spirals.
bool begins_at_centre(const Scan& scan, const Frame& frame) {
    const Index length = scan.samples_per_readout;
    constexpr Index part = 10;
    return length > part && frame.sample_count() % length == 0 &&
           centre_sample(*frame.trajectory, length) < length / part;
}

/// On the host; what the backend takes it counts by itself. Of a sample: its number, three copies of its position, the
/// weight and its root, and of each coil the value in double, twice, and the echo's. Of a voxel: all maps.
void require_host_memory(const Scan& scan, const Frame& frame) {
    const auto samples = static_cast<std::size_t>(frame.sample_count());
    const auto voxels = static_cast<std::size_t>(Shape::image(scan.geometry.matrix_size).element_count());
    const auto coils = static_cast<std::size_t>(strongest_count(scan));
    require_available_memory(samples * (110 + 40 * coils) + voxels * (8 + 8 * coils),
                             scan.path + ": the check of its field map");
}

FieldMapVerdict verdict_of(const Scan& scan, const Frame& frame, const CoarseScan& coarse, int iterations,
                           Backend& backend) {
    FieldMapVerdict verdict;
    verdict.matrix_size = coarse.matrix_size;
    verdict.coil_count = strongest_count(scan);
    verdict.begins_at_centre = begins_at_centre(scan, frame);
    verdict.times_along_k = times_along_k(coarse);
    if (verdict.moves_voxels()) {
        return verdict;
    }
    const Comparison comparison(scan, frame, coarse, iterations, backend);
    verdict.trials = {comparison.try_factor("the map as given", 1), comparison.try_factor("the opposite sign", -1),
                      comparison.try_factor("no map", 0), comparison.try_factor("the map divided by 2 pi", 0.5 / pi)};
    for (const FieldMapTrial& trial : verdict.trials) {
        log_debug("field map check, {}: residual {:.4f}, sharpness {:.4f}", trial.name, trial.residual,
                  trial.sharpness);
    }
    judge(verdict);
    return verdict;
}

}  // namespace

FieldMapVerdict check_field_map(const Scan& scan, Backend& backend) {
    const Frame& frame = telling_frame(scan);
    require_host_memory(scan, frame);
    const std::optional<Frame> loaded = loaded_if_on_demand(frame);
    const Frame& with_kspace = loaded ? *loaded : frame;
    const FieldMapVerdict verdict =
        verdict_of(scan, with_kspace, coarse_scan(scan, with_kspace), trial_iterations, backend);
    const bool is_bearable = Shape::image(scan.geometry.matrix_size).element_count() <= most_of_second_trial;
    if (!verdict.is_unlikely || !is_bearable) {
        return verdict;
    }
    // Within voxels that are larger than the image's the phase may turn too far for any image to fit, and a map of many
    // turns makes a problem that takes more iterations than none: it has a second chance.
    FieldMapVerdict second =
        verdict_of(scan, with_kspace, fine_scan(scan, with_kspace), iterations_of_second_trial, backend);
    return second.is_unlikely ? verdict : second;
}

}  // namespace recon
