#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/python/binding/shared_backend.hpp"

namespace recon {

/// Arrays of other libraries, taken by DLPack or the buffer protocol; theirs to keep alive while a call lasts.
using GivenArray = nanobind::ndarray<nanobind::ro>;
using ResultArray = nanobind::ndarray<>;
using Extents = std::vector<std::size_t>;  ///< as Python has them: the last axis is the fastest

/// What a given array has to be.
struct Wanted {
    std::string what;  ///< "Nufft.forward: the image"; its last letter tells whether it is one or many
    Extents extents;
    Precision precision;
};

/// Where a call's numbers come from and go to. Arrays on the backend's device are read and written where they are.
/// Arrays on the host, for a backend whose memory is another, are copied there and back.
class ForeignCall {
public:
    using Work = std::function<void(ConstArrayView, ArrayView)>;

    explicit ForeignCall(std::shared_ptr<SharedBackend> shared) : shared_(std::move(shared)) {}

    /// result = work(given), without Python's lock. The result is on the host if `given` is, and on the device
    /// otherwise.
    /// @param domain, codomain  shapes that `work` expects
    /// @param out  gets the result, and Python None; else the result is memory of ours, released with the last array on
    /// it
    /// @throws UsageError for arrays of another shape, precision, order or device, and where `out` overlaps `given`
    nanobind::object run(const GivenArray& given, const Wanted& wanted, const Shape& domain, const Wanted& result,
                         const Shape& codomain, const std::optional<ResultArray>& out, const Work& work) const;

    /// A copy on the host, for Python.
    nanobind::object host_copy(ConstArrayView array, const Extents& extents) const;

    /// A copy on the backend. @throws as run
    Array copy_of(const GivenArray& given, const Wanted& wanted, const Shape& shape) const;

private:
    bool is_in_place(int device_type, int device_id, const std::string& what) const;
    nanobind::object in_place(ConstArrayView input, const Wanted& result, const Shape& codomain,
                              const std::optional<ResultArray>& out, const Work& work) const;
    nanobind::object on_host(ConstArrayView input, const Wanted& result, const Shape& codomain,
                             const std::optional<ResultArray>& out, const Work& work) const;

    std::shared_ptr<SharedBackend> shared_;
};

}  // namespace recon
