#include "app/studies/parboil/parboil_sums.hpp"

#include <algorithm>
#include <functional>

#include "core/base/error.hpp"
#include "core/base/stopwatch.hpp"

namespace recon {
namespace {

using Sum = std::function<void(ConstArrayView samples, ArrayView result)>;

Trajectory trajectory_of(const ParboilInput& input) {
    Trajectory trajectory;
    for (int axis = 0; axis < 3; ++axis) {
        trajectory.k[axis].assign(input.k[axis].begin(), input.k[axis].end());
    }
    return trajectory;
}

Positions positions_of(const ParboilInput& input) {
    Positions positions;
    for (int axis = 0; axis < 3; ++axis) {
        positions.r[axis].assign(input.r[axis].begin(), input.r[axis].end());
    }
    return positions;
}

/// |phi|^2 or conj(phi) d, [sample]
std::vector<cdouble> summands(const ParboilInput& input, ParboilSum sum) {
    std::vector<cdouble> values(input.phi.begin(), input.phi.end());
    for (std::size_t m = 0; m < values.size(); ++m) {
        values[m] = sum == ParboilSum::q ? std::norm(values[m]) : std::conj(values[m]) * cdouble(input.kspace[m]);
    }
    return values;
}

/// Positions that are floats are a grid in single precision if they are its rounded voxels, in double if they are its
/// voxels.
std::optional<VoxelGrid> grid_for(const Positions& positions, const ParboilSumsOptions& options) {
    if (options.method == PositionMethod::direct) {
        return std::nullopt;
    }
    constexpr double rounding_of_floats = 6e-8;
    constexpr double rounding_of_doubles = 4e-16;
    const auto grid =
        grid_of(positions, options.precision == Precision::single ? rounding_of_floats : rounding_of_doubles);
    if (!grid && options.method == PositionMethod::separable) {
        throw UsageError("`method` separable: the voxels are no grid (x fastest) within the rounding of " +
                         std::string(name_of(options.precision)) + " precision; use `method` auto or direct");
    }
    return grid;
}

struct Plan {
    Sum sum;
    std::string description;
};

Plan make_plan(const ParboilInput& input, Backend& backend, const ParboilSumsOptions& options) {
    const Trajectory trajectory = trajectory_of(input);
    const Positions positions = positions_of(input);
    if (const auto grid = grid_for(positions, options)) {
        const std::shared_ptr<const FourierSums> sums = backend.make_exact_sums(trajectory, *grid, options.precision);
        return {[sums](ConstArrayView samples, ArrayView result) {
                    sums->adjoint(samples, result.reshaped(sums->grid().shape));
                },
                "separable sums, voxels on a grid " + grid->shape.text()};
    }
    const std::shared_ptr<const PositionSums> sums =
        backend.make_position_sums(trajectory, positions, options.precision);
    return {[sums](ConstArrayView samples, ArrayView result) { sums->adjoint(samples, result); },
            "a sine and a cosine for every pair"};
}

}  // namespace

ParboilResult compute_parboil_sum(const ParboilInput& input, ParboilSum sum, Backend& backend,
                                  const ParboilSumsOptions& options) {
    if (sum == ParboilSum::fhd && input.kspace.empty()) {
        throw InputError("the input has no data d, which F^H d needs; it is one of mri-q, not of mri-fhd");
    }
    const Stopwatch planning;
    const Plan plan = make_plan(input, backend, options);
    Array samples(backend, Shape::samples(input.sample_count()), options.precision);
    Array result(backend, {{"voxel", input.voxel_count()}}, options.precision);
    upload(summands(input, sum), samples);
    backend.synchronize();
    ParboilResult computed{{}, plan.description, planning.seconds(), 0};
    std::vector<double> seconds;
    for (int i = 0; i < options.repeat; ++i) {
        const Stopwatch summing;
        plan.sum(samples, result);
        backend.synchronize();
        seconds.push_back(summing.seconds());
    }
    std::ranges::nth_element(seconds, seconds.begin() + seconds.size() / 2);
    computed.seconds = seconds[seconds.size() / 2];
    computed.values = download<float>(result);
    return computed;
}

}  // namespace recon
