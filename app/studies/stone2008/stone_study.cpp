#include "app/studies/stone2008/stone_study.hpp"

#include <algorithm>
#include <cmath>

#include "app/studies/ladder/climbing.hpp"
#include "app/studies/stone2008/product_sums.hpp"
#include "app/studies/stone2008/stone_devices.hpp"
#include "app/studies/stone2008/stone_scan.hpp"
#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/base/median.hpp"
#include "core/base/stopwatch.hpp"
#include "core/mri/density_compensation.hpp"
#include "core/operators/sampling/nufft.hpp"
#include "core/operators/toeplitz_normal.hpp"
#include "gpu/ladder/product_steps.hpp"
#include "solver/conjugate_gradient.hpp"

namespace recon::stone {
namespace {

using ladder::Step;
using ladder::StepRun;
using ladder::Sum;

constexpr double gridding_tolerance = 1e-6;

constexpr const char* gridding_cpu = "gridding-cpu";
constexpr const char* gridding_gpu = "gridding-gpu";
constexpr const char* product_single = "recon";
constexpr const char* product_double = "recon-double";

Precision precision_of(const std::string& id) {
    return id == "cpu-double" || id == "double" || id == product_double ? Precision::double_ : Precision::single;
}

class Study {
public:
    Study(const Settings& settings, const std::function<void(const Row&)>& done)
        : settings_(settings),
          done_(done),
          devices_(settings.device, settings.thread_count),
          scan_(simulate(settings.size, settings.samples, settings.snr, settings.seed)),
          truth_(scan_.truth.begin(), scan_.truth.end()) {
        for (const Sum sum : {Sum::q, Sum::fhd}) {
            problems_[sum == Sum::q ? 0 : 1] = ladder::problem_of(
                scan_.trajectory, scan_.kspace,
                sum == Sum::q ? VoxelGrid::differences(scan_.matrix_size) : VoxelGrid::image(scan_.matrix_size));
        }
    }

    Report run() {
        report_.settings = settings_;
        report_.sample_count = scan_.trajectory.sample_count();
        report_.readout_count = scan_.readout_count;
        report_.q_voxel_count = problems_[0].voxel_count();
        report_.cpu = devices_.cpu().description();
        report_.gpu = devices_.gpu_text();
        log_info("{0} x {0} x {0} voxels, {1} samples: {2} spirals on cones of {3} samples; Q at {4} differences",
                 settings_.size, report_.sample_count, scan_.readout_count, scan_.samples_per_readout,
                 report_.q_voxel_count);
        reference_ = product_sums(scan_, devices_.best(), Precision::double_);
        add_gridding(gridding_cpu, devices_.cpu());
        if (devices_.gpu() != nullptr) {
            add_gridding(gridding_gpu, *devices_.gpu());
        }
        for (const Step& step : ladder::all_steps()) {
            if (belongs(step) && asked_for(step.id)) {
                add(row_of(step));
            }
        }
        if (asked_for(product_single)) {
            add(row_of(product_sums(scan_, devices_.best(), Precision::single), Precision::single));
        }
        if (asked_for(product_double)) {
            add(row_of(reference_, Precision::double_));
        }
        return report_;
    }

private:
    bool asked_for(const std::string& id) const {
        return settings_.steps.empty() || std::ranges::find(settings_.steps, id) != settings_.steps.end();
    }
    Shape image_shape() const { return Shape::image(scan_.matrix_size); }

    void add(Row row) {
        report_.rows.push_back(std::move(row));
        done_(report_.rows.back());
    }

    Row row_of(const ProductSums& sums, Precision precision) const {
        const bool single = precision == Precision::single;
        Row row{.id = single ? product_single : product_double,
                .title = single ? "recon as it is" : "recon in double precision",
                .remark = sums.remark};
        row.q = SumTime{.seconds = sums.q_seconds};
        row.fhd = SumTime{.seconds = sums.fhd_seconds};
        row.image_origin = ImageOrigin::own;
        solve(devices_.best(), precision, sums.q, sums.fhd, row);
        return row;
    }

    /// The baseline: density weights times data, spread, transformed, deapodised; one pass.
    void add_gridding(const char* id, Backend& backend) {
        if (!asked_for(id)) {
            return;
        }
        const VoxelGrid grid = VoxelGrid::image(scan_.matrix_size);
        if (density_.empty()) {
            const Stopwatch watch;
            density_ = pipe_menon_weights(devices_.best(), scan_.trajectory, scan_.matrix_size);
            report_.density_seconds = watch.seconds();
        }
        std::vector<cfloat> weighted = scan_.kspace;
        for (std::size_t m = 0; m < weighted.size(); ++m) {
            weighted[m] *= static_cast<float>(density_[m] / static_cast<double>(truth_.size()));
        }
        Array samples(backend, Shape::samples(scan_.trajectory.sample_count()), Precision::single);
        Array image(backend, grid.shape, Precision::single);
        upload(weighted, samples);
        const Nufft nufft(backend, scan_.trajectory, grid, gridding_tolerance, Precision::single);
        Row row{.id = id, .title = fmt::format("gridding + FFT, {}", &backend == &devices_.cpu() ? "CPU" : "GPU")};
        std::vector<double> seconds;
        for (int i = -1; i < settings_.repeat; ++i) {  // -1: to warm up
            backend.synchronize();
            const Stopwatch watch;
            nufft.adjoint(samples, image);
            backend.synchronize();
            if (i >= 0) {
                seconds.push_back(watch.seconds());
            }
        }
        row.fhd.seconds = median(seconds);
        row.image_origin = ImageOrigin::own;
        row.image = deviation(download<float>(image), truth_);
        add(std::move(row));
    }

    Row row_of(const Step& step) {
        Row row{.id = step.id, .title = step.title};
        row.skipped = step.obstacle(devices_.for_steps(), problems_[0]);
        if (!row.skipped.empty()) {
            return row;
        }
        try {
            std::vector<cfloat> q_values;
            std::vector<cfloat> fhd_values;
            row.q = measure(step, Sum::q, q_values, row.remark);
            row.fhd = measure(step, Sum::fhd, fhd_values, row.remark);
            const Precision precision = precision_of(step.id);
            Backend& backend = step.place == ladder::Place::cpu ? devices_.cpu() : *devices_.gpu();
            if (!row.extrapolated()) {
                row.image_origin = ImageOrigin::own;
                solve(backend, precision, std::vector<cdouble>(q_values.begin(), q_values.end()),
                      std::vector<cdouble>(fhd_values.begin(), fhd_values.end()), row);
            } else {
                row.image_origin = precision == Precision::double_ ? ImageOrigin::reference : ImageOrigin::none;
                solve(backend, precision, reference_.q, reference_.fhd, row);
            }
        } catch (const DeviceError& failure) {  // no memory for this one: the others go on
            row.skipped = failure.what();
        }
        return row;
    }

    /// Runs longer and longer parts of the sum until the time of all is known well enough, or all is computed.
    SumTime measure(const Step& step, Sum sum, std::vector<cfloat>& values, std::string& remark) const {
        const ladder::Problem& problem = problems_[sum == Sum::q ? 0 : 1];
        const Index all = problem.sample_count();
        const auto time_of = [&](double seconds, Index samples) {
            const double part = static_cast<double>(samples) / static_cast<double>(all);
            const double pairs_per_s = problem.pair_count() * part / seconds;
            const bool has_pairs = step.id != "nufft";
            return SumTime{seconds / part, part, has_pairs ? pairs_per_s * operations_a_pair(sum) : 0};
        };
        const Index few = step.place == ladder::Place::cpu ? 16 : 8192;
        const double enough_s = settings_.time_limit_s / 8;
        for (Index samples = std::min(few, all); samples < all;) {
            const double seconds =
                median(step.run(devices_.for_steps(), problem.first_samples(samples), sum, 1).seconds);
            const double predicted_s = time_of(seconds, samples).seconds;
            if (predicted_s <= settings_.time_limit_s) {
                break;
            }
            if (seconds > enough_s) {
                return time_of(seconds, samples);
            }
            const double growth = std::clamp(2 * enough_s / seconds, 2.0, 64.0);
            samples = std::min(static_cast<Index>(growth * static_cast<double>(samples)), all / 2);
        }
        StepRun run = step.run(devices_.for_steps(), problem, sum, settings_.repeat);
        values = std::move(run.values);
        remark = run.remark;
        return time_of(median(run.seconds), all);
    }

    /// Conjugate gradients with Q in Toeplitz form; fills in the solver's time, and the image's error if the row has
    /// one.
    void solve(Backend& backend, Precision precision, const std::vector<cdouble>& q_values,
               const std::vector<cdouble>& fhd_values, Row& row) const {
        Array q(backend, VoxelGrid::differences(scan_.matrix_size).shape, Precision::double_);
        Array fhd(backend, image_shape(), precision);
        Array image(backend, image_shape(), precision);
        upload(q_values, q);
        upload(fhd_values, fhd);
        backend.fill(0, image);
        backend.synchronize();
        const Stopwatch watch;
        const ToeplitzNormal normal(backend, image_shape(), q, precision);
        solve_cg(normal, fhd, image, CgOptions{.iterations = settings_.iterations});
        backend.synchronize();
        row.solver_seconds = watch.seconds();
        if (row.image_origin != ImageOrigin::none) {
            row.image = deviation(download<float>(image), truth_);
        }
    }

    const Settings& settings_;
    const std::function<void(const Row&)>& done_;
    StudyDevices devices_;
    Scan scan_;
    std::vector<cdouble> truth_;
    ladder::Problem problems_[2];  ///< Q, F^H d
    ProductSums reference_;        ///< in double
    std::vector<double> density_;
    Report report_;
};

}  // namespace

std::vector<std::pair<std::string, std::string>> row_names() {
    std::vector<std::pair<std::string, std::string>> names{{gridding_cpu, "gridding + FFT on the CPU"},
                                                           {gridding_gpu, "gridding + FFT on the GPU"}};
    for (const Step& step : ladder::all_steps()) {
        if (belongs(step)) {
            names.emplace_back(step.id, step.title);
        }
    }
    names.emplace_back(product_single, "recon as it is: exact sums or NUFFT, whichever is faster");
    names.emplace_back(product_double, "recon in double precision");
    return names;
}

Report run_study(const Settings& settings, const std::function<void(const Row&)>& done) {
    const auto names = row_names();
    for (const std::string& id : settings.steps) {
        if (std::ranges::none_of(names, [&](const auto& name) { return name.first == id; })) {
            throw UsageError("`steps`: there is no row " + id + "; recon study stone2008 `list` names them");
        }
    }
    return Study(settings, done).run();
}

}  // namespace recon::stone
