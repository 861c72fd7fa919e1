#include "core/operators/even_grid.hpp"

#include <fmt/format.h>

#include <vector>

#include "core/backend/backend.hpp"
#include "core/base/error.hpp"

namespace recon {

Array spread_octant(ConstArrayView octant, PerAxis<Index> grid) {
    if (!(octant.shape() == Shape::image(EvenGrid(grid).octant()))) {
        throw ShapeError(fmt::format("{} is no octant of a grid {}", octant.shape().text(), Shape::image(grid).text()));
    }
    PerAxis<std::vector<Index>> places;
    for (int axis = 0; axis < 3; ++axis) {
        for (Index i = 0; i < grid[axis]; ++i) {
            places[axis].push_back(std::min(i, grid[axis] - i));
        }
    }
    Array all(octant.backend(), Shape::image(grid), octant.precision());
    octant.backend().image_primitives().pick(places, octant, all);
    return all;
}

}  // namespace recon
