#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/backend/array.hpp"

namespace recon {

/// Complex numbers in host memory from which a backend takes slices along the last axis (coils): what does not fit the
/// memory of a device all at once.
class HostStack {
public:
    /// A view of the caller's numbers, which outlive it. @throws ShapeError if the sizes differ
    HostStack(Backend& backend, std::span<const cfloat> numbers, const Shape& shape);
    /// Memory of its own; contents undefined.
    HostStack(Backend& backend, const Shape& shape, Precision precision);

    Backend& backend() const { return *backend_; }
    const Shape& shape() const { return shape_; }

    /// Copies the slices from `first` on, as many as `slices` has, to the backend, in its precision.
    void load(Index first, ArrayView slices) const;
    /// Copies them from the backend into memory of one's own.
    void store(ConstArrayView slices, Index first);

    /// Single numbers of a slice, on the host, where the stack is. @param offsets  into the slice, first axis fastest
    std::vector<cdouble> elements(Index slice, std::span<const Index> offsets) const;

private:
    std::size_t offset_bytes(ConstArrayView slices, Index first) const;

    Backend* backend_;
    Shape shape_;
    Precision precision_;
    std::unique_ptr<std::byte[]> own_;
    const std::byte* data_;
};

}  // namespace recon
