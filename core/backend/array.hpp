#pragma once

#include <complex>
#include <span>
#include <vector>

#include "core/base/host_pages.hpp"
#include "core/base/shape.hpp"
#include "core/base/types.hpp"

namespace recon {

class Backend;

/// Non-owning, read-only block of complex numbers on one backend.
class ConstArrayView {
public:
    ConstArrayView(Backend& backend, const void* data, Shape shape, Precision precision)
        : backend_(&backend), data_(data), shape_(shape), precision_(precision) {}

    Backend& backend() const { return *backend_; }
    const Shape& shape() const { return shape_; }
    Precision precision() const { return precision_; }
    Index size() const { return shape_.element_count(); }

    /// Address in the backend's memory; only the backend itself may follow it. @throws ShapeError if T is not the
    /// stored precision
    template <class T>
    const std::complex<T>* data() const {
        require_precision(precision_of<T>);
        return static_cast<const std::complex<T>*>(data_);
    }
    const void* address() const { return data_; }

    /// Element `index` of the last axis: one coil, one frame.
    ConstArrayView slice(Index index) const { return slices(index, 1).reshaped(shape_.without_last_axis()); }
    /// `count` consecutive elements of the last axis.
    ConstArrayView slices(Index first, Index count) const;
    /// The same numbers under another shape of equal size.
    ConstArrayView reshaped(const Shape& shape) const;

protected:
    void require_precision(Precision asked) const;

    Backend* backend_;
    const void* data_;
    Shape shape_;
    Precision precision_;
};

/// Non-owning, writable block of complex numbers on one backend.
class ArrayView : public ConstArrayView {
public:
    ArrayView(Backend& backend, void* data, Shape shape, Precision precision)
        : ConstArrayView(backend, data, shape, precision) {}

    template <class T>
    std::complex<T>* data() const {
        return const_cast<std::complex<T>*>(ConstArrayView::data<T>());
    }
    void* address() const { return const_cast<void*>(data_); }

    ArrayView slice(Index index) const { return writable(ConstArrayView::slice(index)); }
    ArrayView slices(Index first, Index count) const { return writable(ConstArrayView::slices(first, count)); }
    ArrayView reshaped(const Shape& shape) const { return writable(ConstArrayView::reshaped(shape)); }

private:
    static ArrayView writable(const ConstArrayView& view) {
        return {view.backend(), const_cast<void*>(view.address()), view.shape(), view.precision()};
    }
};

/// Owning, move-only block of complex numbers on one backend. Contents start undefined.
class Array {
public:
    /// @throws DeviceError if the memory is not there, saying how much was asked for
    Array(Backend& backend, const Shape& shape, Precision precision);
    ~Array();
    Array(Array&& other) noexcept;
    Array& operator=(Array&& other) noexcept;
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;

    Array clone() const;

    Backend& backend() const { return *backend_; }
    const Shape& shape() const { return shape_; }
    Precision precision() const { return precision_; }
    Index size() const { return shape_.element_count(); }

    ArrayView view() { return {*backend_, data_, shape_, precision_}; }
    ConstArrayView view() const { return {*backend_, data_, shape_, precision_}; }
    operator ArrayView() { return view(); }
    operator ConstArrayView() const { return view(); }

    ArrayView slice(Index index) { return view().slice(index); }
    ConstArrayView slice(Index index) const { return view().slice(index); }

private:
    void release() noexcept;

    Backend* backend_;
    void* data_;
    Shape shape_;
    Precision precision_;
};

// A backend that does not compute (Device::computes) takes lists on the host of any length, and gives those of one
// number, 1.

/// How long a list on the host is that stands for the array (Device::listed).
Index listed_size(ConstArrayView array);

/// Copies host numbers to a backend, converting the precision. @throws ShapeError if the sizes differ
void upload(std::span<const cfloat> host, ArrayView array);
void upload(std::span<const cdouble> host, ArrayView array);
/// Numbers without imaginary part.
void upload_real(std::span<const double> host, ArrayView array);
/// Waits for the backend, then copies its numbers to the host, converting the precision.
void download(ConstArrayView array, std::span<cfloat> host);
void download(ConstArrayView array, std::span<cdouble> host);
template <class T>
std::vector<std::complex<T>> download(ConstArrayView array) {
    auto host = unwritten_vector<std::complex<T>>(static_cast<std::size_t>(listed_size(array)));
    download(array, std::span<std::complex<T>>(host));
    return host;
}

}  // namespace recon
