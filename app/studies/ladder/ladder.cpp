#include "app/studies/ladder/ladder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <random>

#include "app/studies/ladder/climbing.hpp"
#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/base/median.hpp"
#include "core/fourier/direct_sums.hpp"
#include "data/formats/parboil/parboil_file.hpp"
#include "data/simulation/random_phantom.hpp"
#include "gpu/ladder/product_steps.hpp"

namespace recon::ladder {
namespace {

constexpr Index most_error_voxels = 4096;
constexpr double error_pairs = 3e8;  ///< a second or less of direct sums in double on a few cores
constexpr double rounding_of_floats = 6e-8;

Problem problem_of(const ParboilInput& input) {
    Problem problem;
    problem.k = input.k;
    problem.r = input.r;
    for (Index m = 0; m < input.sample_count(); ++m) {
        problem.phi_squared.push_back(std::norm(input.phi[m]));
        if (!input.kspace.empty()) {
            problem.phi_conj_data.push_back(std::conj(input.phi[m]) * input.kspace[m]);
        }
    }
    problem.grid = grid_of(positions_of(problem), rounding_of_floats);
    return problem;
}

Problem load(const Settings& settings) {
    if (settings.input.empty()) {
        return problem_of(
            random_phantom({settings.size, settings.size, settings.size}, settings.samples, settings.seed));
    }
    ParboilInput input = read_parboil_input(settings.input);
    if (settings.samples > 0) {
        input.keep_samples(settings.samples);
    }
    return problem_of(input);
}

/// The sums in double at some voxels.
class Oracle {
public:
    explicit Oracle(const Problem& problem) {
        const auto affordable = static_cast<Index>(error_pairs / static_cast<double>(problem.sample_count()));
        const Index count = std::min({problem.voxel_count(), most_error_voxels, std::max<Index>(affordable, 64)});
        std::vector<Index> all(problem.voxel_count());
        for (Index n = 0; n < problem.voxel_count(); ++n) {
            all[n] = n;
        }
        std::mt19937_64 generator(7);
        std::sample(all.begin(), all.end(), std::back_inserter(voxels_), count, generator);
        Positions positions;
        for (int axis = 0; axis < 3; ++axis) {
            for (const Index n : voxels_) {
                positions.r[axis].push_back(problem.r[axis][n]);
            }
        }
        for (const Sum sum : {Sum::q, Sum::fhd}) {
            const std::vector<cfloat> values = sample_values(problem, sum);
            if (!values.empty()) {
                exact_[sum == Sum::q ? 0 : 1] = direct_adjoint(trajectory_of(problem), positions,
                                                               std::vector<cdouble>(values.begin(), values.end()));
            }
        }
    }

    Index voxel_count() const { return static_cast<Index>(voxels_.size()); }

    /// Of those voxels that are among the `values`, which are the first of the problem's.
    Deviation deviation_of(const std::vector<cfloat>& values, Sum sum) const {
        const std::vector<cdouble>& exact = exact_[sum == Sum::q ? 0 : 1];
        std::vector<cfloat> found;
        for (std::size_t i = 0; i < voxels_.size() && voxels_[i] < static_cast<Index>(values.size()); ++i) {
            found.push_back(values[voxels_[i]]);
        }
        return found.empty() ? Deviation{} : deviation(found, std::span(exact).first(found.size()));
    }

private:
    std::vector<Index> voxels_;  ///< ascending
    std::vector<cdouble> exact_[2];
};

class Climb {
public:
    Climb(const Settings& settings, const std::function<void(const StepRecord&)>& done)
        : settings_(settings), done_(done), problem_(load(settings)), oracle_(problem_) {
        backends_.push_back(make_cpu_backend(settings.thread_count));
        devices_.cpu = backends_.front().get();
        FoundGpus found = find_gpus(settings.device, std::numeric_limits<int>::max());
        devices_.no_gpu = found.none;
        ceilings_ = found.ceilings;
        for (std::unique_ptr<Backend>& gpu : found.backends) {
            devices_.gpus.push_back(gpu.get());
            backends_.push_back(std::move(gpu));
        }
        if (!settings.reference.empty()) {
            reference_ = read_parboil_output(settings.reference);
            if (static_cast<Index>(reference_.size()) != problem_.voxel_count()) {
                throw InputError(fmt::format("{}: holds {} voxels, the input {}; is it the reference of this input?",
                                             settings.reference, reference_.size(), problem_.voxel_count()));
            }
        }
        if (settings.image_size > 0) {
            image_.emplace(settings.image_size, devices_.gpus.empty() ? *devices_.cpu : *devices_.gpus.front());
        }
    }

    Report run() {
        Report report;
        report.problem = settings_.input.empty() ? fmt::format("{0} x {0} x {0} voxels, {1} random samples",
                                                               settings_.size, settings_.samples)
                                                 : fmt::format("{}: {} voxels, {} samples", settings_.input,
                                                               problem_.voxel_count(), problem_.sample_count());
        report.voxel_count = problem_.voxel_count();
        report.sample_count = problem_.sample_count();
        report.error_voxel_count = oracle_.voxel_count();
        report.cpu = devices_.cpu->description();
        report.gpu = devices_.gpus.empty()
                         ? devices_.no_gpu
                         : fmt::format("{} x {}", devices_.gpus.size(), devices_.gpus.front()->description());
        report.ceilings = ceilings_;
        if (image_) {
            report.image = image_->description();
            report.image_truth = image_->best();
        }
        for (const Step& step : chosen_steps(all_steps(), settings_.steps)) {
            for (const int gpu_count : gpu_counts(step)) {
                report.steps.push_back(climb(step, gpu_count));
                done_(report.steps.back());
            }
        }
        return report;
    }

private:
    /// 1, 2, 4, 8 ... of the GPUs that are there, for steps that use several.
    std::vector<int> gpu_counts(const Step& step) const {
        std::vector<int> counts{1};
        while (step.place == Place::gpus && 2 * counts.back() <= static_cast<int>(devices_.gpus.size())) {
            counts.push_back(2 * counts.back());
        }
        return counts;
    }

    StepRecord climb(const Step& step, int gpu_count) {
        StepRecord record;
        record.step = step;
        record.gpu_count = gpu_count;
        Devices devices = devices_;
        if (static_cast<int>(devices.gpus.size()) > gpu_count) {
            devices.gpus.resize(gpu_count);
        }
        for (const Sum sum : {Sum::q, Sum::fhd}) {
            Tuning& tuning = tuning_[sum == Sum::q ? 0 : 1];
            devices.tuning = tuning;
            record.sums[sum == Sum::q ? 0 : 1] = measure(step, devices, sum);
            const StepRun& run = record.sums[sum == Sum::q ? 0 : 1].run;
            if (!run.trials.empty()) {
                tuning = *run.tuning;
            }
        }
        record.image = reconstruct(step, devices, record);
        return record;
    }

    SumRecord measure(const Step& step, const Devices& devices, Sum sum) const {
        SumRecord record;
        record.skipped = step.obstacle(devices, problem_);
        if (sum == Sum::fhd && problem_.phi_conj_data.empty()) {
            record.skipped = "the input has no data d";
        }
        if (!record.skipped.empty()) {
            return record;
        }
        try {
            const Effort effort = affordable(step, devices, sum);
            record.voxel_count = effort.voxel_count;
            record.part = static_cast<double>(effort.voxel_count) / static_cast<double>(problem_.voxel_count());
            const Problem problem = problem_.first_voxels(effort.voxel_count);
            record.run = step.run(devices, problem, sum, effort.repeats);
            record.seconds = median(record.run.seconds);
            record.pairs_per_s = problem.pair_count() / record.seconds;
            record.flops = record.pairs_per_s * operations_a_pair(sum);
            if (step.place != Place::cpu) {
                record.bound =
                    busiest_unit(record.run.work, record.seconds, ceilings_, static_cast<int>(devices.gpus.size()));
            }
            record.error = oracle_.deviation_of(record.run.values, sum);
            if (sum == Sum::q && !reference_.empty() && record.voxel_count == problem_.voxel_count()) {
                record.check = check_as_parboil(record.run.values, reference_);
            }
            record.run.values = {};
        } catch (const DeviceError& failure) {  // no memory for this step, no NCCL for that one: the others go on
            record.skipped = failure.what();
        }
        return record;
    }

    struct Effort {
        Index voxel_count;
        int repeats;
    };

    /// A try on a few voxels tells how many the time limit allows, and how many repeats of them.
    Effort affordable(const Step& step, const Devices& devices, Sum sum) const {
        const Index few = std::min<Index>(problem_.voxel_count(), step.place == Place::cpu ? 256 : 32768);
        if (step.needs_grid || few == problem_.voxel_count()) {
            return {problem_.voxel_count(), settings_.repeat};
        }
        const double seconds = step.run(devices, problem_.first_voxels(few), sum, 1).seconds.front();
        const double all = seconds * static_cast<double>(problem_.voxel_count()) / static_cast<double>(few);
        if (all > settings_.time_limit_s) {
            const double fraction = settings_.time_limit_s / all;
            return {std::max(few, static_cast<Index>(fraction * static_cast<double>(problem_.voxel_count()))), 1};
        }
        const double fitting = std::clamp(settings_.time_limit_s / all, 1.0, static_cast<double>(settings_.repeat));
        return {problem_.voxel_count(), static_cast<int>(fitting)};
    }

    ImageRecord reconstruct(const Step& step, const Devices& devices, const StepRecord& record) const {
        ImageRecord image;
        if (!image_) {
            image.skipped = "no image was asked for";
            return image;
        }
        const SumRecord& q = record.sums[0];
        if (!q.skipped.empty()) {
            image.skipped = q.skipped;
            return image;
        }
        const double seconds = (image_->pair_count(Sum::q) + image_->pair_count(Sum::fhd)) / q.pairs_per_s;
        if (seconds > settings_.time_limit_s) {
            image.skipped = fmt::format("would take {:.0f} s, the limit is {:g} s", seconds, settings_.time_limit_s);
            return image;
        }
        try {
            return image_->reconstruct(step, devices);
        } catch (const DeviceError& failure) {
            image.skipped = failure.what();
            return image;
        }
    }

    const Settings& settings_;
    const std::function<void(const StepRecord&)>& done_;
    Problem problem_;
    Oracle oracle_;
    std::vector<std::unique_ptr<Backend>> backends_;
    Devices devices_;
    DeviceCeilings ceilings_;
    Tuning tuning_[2];  ///< what the tuning found for Q and F^H d
    std::vector<cfloat> reference_;
    std::optional<ImageTask> image_;
};

}  // namespace

Report climb(const Settings& settings, const std::function<void(const StepRecord&)>& done) {
    return Climb(settings, done).run();
}

}  // namespace recon::ladder
