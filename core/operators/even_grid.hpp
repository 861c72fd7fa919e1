#pragma once

#include <algorithm>

#include "core/backend/transfer_by_pieces.hpp"
#include "core/base/types.hpp"

namespace recon {

/// Points of a grid of frequencies, FFT order, where what is known is even along each axis: it is the same at k and -k
/// of an axis, so that an octant of points tells it, 0 to n/2 along each axis.
class EvenGrid {
public:
    EvenGrid() = default;
    explicit EvenGrid(PerAxis<Index> grid) : grid_(grid) {
        for (int axis = 0; axis < 3; ++axis) {
            octant_[axis] = grid[axis] / 2 + 1;
        }
    }

    Index point_count() const { return grid_[0] * grid_[1] * grid_[2]; }
    const PerAxis<Index>& octant() const { return octant_; }
    Index octant_count() const { return octant_[0] * octant_[1] * octant_[2]; }

    /// visit(i, at) for the points i from `first` to `end` - 1 of the grid [x y z], `at` their place in the octant
    /// [x y z].
    template <class Visit>
    void visit(Index first, Index end, Visit&& visit) const {
        Index row = first / grid_[0], x = first % grid_[0];
        for (Index i = first; i < end; ++row, x = 0) {
            const Index start = octant_[0] * (folded(1, row % grid_[1]) + octant_[1] * folded(2, row / grid_[1]));
            const Index stop = std::min(grid_[0], x + end - i), turn = std::min(octant_[0], stop);
            for (; x < turn; ++x, ++i) {
                visit(i, start + x);
            }
            for (; x < stop; ++x, ++i) {
                visit(i, start + grid_[0] - x);
            }
        }
    }

private:
    Index folded(int axis, Index i) const { return std::min(i, grid_[axis] - i); }

    PerAxis<Index> grid_{1, 1, 1};
    PerAxis<Index> octant_{1, 1, 1};
};

/// What an octant [x y z] says of all points of the grid [x y z].  @throws ShapeError unless it is the grid's
Array spread_octant(ConstArrayView octant, PerAxis<Index> grid);

/// The numbers value(at) at all points of a grid [x y z], `at` the place of a point in the octant; called by several
/// threads. They are spread where the backend computes, and an eighth of them made and sent there.
template <class Value>
Array even_array(Backend& backend, PerAxis<Index> grid, Precision precision, Value&& value) {
    Array octant(backend, Shape::image(EvenGrid(grid).octant()), precision);
    upload_by_pieces(octant, value);
    return spread_octant(octant, grid);
}

}  // namespace recon
