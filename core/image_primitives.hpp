#pragma once

#include "core/array.hpp"

namespace recon {

/// Operations on images that know neighbours, for the terms that regularise a reconstruction. Images are [x y z], or
/// [x y z batch] for several at once; all operands of a call live on this backend and have one precision. The operands
/// are checked here, and the backend's `do_*` compute.
class ImagePrimitives {
public:
    virtual ~ImagePrimitives() = default;

    /// y[n] = x[n + e] - x[n] with e one voxel along `axis` (0: x, 1: y, 2: z), and 0 at the axis' end: a boundary that
    /// is free. @throws ShapeError unless x and y are images of one shape, and not the same array
    void difference(int axis, ConstArrayView x, ArrayView y) const;
    /// y[n] += x[n - e] - x[n], without the terms that `difference` lacks: y += D^H x. @throws ShapeError as above
    void add_adjoint_difference(int axis, ConstArrayView x, ArrayView y) const;

private:
    virtual void do_difference(int axis, ConstArrayView x, ArrayView y) const = 0;
    virtual void do_add_adjoint_difference(int axis, ConstArrayView x, ArrayView y) const = 0;
};

}  // namespace recon
