#include "app/studies/heart/heart_ladder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/studies/ladder/climbing.hpp"
#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/base/median.hpp"
#include "core/base/stopwatch.hpp"
#include "core/heart/cpu_excitation.hpp"

namespace recon::heart {
namespace {

constexpr double operations_of_the_check = 4e8;  ///< cells and steps: a second or so of the CPU
constexpr Index most_checked_steps = 200;

/// Instructions in double precision that a cell needs at least, a product and a sum in one;
/// gpu/heart/sheets/excitation_cell.cuh.
constexpr double instructions_a_cell = 21;

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double difference = std::abs(a[i] - b[i]);
        most = difference > most || std::isnan(difference) ? difference : most;
    }
    return most;
}

class Climb {
public:
    explicit Climb(const LadderSettings& settings) : settings_(settings) {
        setup_.size = settings.size;
        setup_.model.require_valid(settings.size, setup_.model.stable_time_step(settings.size));
        setup_.time_step = setup_.model.stable_time_step(settings.size);
        step_count_ = steps_until(settings.time, setup_.time_step);
        if (step_count_ < 1) {
            throw UsageError(fmt::format("`time`: {:g} is no step, expected above 0", settings.time));
        }
        backends_.push_back(make_cpu_backend(settings.thread_count));
        devices_.cpu = backends_.front().get();
        ladder::FoundGpus found = ladder::find_gpus(settings.device, std::numeric_limits<int>::max());
        devices_.no_gpu = found.none;
        ceilings_ = found.ceilings;
        for (std::unique_ptr<Backend>& gpu : found.backends) {
            devices_.gpus.push_back(gpu.get());
            backends_.push_back(std::move(gpu));
        }
        const double cells = static_cast<double>(settings.size) * static_cast<double>(settings.size);
        checked_steps_ = std::clamp(static_cast<Index>(operations_of_the_check / cells), Index{2},
                                    std::min(most_checked_steps, std::max<Index>(step_count_, 2)));
        const auto exact = make_cpu_excitation(setup_);
        exact->advance(checked_steps_);
        expected_ = exact->state();
    }

    LadderReport report() const {
        LadderReport report;
        report.size = settings_.size;
        report.time = settings_.time;
        report.dt = setup_.time_step;
        report.step_count = step_count_;
        report.checked_steps = checked_steps_;
        report.cpu = devices_.cpu->description();
        report.gpu = devices_.gpus.empty()
                         ? devices_.no_gpu
                         : fmt::format("{} x {}", devices_.gpus.size(), devices_.gpus.front()->description());
        report.ceilings = ceilings_;
        return report;
    }

    LadderRecord climb(const Step& step) const {
        LadderRecord record;
        record.step = step;
        record.gpu_count = step.place == Place::cpu ? 0 : step.place == Place::gpu ? 1 : std::ssize(devices_.gpus);
        record.skipped = step.obstacle(devices_);
        if (!record.skipped.empty()) {
            return record;
        }
        try {
            measure(step, record);
        } catch (const DeviceError& failure) {  // no memory for this step: the others go on
            record.skipped = failure.what();
        } catch (const UsageError& refused) {  // too large a sheet for this way to step
            record.skipped = refused.what();
        }
        return record;
    }

private:
    static double seconds_of(Excitation& sheet, Index steps) {
        sheet.synchronize();
        const Stopwatch watch;
        sheet.advance(steps);
        sheet.synchronize();
        return watch.seconds();
    }

    void measure(const Step& step, LadderRecord& record) const {
        ExcitationSetup setup = setup_;
        setup.precision = step.precision;
        const std::unique_ptr<Excitation> sheet = step.make(devices_, setup);
        sheet->advance(checked_steps_);
        const ExcitationState state = sheet->state();
        record.error = std::max(largest_difference(state.excitation, expected_.excitation),
                                largest_difference(state.recovery, expected_.recovery));
        Index timed = std::min<Index>(step_count_, 16);
        double seconds = seconds_of(*sheet, timed);
        while (seconds < 0.01 && timed < step_count_) {  // too short to foretell anything
            timed = std::min(4 * timed, step_count_);
            seconds = seconds_of(*sheet, timed);
        }
        const double all = seconds / static_cast<double>(timed) * static_cast<double>(step_count_);
        record.timed_steps =
            all <= settings_.time_limit_s
                ? step_count_
                : std::max(timed, static_cast<Index>(settings_.time_limit_s / all * static_cast<double>(step_count_)));
        record.repeats =
            static_cast<int>(std::clamp(settings_.time_limit_s / all, 1.0, static_cast<double>(settings_.repeat)));
        std::vector<double> runs;
        for (int repeat = 0; repeat < record.repeats; ++repeat) {
            sheet->set_state(ExcitationState::spiral_start(settings_.size));
            runs.push_back(seconds_of(*sheet, record.timed_steps));
        }
        const ExcitationState last = sheet->state();
        record.largest = last.largest();
        record.root_mean_square = last.root_mean_square();
        const double timed_seconds = median(runs);
        const double cells = static_cast<double>(settings_.size) * static_cast<double>(settings_.size);
        const double cells_a_second = cells * static_cast<double>(record.timed_steps) / timed_seconds;
        record.seconds = timed_seconds * static_cast<double>(step_count_) / static_cast<double>(record.timed_steps);
        record.gflops = 1e-9 * excitation_operations_a_cell * cells_a_second;
        const bool is_single = step.precision == Precision::single;
        record.gb_per_s = 1e-9 * excitation_bytes_a_cell / (is_single ? 2 : 1) * cells_a_second;
        if (step.place != Place::cpu) {
            find_bound(step, cells_a_second, record);
        }
    }

    void find_bound(const Step& step, double cells_a_second, LadderRecord& record) const {
        const bool is_single = step.precision == Precision::single;
        const auto gpus = static_cast<double>(record.gpu_count);
        const double flops = gpus * (is_single ? ceilings_.fp32_flops : ceilings_.fp64_flops);
        const double copies = gpus * ceilings_.copy_bytes_per_s;
        const double of_memory = copies > 0 ? step.bytes_a_cell * cells_a_second / copies : 0;
        const double of_instructions = flops > 0 ? 2 * instructions_a_cell * cells_a_second / flops : 0;
        record.bound = of_memory > of_instructions ? "memory" : is_single ? "single precision" : "double precision";
        record.share = std::max(of_memory, of_instructions);
    }

    const LadderSettings& settings_;
    ExcitationSetup setup_;
    Index step_count_ = 0;
    Index checked_steps_ = 0;
    ExcitationState expected_;
    std::vector<std::unique_ptr<Backend>> backends_;
    Devices devices_;
    DeviceCeilings ceilings_;
};

}  // namespace

std::string LadderRecord::name() const { return gpu_count > 1 ? fmt::format("{} x {}", step.id, gpu_count) : step.id; }

LadderReport climb(const LadderSettings& settings, const std::function<void(const LadderRecord&)>& done) {
    const std::vector<Step> steps = ladder::chosen_steps(all_steps(), settings.steps, "in the story of the heart");
    const Climb climb(settings);
    LadderReport report = climb.report();
    for (const Step& step : steps) {
        report.records.push_back(climb.climb(step));
        done(report.records.back());
    }
    return report;
}

}  // namespace recon::heart
