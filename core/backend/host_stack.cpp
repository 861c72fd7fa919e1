#include "core/backend/host_stack.hpp"

#include "core/backend/backend.hpp"
#include "core/base/error.hpp"

namespace recon {

HostStack::HostStack(Backend& backend, std::span<const cfloat> numbers, const Shape& shape)
    : backend_(&backend), shape_(shape), numbers_(numbers.data()) {
    if (backend.computes() && static_cast<Index>(numbers.size()) != shape.element_count()) {
        throw ShapeError("host stack: " + std::to_string(numbers.size()) + " numbers, expected " + shape.text());
    }
}

Index HostStack::offset_of(ConstArrayView slices, Index first) const {
    const Shape one = shape_.without_last_axis();
    const Index count = slices.size() / one.element_count();
    if (slices.size() != count * one.element_count() || first < 0 || first + count > shape_.extent(shape_.rank() - 1)) {
        throw ShapeError("host stack " + shape_.text() + " has no slices " + std::to_string(first) + " to " +
                         std::to_string(first + count - 1) + " for an array " + slices.shape().text());
    }
    return first * one.element_count();
}

void HostStack::load(Index first, ArrayView slices) const {
    const Index offset = offset_of(slices, first);
    backend_->upload(backend_->computes() ? numbers_ + offset : nullptr, Precision::single, slices);
}

std::vector<cdouble> HostStack::elements(Index slice, std::span<const Index> offsets) const {
    const cfloat* numbers = numbers_ + slice * shape_.without_last_axis().element_count();
    std::vector<cdouble> values;
    for (const Index offset : offsets) {
        values.emplace_back(numbers[offset]);
    }
    return values;
}

}  // namespace recon
