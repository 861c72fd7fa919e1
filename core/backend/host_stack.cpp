#include "core/backend/host_stack.hpp"

#include "core/backend/backend.hpp"
#include "core/base/error.hpp"

namespace recon {

HostStack::HostStack(Backend& backend, std::span<const cfloat> numbers, const Shape& shape)
    : backend_(&backend),
      shape_(shape),
      precision_(Precision::single),
      data_(reinterpret_cast<const std::byte*>(numbers.data())) {
    if (backend.computes() && static_cast<Index>(numbers.size()) != shape.element_count()) {
        throw ShapeError("host stack: " + std::to_string(numbers.size()) + " numbers, expected " + shape.text());
    }
}

HostStack::HostStack(Backend& backend, const Shape& shape, Precision precision)
    : backend_(&backend),
      shape_(shape),
      precision_(precision),
      own_(new std::byte[shape.element_count() * complex_bytes(precision)]),
      data_(own_.get()) {}

std::size_t HostStack::offset_bytes(ConstArrayView slices, Index first) const {
    const Shape one = shape_.without_last_axis();
    const Index count = slices.size() / one.element_count();
    if (slices.size() != count * one.element_count() || first < 0 || first + count > shape_.extent(shape_.rank() - 1)) {
        throw ShapeError("host stack " + shape_.text() + " has no slices " + std::to_string(first) + " to " +
                         std::to_string(first + count - 1) + " for an array " + slices.shape().text());
    }
    return first * one.element_count() * complex_bytes(precision_);
}

void HostStack::load(Index first, ArrayView slices) const {
    const std::size_t offset = offset_bytes(slices, first);
    backend_->upload(backend_->computes() ? data_ + offset : nullptr, precision_, slices);
}

void HostStack::store(ConstArrayView slices, Index first) {
    if (!own_) {
        throw ShapeError("host stack: numbers that belong to somebody else cannot be overwritten");
    }
    backend_->download(slices, own_.get() + offset_bytes(slices, first), precision_);
}

std::vector<cdouble> HostStack::elements(Index slice, std::span<const Index> offsets) const {
    const Index slice_length = shape_.without_last_axis().element_count();
    std::vector<cdouble> values;
    with_precision(precision_, [&](auto tag) {
        const auto* numbers = reinterpret_cast<const std::complex<decltype(tag)>*>(data_) + slice * slice_length;
        for (const Index offset : offsets) {
            values.emplace_back(numbers[offset]);
        }
    });
    return values;
}

}  // namespace recon
