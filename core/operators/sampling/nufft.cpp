#include "core/operators/sampling/nufft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/backend/transfer_by_pieces.hpp"
#include "core/base/error.hpp"

namespace recon {
namespace {

/// Images that share the kernel's weights in one pass; more would gain little and cost memory.
constexpr Index most_images_at_once = 8;
constexpr std::size_t scratch_budget_bytes = std::size_t{1} << 29;

Index checked_sample_count(const Trajectory& trajectory) {
    for (const auto& component : trajectory.k) {
        if (static_cast<Index>(component.size()) != trajectory.sample_count()) {
            throw InputError(fmt::format("trajectory: components have {}, {} and {} samples, expected equal numbers",
                                         trajectory.k[0].size(), trajectory.k[1].size(), trajectory.k[2].size()));
        }
    }
    if (trajectory.sample_count() == 0) {
        throw InputError("trajectory: no samples, expected at least one");
    }
    return trajectory.sample_count();
}

/// The same grid with its origin moved to the middle, so that the image lies where the kernel's transform is large.
VoxelGrid about_the_middle(const VoxelGrid& grid) {
    VoxelGrid centred = grid;
    for (int axis = 0; axis < 3; ++axis) {
        centred.origin[axis] = grid.shape.extent(axis) / 2;
    }
    return centred;
}

GriddingGeometry gridding_geometry(const VoxelGrid& grid, const NufftDesign& design) {
    GriddingGeometry geometry{design.grid_size, {}, design.kernel};
    for (int axis = 0; axis < 3; ++axis) {
        geometry.grid_steps[axis] = grid.spacing[axis] * static_cast<double>(design.grid_size[axis]);
    }
    return geometry;
}

Index images_at_once(const NufftDesign& design, Index batch_count, Precision precision, std::size_t piece_bytes) {
    const std::size_t grid_bytes = Shape::image(design.grid_size).element_count() * complex_bytes(precision);
    const Index affordable = static_cast<Index>(std::min(scratch_budget_bytes, piece_bytes) / grid_bytes);
    return std::clamp<Index>(std::min(affordable, most_images_at_once), 1, batch_count);
}

}  // namespace

PlanBytes Nufft::bytes(const Backend& backend, const VoxelGrid& grid, const NufftDesign& design, Index sample_count,
                       Index image_count, Precision precision, std::size_t piece_bytes) {
    const std::size_t at_once = images_at_once(design, image_count, precision, piece_bytes);
    const std::size_t samples = sample_count * complex_bytes(precision);
    const bool shifted = grid.origin != about_the_middle(grid).origin;
    const PlanBytes gridding = backend.plan_sizes().gridding(gridding_geometry(grid, design), sample_count,
                                                             static_cast<Index>(at_once), precision, piece_bytes);
    const PlanBytes fft = backend.plan_sizes().padded_fft(grid.shape.matrix_size(), design.grid_size, precision);
    const std::size_t scratch =
        at_once * Shape::image(design.grid_size).element_count() * complex_bytes(precision) + (shifted ? samples : 0);
    const std::size_t while_making = std::max(gridding.making, shifted ? samples : 0);
    return {gridding.held + fft.held + scratch, while_making > scratch ? while_making - scratch : 0,
            std::max(gridding.running, fft.running) + (shifted ? at_once * samples : 0)};
}

Nufft::Nufft(Backend& backend, const Trajectory& trajectory, const VoxelGrid& grid, double tolerance,
             Precision precision)
    : Nufft(
          backend, trajectory, grid,
          NufftDesign::best(grid, checked_sample_count(trajectory), tolerance, precision, backend.nufft_design_costs()),
          precision) {}

Nufft::Nufft(Backend& backend, const Trajectory& trajectory, const VoxelGrid& grid, const NufftDesign& design,
             Precision precision)
    : FourierSums(grid, checked_sample_count(trajectory), precision), backend_(&backend), design_(design) {
    const VoxelGrid centred = about_the_middle(grid);
    PaddedFftGeometry fft{centred, design_.grid_size, {}};
    PerAxis<double> shift{};
    for (int axis = 0; axis < 3; ++axis) {
        const auto grid_size = static_cast<double>(design_.grid_size[axis]);
        // not as a difference of positions, whose rounding would leave phases where there is no shift
        shift[axis] = static_cast<double>(centred.origin[axis] - grid.origin[axis]) * grid.spacing[axis];
        for (Index i = 0; i < grid.shape.extent(axis); ++i) {
            const double x = static_cast<double>(i - centred.origin[axis]) / grid_size;
            fft.weight[axis].push_back(design_.grid_size[axis] > 1 ? 1 / design_.kernel.transform(x) : 1);
        }
    }
    gridding_ = backend.make_gridding(trajectory, gridding_geometry(grid, design_), precision);
    fft_ = backend.make_padded_fft(fft, precision);
    if (shift != PerAxis<double>{}) {
        sample_phases_.emplace(backend, Shape::samples(trajectory.sample_count()), precision);
        upload_by_pieces(*sample_phases_, [&](std::size_t m) {
            const double turns =
                trajectory.k[0][m] * shift[0] + trajectory.k[1][m] * shift[1] + trajectory.k[2][m] * shift[2];
            return std::polar(1.0, -2 * pi * (turns - std::round(turns)));
        });
    }
}

template <class Function>
void Nufft::for_each_piece(Index batch_count, Function&& function) const {
    const Shape grid_shape = Shape::image(design_.grid_size);
    const Index at_once = images_at_once(design_, batch_count, precision(), backend_->memory().piece_bytes());
    if (!scratch_ || scratch_->shape().extent(3) < at_once) {
        scratch_.reset();
        scratch_.emplace(*backend_, grid_shape.with_axis("batch", at_once), precision());
    }
    for (Index first = 0; first < batch_count; first += at_once) {
        const Index count = std::min(at_once, batch_count - first);
        function(first, count, scratch_->view().slices(0, count));
    }
}

void Nufft::do_forward(ConstArrayView image, ArrayView samples) const {
    for_each_piece(image.shape().extent(3), [&](Index first, Index count, ArrayView grid) {
        fft_->forward(image.slices(first, count), grid);
        const ArrayView piece = samples.slices(first, count);
        gridding_->interpolate(grid, piece);
        for (Index b = 0; sample_phases_ && b < count; ++b) {
            backend_->multiply(Conjugate::no, *sample_phases_, piece.slice(b), Accumulate::no, piece.slice(b));
        }
    });
}

void Nufft::do_adjoint(ConstArrayView samples, ArrayView image) const {
    for_each_piece(image.shape().extent(3), [&](Index first, Index count, ArrayView grid) {
        if (sample_phases_) {
            Array turned(*backend_, samples.slices(first, count).shape(), precision());
            for (Index b = 0; b < count; ++b) {
                backend_->multiply(Conjugate::yes, *sample_phases_, samples.slice(first + b), Accumulate::no,
                                   turned.slice(b));
            }
            gridding_->spread(turned, grid);
        } else {
            gridding_->spread(samples.slices(first, count), grid);
        }
        fft_->adjoint(grid, image.slices(first, count));
    });
}

}  // namespace recon
