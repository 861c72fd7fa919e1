#pragma once

#include "core/backend/array.hpp"
#include "core/base/named_array.hpp"
#include "core/operators/support.hpp"

namespace recon {

/// The standard deviation of each voxel, from draws of an error.
class DeviationMap {
public:
    /// @param image  of the shape, precision and backend of a draw
    /// @param unit   about the size of a draw's voxels, whose squares single precision could not hold
    DeviationMap(ConstArrayView image, double unit);

    void add(ConstArrayView draw);

    /// The root of the mean square, smoothed so far that about 50 numbers stand behind each voxel: it is good to 7 %.
    /// Outside of the support 0, and not averaged with what is inside. Uses up the draws.
    /// @param name     of the map in the image's file
    /// @param energy   of the whole map, the sum of its squares
    /// @param support  null: all voxels
    NamedArray take(const char* name, double energy, const Support* support);

private:
    double scale_;
    Array squares_;
    Array scaled_;
    Index draw_count_ = 0;
};

}  // namespace recon
