#include "app/studies/stone2008/step_images.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/reconstruction/options/regularisation_options.hpp"
#include "app/reconstruction/priors/prior_kind.hpp"
#include "app/studies/ladder/toeplitz_image.hpp"
#include "core/base/error.hpp"
#include "core/operators/q_kernel.hpp"
#include "gpu/ladder/product_steps.hpp"

namespace recon::stone {
namespace {

using ladder::Step;
using ladder::StepRun;
using ladder::Sum;

class StepImages {
public:
    StepImages(const StepImageTask& task, const StudyDevices& devices, const ImageSettings& settings)
        : task_(task), devices_(devices), settings_(settings), matrix_(task.geometry.matrix_size) {
        images_.reference = task.prior_image;
        images_.reference_path = "proton image";
        const PriorSite site{.backend = devices.best(),
                             .precision = Precision::single,
                             .image_shape = Shape::image(matrix_),
                             .grid = task.geometry,
                             .inside = {},
                             .images = images_,
                             .edge_scale = RegularisationOptions{}.edge_scale};
        prior_ = prior_kinds().get("anatomical").make(site);
        for (const Sum sum : {Sum::q, Sum::fhd}) {
            problem(sum) = ladder::problem_of(*task.scan.trajectory, task.scan.kspace, grid(sum));
        }
    }

    ImageFigures of_double_sums() const { return task_.judge(image(exact_sum(Sum::q), exact_sum(Sum::fhd))); }

    StepImageRow of(const Step& step, double reference_psnr_db) const {
        StepImageRow row{
            .id = step.id, .title = step.title, .skipped = step.obstacle(devices_.for_steps(), problem(Sum::q))};
        if (!row.skipped.empty()) {
            return row;
        }
        try {
            const double seconds = predicted_seconds(step);
            if (seconds > settings_.time_limit_s) {
                row.skipped =
                    fmt::format("its sums would take {:.3g} s, the limit is {:g} s", seconds, settings_.time_limit_s);
                return row;
            }
            const StepRun q = step.run(devices_.for_steps(), problem(Sum::q), Sum::q, 1);
            const StepRun fhd = step.run(devices_.for_steps(), problem(Sum::fhd), Sum::fhd, 1);
            row.q_seconds = q.seconds.front();
            row.fhd_seconds = fhd.seconds.front();
            row.figures = task_.judge(image(q.values, fhd.values));
            row.psnr_change_db = row.figures.all.psnr_db - reference_psnr_db;
        } catch (const DeviceError& failure) {  // no memory for this one: the others go on
            row.skipped = failure.what();
        }
        return row;
    }

private:
    ladder::Problem& problem(Sum sum) { return problems_[sum == Sum::q ? 0 : 1]; }
    const ladder::Problem& problem(Sum sum) const { return problems_[sum == Sum::q ? 0 : 1]; }
    VoxelGrid grid(Sum sum) const { return sum == Sum::q ? half_of_differences(matrix_) : VoxelGrid::image(matrix_); }

    /// Of Q and F^H d, from a few samples.
    double predicted_seconds(const Step& step) const {
        const Index few = step.place == ladder::Place::cpu ? 16 : 8192;
        double seconds = 0;
        for (const Sum sum : {Sum::q, Sum::fhd}) {
            const Index all = problem(sum).sample_count();
            const Index part = std::min(few, all);
            const StepRun run = step.run(devices_.for_steps(), problem(sum).first_samples(part), sum, 1);
            seconds += run.seconds.front() * static_cast<double>(all) / static_cast<double>(part);
        }
        return seconds;
    }

    std::vector<cfloat> exact_sum(Sum sum) const {
        constexpr double tolerance = 1e-12;
        Backend& backend = devices_.best();
        const SumsOptions options{SumsMethod::automatic, tolerance, Precision::double_};
        const SumsChoice choice = choose_sums(backend, options, problem(sum).sample_count(), grid(sum), 1);
        Array values(backend, grid(sum).shape, Precision::double_);
        make_fourier_sums(backend, *task_.scan.trajectory, choice)
            ->adjoint(ladder::samples_on(backend, problem(sum), sum, Precision::double_), values);
        return download<float>(values);
    }

    std::vector<cfloat> image(const std::vector<cfloat>& half_of_q, const std::vector<cfloat>& fhd) const {
        const double q_centre = static_cast<double>(task_.scan.sample_count());
        return ladder::toeplitz_image({.backend = devices_.best(),
                                       .matrix_size = matrix_,
                                       .precision = Precision::single,
                                       .iterations = settings_.iterations,
                                       .w = prior_.transform.get(),
                                       .factor = task_.lambda * q_centre},
                                      half_of_q, fhd);
    }

    const StepImageTask& task_;
    const StudyDevices& devices_;
    const ImageSettings& settings_;
    PerAxis<Index> matrix_;
    PriorImages images_;
    Prior prior_;
    ladder::Problem problems_[2];  ///< Q on half of the differences, F^H d on the voxels
};

}  // namespace

void add_step_images(const StepImageTask& task, const StudyDevices& devices, ImageReport& report,
                     const std::function<void(const StepImageRow&)>& done) {
    const StepImages images(task, devices, report.settings);
    report.double_sums = images.of_double_sums();
    const std::vector<std::string>& asked = report.settings.steps;
    for (const Step& step : ladder::all_steps()) {
        if (belongs(step) && (asked.empty() || std::ranges::find(asked, step.id) != asked.end())) {
            report.steps.push_back(images.of(step, report.double_sums.all.psnr_db));
            done(report.steps.back());
        }
    }
}

}  // namespace recon::stone
