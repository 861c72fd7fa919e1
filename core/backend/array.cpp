#include "core/backend/array.hpp"

#include <algorithm>
#include <utility>

#include "core/backend/backend.hpp"
#include "core/backend/transfer_by_pieces.hpp"
#include "core/base/error.hpp"

namespace recon {
namespace {

void require_equal_size(ConstArrayView array, std::size_t host_size) {
    if (array.backend().computes() && static_cast<std::size_t>(array.size()) != host_size) {
        throw ShapeError("copy between an array " + array.shape().text() + " and " + std::to_string(host_size) +
                         " numbers on the host");
    }
}

template <class T>
void fill_unless_computed(ConstArrayView array, std::span<std::complex<T>> host) {
    if (!array.backend().computes()) {
        std::fill(host.begin(), host.end(), std::complex<T>(1));
    }
}

}  // namespace

void ConstArrayView::require_precision(Precision asked) const {
    if (asked != precision_) {
        throw ShapeError("array " + shape_.text() + " holds " + std::string(name_of(precision_)) +
                         " precision, asked for " + std::string(name_of(asked)));
    }
}

ConstArrayView ConstArrayView::slices(Index first, Index count) const {
    const int last = shape_.rank() - 1;
    if (last < 0 || first < 0 || count < 1 || first + count > shape_.extent(last)) {
        throw ShapeError("array " + shape_.text() + " has no slices " + std::to_string(first) + " to " +
                         std::to_string(first + count - 1));
    }
    const Shape one = shape_.without_last_axis();
    const std::size_t stride = one.element_count() * complex_bytes(precision_);
    return {*backend_, static_cast<const std::byte*>(data_) + first * stride,
            one.with_axis(shape_.axis_name(last), count), precision_};
}

ConstArrayView ConstArrayView::reshaped(const Shape& shape) const {
    if (shape.element_count() != size()) {
        throw ShapeError("array " + shape_.text() + " cannot be seen as " + shape.text());
    }
    return {*backend_, data_, shape, precision_};
}

Array::Array(Backend& backend, const Shape& shape, Precision precision)
    : backend_(&backend),
      data_(backend.allocate(shape.element_count() * complex_bytes(precision))),
      shape_(shape),
      precision_(precision) {}

Array::~Array() { release(); }

Array::Array(Array&& other) noexcept
    : backend_(other.backend_),
      data_(std::exchange(other.data_, nullptr)),
      shape_(other.shape_),
      precision_(other.precision_) {}

Array& Array::operator=(Array&& other) noexcept {
    if (this != &other) {
        release();
        backend_ = other.backend_;
        data_ = std::exchange(other.data_, nullptr);
        shape_ = other.shape_;
        precision_ = other.precision_;
    }
    return *this;
}

Array Array::clone() const {
    Array copy(*backend_, shape_, precision_);
    backend_->copy(*this, copy);
    return copy;
}

void Array::release() noexcept {
    if (data_) {
        backend_->deallocate(data_, shape_.element_count() * complex_bytes(precision_));
    }
}

void upload(std::span<const cfloat> host, ArrayView array) {
    require_equal_size(array, host.size());
    array.backend().upload(host.data(), Precision::single, array);
}

void upload(std::span<const cdouble> host, ArrayView array) {
    require_equal_size(array, host.size());
    array.backend().upload(host.data(), Precision::double_, array);
}

void upload_real(std::span<const double> host, ArrayView array) {
    require_equal_size(array, host.size());
    upload_by_pieces(array, [&](std::size_t i) { return host[i]; });
}

void download(ConstArrayView array, std::span<cfloat> host) {
    require_equal_size(array, host.size());
    array.backend().download(array, host.data(), Precision::single);
    fill_unless_computed(array, host);
}

void download(ConstArrayView array, std::span<cdouble> host) {
    require_equal_size(array, host.size());
    array.backend().download(array, host.data(), Precision::double_);
    fill_unless_computed(array, host);
}

Index listed_size(ConstArrayView array) { return array.backend().listed(array.size()); }

}  // namespace recon
