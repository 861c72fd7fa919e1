#pragma once

#include <complex>

#include "core/base/types.hpp"

namespace recon {

/// std::complex<T> as kernels see it: the same two numbers, aligned so that one instruction moves both.
template <class T>
struct alignas(2 * sizeof(T)) DeviceComplex {
    T re;
    T im;
};

template <class T>
DeviceComplex<T>* as_device(std::complex<T>* data) {
    return reinterpret_cast<DeviceComplex<T>*>(data);
}
template <class T>
const DeviceComplex<T>* as_device(const std::complex<T>* data) {
    return reinterpret_cast<const DeviceComplex<T>*>(data);
}
template <class T>
DeviceComplex<T> to_device(cdouble value) {
    return {static_cast<T>(value.real()), static_cast<T>(value.imag())};
}

template <class T>
__host__ __device__ constexpr DeviceComplex<T> operator+(DeviceComplex<T> a, DeviceComplex<T> b) {
    return {a.re + b.re, a.im + b.im};
}
template <class T>
__host__ __device__ constexpr DeviceComplex<T> operator-(DeviceComplex<T> a, DeviceComplex<T> b) {
    return {a.re - b.re, a.im - b.im};
}
template <class T>
__host__ __device__ constexpr DeviceComplex<T> operator*(DeviceComplex<T> a, DeviceComplex<T> b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class T>
__host__ __device__ constexpr DeviceComplex<T> operator*(T a, DeviceComplex<T> b) {
    return {a * b.re, a * b.im};
}
template <class T>
__host__ __device__ constexpr DeviceComplex<T> conj(DeviceComplex<T> a) {
    return {a.re, -a.im};
}

/// sum + a b in four fused operations: written as sums of products, the compiler makes six.
template <class T>
__device__ inline DeviceComplex<T> multiply_add(DeviceComplex<T> a, DeviceComplex<T> b, DeviceComplex<T> sum) {
    return {fma(-a.im, b.im, fma(a.re, b.re, sum.re)), fma(a.im, b.re, fma(a.re, b.im, sum.im))};
}

/// From memory that no kernel writes while this one runs.
__device__ inline DeviceComplex<float> load_constant(const DeviceComplex<float>* address) {
    const float2 value = __ldg(reinterpret_cast<const float2*>(address));
    return {value.x, value.y};
}
__device__ inline DeviceComplex<double> load_constant(const DeviceComplex<double>* address) {
    const double2 value = __ldg(reinterpret_cast<const double2*>(address));
    return {value.x, value.y};
}

}  // namespace recon
