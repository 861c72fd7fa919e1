#include "core/backend/host_stack.hpp"

#include "core/backend/backend.hpp"
#include "core/base/error.hpp"

namespace recon {

HostStack::HostStack(Backend& backend, std::span<const cfloat> numbers, const Shape& shape, Index apart)
    : backend_(&backend), shape_(shape), numbers_(numbers.data()) {
    const Index of_slice = shape.without_last_axis().element_count();
    apart_ = apart > 0 ? apart : of_slice;
    const Index expected = (shape.extent(shape.rank() - 1) - 1) * apart_ + of_slice;
    if (backend.computes() && static_cast<Index>(numbers.size()) != expected) {
        throw ShapeError("host stack: " + std::to_string(numbers.size()) + " numbers, expected " +
                         std::to_string(expected) + " for " + shape.text());
    }
}

void HostStack::require_slices(ConstArrayView slices, Index first) const {
    const Shape one = shape_.without_last_axis();
    const Index count = slices.size() / one.element_count();
    if (slices.size() != count * one.element_count() || first < 0 || first + count > shape_.extent(shape_.rank() - 1)) {
        throw ShapeError("host stack " + shape_.text() + " has no slices " + std::to_string(first) + " to " +
                         std::to_string(first + count - 1) + " for an array " + slices.shape().text());
    }
}

void HostStack::load(Index first, ArrayView slices) const {
    require_slices(slices, first);
    const Shape one = shape_.without_last_axis();
    if (apart_ == one.element_count()) {
        backend_->upload(backend_->computes() ? numbers_ + first * apart_ : nullptr, Precision::single, slices);
        return;
    }
    const Index count = slices.size() / one.element_count();
    const ArrayView separate = slices.reshaped(one.with_axis("slice", count));
    for (Index i = 0; i < count; ++i) {
        backend_->upload(backend_->computes() ? numbers_ + (first + i) * apart_ : nullptr, Precision::single,
                         separate.slice(i));
    }
}

std::vector<cdouble> HostStack::elements(Index slice, std::span<const Index> offsets) const {
    const cfloat* numbers = numbers_ + slice * apart_;
    std::vector<cdouble> values;
    for (const Index offset : offsets) {
        values.emplace_back(numbers[offset]);
    }
    return values;
}

}  // namespace recon
