#pragma once

#include <span>
#include <vector>

#include "core/backend/array.hpp"

namespace recon {

/// The caller's numbers in host memory, from which a backend takes slices along the last axis (coils): what does not
/// fit the memory of a device all at once.
class HostStack {
public:
    /// @param numbers  outlive it  @param apart  elements from a slice to the next; 0: they follow each other
    /// @throws ShapeError if the sizes differ
    HostStack(Backend& backend, std::span<const cfloat> numbers, const Shape& shape, Index apart = 0);

    Backend& backend() const { return *backend_; }
    const Shape& shape() const { return shape_; }

    /// Copies the slices from `first` on, as many as `slices` has, to the backend, in its precision.
    void load(Index first, ArrayView slices) const;

    /// Single numbers of a slice, on the host, where the stack is. @param offsets  into the slice, first axis fastest
    std::vector<cdouble> elements(Index slice, std::span<const Index> offsets) const;

private:
    void require_slices(ConstArrayView slices, Index first) const;

    Backend* backend_;
    Shape shape_;
    const cfloat* numbers_;
    Index apart_;
};

}  // namespace recon
